// An alert is heard until somebody takes it: four notes upwards, made here, again and again.

export const NOTES_HZ = [523.25, 659.25, 783.99, 1046.5];
export const NOTE_SECONDS = 0.16;
export const AGAIN_MS = 3000;

// What is played from *at* on: each note with its beginning and its end. Pure.
export const chime = (at) =>
  NOTES_HZ.map((hertz, place) => ({
    hertz,
    from: at + place * NOTE_SECONDS,
    to: at + (place + 1.6) * NOTE_SECONDS,
  }));

export class Alarm {
  #sound = null;
  #timer = null;

  constructor(makeSound) {
    this.makeSound = makeSound;
  }

  // Called with whatever the page shows now.
  heard(count) {
    if (count && !this.#timer) {
      this.#ring();
      this.#timer = setInterval(() => this.#ring(), AGAIN_MS);
    }
    if (!count && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }

  get ringing() {
    return this.#timer !== null;
  }

  // A browser lets a page be heard once somebody has touched it.
  get muted() {
    return this.ringing && this.#sound?.state !== "running";
  }

  async unmute() {
    await this.#sound?.resume();
  }

  #ring() {
    this.#sound ??= this.makeSound();
    const sound = this.#sound;
    if (sound.state !== "running") {
      sound.resume();
      return;
    }
    for (const { hertz, from, to } of chime(sound.currentTime + 0.02)) {
      const tone = sound.createOscillator(),
        volume = sound.createGain();
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, from);
      volume.gain.exponentialRampToValueAtTime(0.35, from + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, to);
      tone.connect(volume).connect(sound.destination);
      tone.start(from);
      tone.stop(to);
    }
  }
}

function listen() {
  const alarm = new Alarm(() => new AudioContext());
  const look = () => {
    const count = document.querySelectorAll("[data-alert]").length;
    alarm.heard(count);
    document.documentElement.toggleAttribute("data-ringing", alarm.ringing);
    for (const button of document.querySelectorAll("[data-sound]")) button.hidden = !alarm.muted;
  };
  document.addEventListener("htmx:afterSettle", look);
  document.addEventListener("click", async (event) => {
    await alarm.unmute();
    if (event.target.closest("[data-sound]")) look();
  });
  setInterval(look, 1000);
}
if (typeof document !== "undefined") listen();
