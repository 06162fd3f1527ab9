// The server's clock. A terminal may believe any time of day it likes: cut-offs are counted from what the server said,
// with the quickest answer heard so far deciding how long it was on its way.

export class ServerClock {
  #ahead = null; // the server's milliseconds less ours
  #trip = Infinity;

  get known() {
    return this.#ahead !== null;
  }

  heard(iso, sent, arrived) {
    const trip = arrived - sent;
    this.#trip *= 1.05; // clocks drift: an old quick answer counts less and less
    if (trip > this.#trip) return;
    this.#trip = trip;
    this.#ahead = Date.parse(iso) - (sent + trip / 2);
  }

  now() {
    return performance.now() + (this.#ahead ?? 0);
  }

  secondsUntil(iso) {
    return (Date.parse(iso) - this.now()) / 1000;
  }
}

export function inMinutes(seconds) {
  const left = Math.max(0, Math.ceil(seconds));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  const rest = String(left % 60).padStart(2, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}
