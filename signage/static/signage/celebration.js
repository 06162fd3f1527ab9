/* A jackpot is worth some movement: gold coins rain over the whole screen and the amount counts up. The figures apart
   from the page, so that node can test them; where somebody asks for less motion, nothing moves. */
import { money } from "./words.js";

export const COUNT_UP_MS = 2600;
const COINS = 160;
const GRAVITY = 520; // pixels a second, each second, on a screen of a thousand
const GOLD = ["#ffe9a8", "#e9b949", "#c9952b", "#f6d479"];

/* The amount that is shown so long after the hit: quick at first, exact at the end. */
export function countedUp(amount, elapsedMs) {
  if (elapsedMs >= COUNT_UP_MS) return money(amount);
  const share = 1 - (1 - Math.max(0, elapsedMs) / COUNT_UP_MS) ** 3;
  const cents = Math.floor(Math.round(Number(amount) * 100) * share);
  return money(`${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`);
}

/* A coin begins above the screen, somewhere, and turns as it falls. */
export const coin = (chance) => ({
  x: chance(),
  y: -0.1 - chance() * 1.4,
  speed: 0.12 + chance() * 0.22,
  drift: (chance() - 0.5) * 0.08,
  turn: chance() * Math.PI * 2,
  turns: 2 + chance() * 5,
  size: 0.012 + chance() * 0.022,
  gold: GOLD[Math.floor(chance() * GOLD.length)],
});

/* The same coin, so many seconds later; below the screen it begins anew above it. */
export function fallen(one, seconds) {
  const speed = one.speed + (GRAVITY / 1000) * seconds * 0.4;
  const y = one.y + speed * seconds;
  const again = y > 1.1;
  return {
    ...one,
    speed: again ? 0.12 + one.size * 6 : Math.min(speed, 1.2),
    y: again ? -0.1 : y,
    x: (one.x + one.drift * seconds + 1) % 1,
    turn: one.turn + one.turns * seconds,
  };
}

export class Celebration {
  constructor(canvas, { calm, chance = Math.random }) {
    Object.assign(this, { canvas, calm, chance, frame: 0 });
  }
  begin(show, amount) {
    this.end();
    if (this.calm.matches) return show(money(amount));
    let coins = Array.from({ length: COINS }, () => coin(this.chance));
    const began = performance.now();
    let before = began;
    const step = (now) => {
      coins = coins.map((one) => fallen(one, Math.min(0.05, (now - before) / 1000)));
      before = now;
      show(countedUp(amount, now - began));
      this.draw(coins);
      this.frame = requestAnimationFrame(step);
    };
    this.frame = requestAnimationFrame(step);
  }
  end() {
    cancelAnimationFrame(this.frame);
    this.canvas.getContext("2d").clearRect(0, 0, this.canvas.width, this.canvas.height);
  }
  draw(coins) {
    const { canvas } = this,
      { clientWidth: width, clientHeight: height } = canvas;
    if (canvas.width !== width || canvas.height !== height) Object.assign(canvas, { width, height });
    const paint = canvas.getContext("2d");
    paint.clearRect(0, 0, width, height);
    for (const { x, y, turn, size, gold } of coins) {
      const radius = size * height,
        thin = Math.max(0.12, Math.abs(Math.cos(turn)));
      paint.beginPath();
      paint.ellipse(x * width, y * height, radius * thin, radius, turn * 0.15, 0, Math.PI * 2);
      paint.fillStyle = gold;
      paint.fill();
      paint.lineWidth = Math.max(1, radius * 0.12);
      paint.strokeStyle = "#8a6214";
      paint.stroke();
    }
  }
}
