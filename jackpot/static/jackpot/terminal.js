// The terminal at a table. One round after another: wagers on boxes, hands by tapping, what was won in order of payment.
// What it knows is in round.js; here it is drawn, and what people do is sent to the server.

import { Away, ask, newKey, once, Refused } from "../web/call.js";
import { ServerClock } from "../web/clock.js";
import { cents, el, every, icon, money, one, refusal } from "../web/dom.js";
import { label, TableState, waitsFor } from "./round.js";

const REFRESH_MS = 2000;
const REFRESH_AWAY_MS = 1500;

const root = one("#terminal");
const { now: nowUrl, rules, table, ruleSet, handSize, zone: timeZone } = root.dataset;
const PENDING = `table-call:${table}`; // a call under way survives a reload: it is asked for, not sent again
const clock = new ServerClock();
const boxes = every("[data-box]");
const state = new TableState({
  handSize: Number(handSize),
  tiles: "tiles" in root.dataset,
  ruleSet,
  boxCount: boxes.length,
});

// ── What the server says ─────────────────────────────────────────────────────────────────────────────────────────────
let asking = null;
async function refresh() {
  clearTimeout(asking);
  const sent = performance.now();
  try {
    const house = await ask(nowUrl, { background: true });
    clock.heard(house.now, sent, performance.now());
    state.heard(house);
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    state.lost(Date.now());
  }
  draw();
  asking = setTimeout(refresh, state.away ? REFRESH_AWAY_MS : REFRESH_MS);
}

// ── One call, whatever happens on the way ────────────────────────────────────────────────────────────────────────────
async function send(path, body, done) {
  if (state.busy) return;
  Object.assign(state, { busy: true, refused: null });
  const key = newKey();
  localStorage.setItem(PENDING, JSON.stringify({ key, path, body }));
  draw();
  const lost = () => {
    state.lost(Date.now());
    draw();
  };
  try {
    done(await once(path, body, { key, lost }));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    state.refused = error;
  } finally {
    localStorage.removeItem(PENDING);
    state.busy = false;
    refresh();
  }
}

async function settlePending() {
  const left = JSON.parse(localStorage.getItem(PENDING) || "null");
  if (!left) return;
  // The answer was lost with the page: the same key again does it once, or tells what was done.
  try {
    await once(left.path, left.body, { key: left.key });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    state.refused = error;
  }
  localStorage.removeItem(PENDING);
}

const start = () => send(`jackpot/tables/${table}/rounds`, state.start(), (round) => state.clear({ round }));
const finish = () =>
  send(`jackpot/rounds/${state.round.round}/finish`, state.finish(), ({ hits }) => state.clear({ hits }));

// What the hands laid so far would win: the rules of the house say, not this page.
let looking = 0;
async function preview() {
  const turn = ++looking;
  const body = state.evaluation();
  state.preview = null;
  if (!body) return draw();
  try {
    const found = await ask("jackpot/evaluate", { method: "POST", body });
    if (turn === looking) state.preview = found.payouts;
  } catch (error) {
    if (error instanceof Refused && turn === looking) state.refused = error;
    else if (!(error instanceof Refused || error instanceof Away)) throw error;
  }
  draw();
}

// ── What people see ──────────────────────────────────────────────────────────────────────────────────────────────────
function draw() {
  const { house, away } = state;
  const { says, tone, sign } = state.status;
  const shown = one("[data-state]");
  shown.className = `state ${tone}`;
  shown.replaceChildren(icon(sign), el("span", {}, says));
  root.classList.toggle("away", Boolean(away));
  root.classList.toggle("suspended", house?.status === "suspended");
  if (house) drawHouse(house);
  for (const each of boxes) drawBox(each, state.box(Number(each.dataset.box)));
  drawPicker();
  drawRound();
  one("[data-go-says]").textContent = state.goSays;
  one("[data-do=go]").disabled = !state.mayGo;
  const spoil = one("[data-do=void]");
  if (spoil) spoil.disabled = !state.round || state.busy;
  one("[data-do=again]").disabled = Boolean(state.round) || !state.before.length;
  one("[data-stage]").textContent = state.stage;
  const refused = one("[data-refused]");
  refused.hidden = !state.refused;
  if (state.refused) refused.replaceChildren(refusal(state.refused, rules));
}

function drawHouse(house) {
  one("[data-wager]").replaceChildren(money(cents(house.wager)));
  const levels = Object.entries(house.levels);
  const named = (name) => (levels.length > 1 ? label(name) : "Jackpot");
  const level = ([name, amount]) => el("div", {}, el("dt", {}, named(name)), el("dd", {}, money(cents(amount))));
  one("[data-levels]").replaceChildren(...levels.map(level));
  const says = one("[data-switch-says]");
  if (says) says.textContent = house.status === "open" ? "Close the jackpot" : "Open the jackpot";
}

function drawBox(button, { pressed, classes, says, hand }) {
  button.setAttribute("aria-pressed", String(pressed));
  button.className = ["box", ...classes].join(" ");
  one("[data-says]", button).textContent = says;
  one("[data-hand]", button).textContent = hand;
}

function drawPicker() {
  one("[data-picker]").hidden = !state.picking;
  if (!state.picking) return;
  one("[data-picker-says]").textContent = `Box ${state.here}: ${state.hand(state.here).length} of ${state.handSize}`;
  one("[data-do=fold]").setAttribute("aria-pressed", String(state.folded.has(state.here)));
  for (const button of every("[data-piece]")) {
    const { pressed, disabled } = state.piece(button.dataset.piece, Number(button.dataset.nth ?? 1));
    button.setAttribute("aria-pressed", String(pressed));
    button.disabled = disabled;
  }
}

function drawRound() {
  const lines = [];
  const list = (title, rows) => rows.length && lines.push(el("h2", {}, title), el("ul.rows", {}, rows));
  const named = ({ box, hand, kind }) => `Box ${box ?? "?"} · ${label(hand || kind)}`;
  const won = (each) => el("li", {}, el("span", {}, named(each)), money(cents(each.amount)));
  if (state.hits) list("Won in this round", state.hits.map(won));
  if (state.preview?.length) list("Would be paid, in this order", state.preview.map(won));
  else if (state.preview) lines.push(el("p.soft", {}, "The hands laid so far win nothing on the jackpot."));
  const waiting = (each) => {
    const next = el("span.soft", {}, ` ${waitsFor(each)}`);
    return el("li", {}, el("span", {}, named(each), next), el("span.money", {}, each.amount));
  };
  list("Waiting at this table", state.waiting.map(waiting));
  if (!lines.length) lines.push(el("p.soft", {}, "Wins are listed here in the order of payment."));
  one("[data-round]").replaceChildren(...lines);
}

// ── What people do ───────────────────────────────────────────────────────────────────────────────────────────────────
function touch(box) {
  state.touch(box);
  draw();
}

function lay(button) {
  const worthAsking = state.lay(button.dataset.piece, { takeBack: button.getAttribute("aria-pressed") === "true" });
  if (worthAsking) preview();
  else draw();
}

const deeds = {
  go: () => (state.round ? finish() : start()),
  fold: () => {
    state.fold();
    preview();
  },
  "clear-hand": () => {
    state.clearHand();
    preview();
  },
  "hand-done": () => {
    state.here = null;
    draw();
  },
  again: () => {
    state.sameBoxes();
    draw();
  },
  keys: () => one("#terminal-keys").showModal(),
  card: () => {
    if (state.round || !state.here || !state.offers.has(state.here)) return;
    one("[data-card]").hidden = false;
    one("[data-card-box]").textContent = state.here;
    one("#card").value = state.offers.get(state.here);
    one("#card").focus();
  },
  "card-done": () => {
    one("[data-card]").hidden = true;
    state.setCard(one("#card").value.trim());
    boxes[state.here - 1]?.focus();
    draw();
  },
  void: () =>
    put({
      says: `Void round ${state.round.round} at ${table}.`,
      follows: "Every wager goes back and its contributions are reversed.",
      yes: "Void the round",
      causes: true,
      path: `jackpot/rounds/${state.round.round}/void`,
      body: (why, cause) => ({ cause, why }),
    }),
  suspend: () =>
    put({
      says: `Take the jackpot off ${table}.`,
      follows: "An inspector is notified; play goes on without the jackpot.",
      yes: "Suspend",
      path: `jackpot/tables/${table}/suspend`,
      body: (what) => ({ what }),
      wants: true,
    }),
  switch: () => {
    const opens = state.house.status !== "open";
    put({
      says: `${opens ? "Open" : "Close"} the jackpot of ${table}.`,
      follows: opens
        ? "Wagers are taken again from the next round."
        : "No jackpot wagers are taken until it is opened again.",
      yes: opens ? "Open it" : "Close it",
      path: `jackpot/tables/${table}/${opens ? "open" : "close"}`,
      body: () => ({}),
      silent: true,
    });
  },
};

let question = null;
function put(asked) {
  question = asked;
  one("#ask-says").textContent = asked.says;
  one("[data-ask-then]").textContent = asked.follows;
  one("[data-ask-yes]").textContent = asked.yes;
  one("[data-ask-cause]").hidden = !asked.causes;
  one("[data-ask-why-field]").hidden = Boolean(asked.silent);
  one("#ask-why").required = Boolean(asked.wants);
  one("#ask-why").value = "";
  one("#ask").showModal();
}
one("#ask").addEventListener("close", () => {
  if (one("#ask").returnValue !== "yes" || !question) return;
  const { path, body } = question;
  question = null;
  send(path, body(one("#ask-why").value.trim(), one("#ask-cause").value), () => state.clear());
});

addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!button || button.disabled) return;
  if (button.dataset.box) touch(Number(button.dataset.box));
  else if (button.dataset.piece) lay(button);
  else if (button.dataset.do) deeds[button.dataset.do]?.();
  else if ("shut" in button.dataset) button.closest("dialog").close();
});

// ── The keyboard ─────────────────────────────────────────────────────────────────────────────────────────────────────
let rank = ""; // while a hand is open, cards are typed as rank and suit

function pressedInHand(key) {
  if (!state.tiles && rank && /^[SHDC]$/.test(key)) {
    const card = one(`[data-piece="${rank}${key}"]`);
    rank = "";
    if (!card.disabled) lay(card);
  } else if (key === "F") deeds.fold();
  else if (key === "BACKSPACE") deeds["clear-hand"]();
  else if (!state.tiles && /^[2-9TJQKA]$/.test(key)) rank = key;
  else return false;
  return true;
}

function pressed(key) {
  if (key === "ENTER") {
    if (state.picking) deeds["hand-done"]();
    else if (!one("[data-do=go]").disabled) deeds.go();
  } else if (key === "ESCAPE") {
    state.here = null;
    rank = "";
    draw();
  } else if (state.picking && pressedInHand(key)) return true;
  else if (/^[1-9]$/.test(key)) touch(Number(key));
  else if (key === "A" && !state.round) {
    state.everyBox();
    draw();
  } else if (key === "R") {
    if (!one("[data-do=again]").disabled) deeds.again();
  } else if (key === "C") deeds.card();
  else if (key === "?") deeds.keys();
  else return false;
  return true;
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
  const typing = event.target.closest?.("input, textarea, select");
  if (typing) {
    if (event.key !== "Enter" || typing.id !== "card") return;
    event.preventDefault();
    deeds["card-done"]();
  } else if (pressed(event.key.toUpperCase())) event.preventDefault();
});

const zone = new Intl.DateTimeFormat("en-AU", {
  timeZone,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
setInterval(() => {
  if (clock.known) one("[data-clock]").textContent = zone.format(new Date(clock.now()));
}, 250);
settlePending().finally(refresh);
