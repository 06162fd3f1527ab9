/* A board's line to the house: the feed for how things are, the stream for what happens. What it says is the truth or
   that it does not know: a lost connection is told, and mended without anybody's hand. */

import { apply, KINDS } from "./board.js";
import { money } from "./words.js";

const WAITS = [500, 1000, 2000, 4000, 5000],
  LOOK = 15000;
const later = (ms) => new Promise((done) => setTimeout(done, ms));
/* What the frame of a board was made with, apart from what moves on it. */
const FRAME = ({ venue, keys }) => JSON.stringify([venue, keys]);
const above = (a, b) => {
  const [x, y] = [a, b].map((text) => text.split("-").map(BigInt));
  return x[0] > y[0] || (x[0] === y[0] && x[1] > y[1]);
};

export class Live {
  constructor({ draw, happened = () => {} }) {
    Object.assign(this, {
      draw,
      happened,
      tries: 0,
      skew: 0,
      behind: 0,
      at: "0-0",
      said: document.querySelector("#connection"),
    });
    document.documentElement.dataset.live = "connecting";
    this.connect();
    setInterval(() => this.look(), LOOK);
  }
  get now() {
    return Date.now() + this.skew;
  }
  async read() {
    const answer = await fetch("/signage/feed.json", { cache: "no-cache" });
    if (!answer.ok) throw new Error(`feed ${answer.status}`);
    const dated = Date.parse(answer.headers.get("Date") || "");
    if (dated && Math.abs(dated - Date.now()) > 2000) this.skew = dated - Date.now();
    return answer.json();
  }
  async connect() {
    this.source?.close();
    this.turn = (this.turn || 0) + 1;
    const mine = this.turn;
    try {
      const board = await this.read();
      if (mine !== this.turn) return;
      this.board = board;
      this.at = board.as_of;
      this.draw(board, { fresh: true });
      const source = new EventSource(`/signage/stream?after=${board.as_of}`);
      this.source = source;
      source.onopen = () => {
        this.tries = 0;
        this.tell("live");
      };
      source.onerror = () => this.lost(mine);
      for (const kind of KINDS) source.addEventListener(kind, (event) => this.hear(kind, event));
    } catch {
      this.lost(mine);
    }
  }
  hear(kind, event) {
    const data = JSON.parse(event.data);
    if (event.lastEventId && above(event.lastEventId, this.at)) this.at = event.lastEventId;
    apply(this.board, kind, data);
    this.happened(kind, data);
    this.draw(this.board, {});
    if (kind === "keno.settled") setTimeout(() => this.look(), 500); // hot and cold are counted by the house
  }
  async lost(turn) {
    if (turn !== this.turn) return;
    this.source?.close();
    this.turn++;
    this.tell("lost");
    await later(WAITS[Math.min(this.tries++, WAITS.length - 1)]);
    this.connect();
  }
  /* A line can be dead without saying so: look whether the house is further than we are. */
  async look() {
    if (document.documentElement.dataset.live !== "live") return;
    const turn = this.turn;
    try {
      const fresh = await this.read();
      if (turn !== this.turn) return;
      this.behind = above(fresh.as_of, this.at) ? this.behind + 1 : 0;
      if (this.behind > 1) {
        this.behind = 0;
        this.lost(turn);
        return;
      }
      if (FRAME(fresh) !== FRAME(this.board)) {
        location.reload();
        return;
      } // a new look, or another key
      this.board.statistics = fresh.statistics;
      this.draw(this.board, {});
    } catch {
      this.lost(turn);
    }
  }
  tell(state) {
    document.documentElement.dataset.live = state;
    this.said.hidden = state === "live";
    this.said.querySelector("span").textContent = "Connection lost. What you see may be old; it comes back by itself.";
  }
}

export const make = (name, words, ...classes) => {
  const element = document.createElement(name);
  if (words !== undefined && words !== "") element.textContent = words;
  if (classes.length) element.classList.add(...classes);
  return element;
};
/* Touch only what has changed: a board redraws a thousand times an hour. */
export const put = (element, words) => {
  if (element.textContent !== String(words)) element.textContent = words;
};

/* A meter of rolling digits. It never runs backwards, except when it was won; a correction (there may be one, by two
   people) is held back a moment, in case the win behind it is still on its way, and then shown: the truth comes first. */
export class Odometer {
  constructor(element) {
    this.element = element;
    this.shown = null;
    this.wonAt = -1e9;
  }
  won() {
    this.wonAt = performance.now();
    if (this.waiting) this.show(this.waiting);
  }
  set(amount) {
    clearTimeout(this.timer);
    this.waiting = null;
    if (amount === null || amount === undefined) return;
    const falls = this.shown !== null && Number(amount) < Number(this.shown);
    if (falls && performance.now() - this.wonAt > 15000) {
      this.waiting = amount;
      this.timer = setTimeout(() => this.show(amount), 3000);
    } else this.show(amount);
  }
  show(amount) {
    clearTimeout(this.timer);
    this.waiting = null;
    if (amount === this.shown) return;
    this.shown = amount;
    const text = globalThis.figuresSpoken?.(money(amount)) ?? money(amount);
    this.element.setAttribute("aria-label", text);
    this.element.dataset.amount = amount;
    const characters = [...text],
      cents = text.search(/[.,]\d\d\D*$/),
      shape = text.replace(/\d/g, "0");
    if (this.shape !== shape) {
      this.shape = shape;
      this.element.replaceChildren(
        ...characters.map((character, at) => {
          const cell = make("span", "", at >= cents ? "cents" : "whole");
          if (/\d/.test(character)) {
            cell.classList.add("digit");
            const strip = make("span", "", "strip");
            strip.append(...Array.from("0123456789", (digit) => make("b", digit)));
            cell.append(strip);
          } else cell.append(make("b", character));
          return cell;
        }),
      );
    }
    characters.forEach((character, at) => {
      const strip = this.element.children[at].querySelector(".strip");
      if (strip) strip.style.transform = `translateY(${-Number(character)}em)`;
    });
  }
}
