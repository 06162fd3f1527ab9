// The terminal at a table. One round after another: wagers on boxes, hands by tapping, what was won in order of payment.

import { ask, Away, newKey, once, Refused } from "../call.js";
import { ServerClock } from "../clock.js";
import { cents, el, every, icon, money, one, refusal } from "../dom.js";

const root = one("#terminal");
const { now: nowUrl, rules, table, ruleSet, zone: timeZone } = root.dataset;
const SIZE = Number(root.dataset.handSize);
const TILES = "tiles" in root.dataset;
const PENDING = `table-call:${table}`; // a call under way survives a reload: it is asked for, not sent again
const clock = new ServerClock();
const boxes = every("[data-box]");
const empty = () => ({ offers: new Map(), round: null, hands: new Map(), folded: new Set(), hits: null, preview: null, here: null });
const state = { house: null, away: null, busy: false, refused: null, before: [], ...empty() };

// ── What the server says ─────────────────────────────────────────────────────────────────────────────────────────────
let asking = null;
async function refresh() {
  clearTimeout(asking);
  const sent = performance.now();
  try {
    const house = await ask(nowUrl, { background: true });
    clock.heard(house.now, sent, performance.now());
    state.house = house;
    state.away = null;
    if (!state.busy && house.round && state.round?.round !== house.round.round) Object.assign(state, empty(), { round: house.round });
    if (!state.busy && !house.round && state.round) Object.assign(state, empty(), { hits: state.hits }); // ended elsewhere
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    state.away ??= Date.now();
  }
  draw();
  asking = setTimeout(refresh, state.away ? 1500 : 2000);
}

// ── One call, whatever happens on the way ────────────────────────────────────────────────────────────────────────────
async function send(path, body, done) {
  if (state.busy) return;
  Object.assign(state, { busy: true, refused: null });
  const key = newKey();
  localStorage.setItem(PENDING, JSON.stringify({ key, path, body }));
  draw();
  try {
    done(await once(path, body, { key, lost: () => { state.away ??= Date.now(); draw(); } }));
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

function start() {
  const wagers = [...state.offers].sort(([a], [b]) => a - b).map(([box, player]) => (player ? { box, player } : { box }));
  state.before = [...state.offers];
  send(`jackpot/tables/${table}/rounds`, { wagers }, (round) => Object.assign(state, empty(), { round }));
}

function ended() {
  return { hands: [...state.hands].filter(([box]) => state.hands.get(box).length === SIZE).map(([box, hand]) => ({ box, [TILES ? "tiles" : "cards"]: hand })), folded: [...state.folded] };
}

function finish() {
  send(`jackpot/rounds/${state.round.round}/finish`, ended(), (answer) => Object.assign(state, empty(), { hits: answer.hits }));
}

// What the hands laid so far would win: the rules of the house say, not this page.
let looking = 0;
async function preview() {
  const turn = ++looking;
  const { hands, folded } = ended();
  state.preview = null;
  if (!hands.length || !state.round) return draw();
  const meters = state.house.levels;
  const single = Object.keys(meters).length === 1;
  const body = { rules: ruleSet, wagers: state.round.accepted.map((each) => each.box), hands, folded, bonus: state.house.bonus, ...(single ? { meter: Object.values(meters)[0] } : { meters }) };
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
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const short = (piece) => (TILES ? piece : `${piece[0] === "T" ? "10" : piece[0]}${SIGNS[piece[1]]}`);
const label = (text) => (text ? text[0].toUpperCase() + text.slice(1).replaceAll("-", " ") : "");
const STATES = { open: ["Live", "is-good", "live"], suspended: ["Jackpot suspended: play without it", "is-attention", "alert"], closed: ["Jackpot closed", "is-quiet", "off"] };

function draw() {
  const { house, away } = state;
  const [words, tone, sign] = away ? ["Server away: nothing is lost, it goes on by itself", "is-stopped", "cross"] : house ? STATES[house.status] : ["Connecting", "is-quiet", "wait"];
  const shown = one("[data-state]");
  shown.className = `state ${tone}`;
  shown.replaceChildren(icon(sign), el("span", {}, words));
  root.classList.toggle("away", Boolean(away));
  root.classList.toggle("suspended", house?.status === "suspended");
  if (house) {
    one("[data-wager]").replaceChildren(money(cents(house.wager)));
    const several = Object.keys(house.levels).length > 1;
    one("[data-levels]").replaceChildren(...Object.entries(house.levels).map(([name, amount]) => el("div", {}, el("dt", {}, several ? label(name) : "Jackpot"), el("dd", {}, money(cents(amount))))));
    const says = one("[data-switch-says]");
    if (says) says.textContent = house.status === "open" ? "Close the jackpot" : "Open the jackpot";
  }
  for (const each of boxes) drawBox(each, Number(each.dataset.box));
  drawPicker();
  drawRound();
  const go = one("[data-do=go]");
  const open = Boolean(state.round);
  one("[data-go-says]").textContent = state.busy ? "…" : open ? "Finish the round" : `Start the round${state.offers.size ? `, ${state.offers.size} wager${state.offers.size > 1 ? "s" : ""}` : ""}`;
  go.disabled = state.busy || Boolean(away) || !house || (open ? Boolean(halfLaid()) : !state.offers.size || house.status !== "open");
  const spoil = one("[data-do=void]");
  if (spoil) spoil.disabled = !open || state.busy;
  one("[data-do=again]").disabled = open || !state.before.length;
  one("[data-stage]").textContent = stage();
  const refused = one("[data-refused]");
  refused.hidden = !state.refused;
  if (state.refused) refused.replaceChildren(refusal(state.refused, rules));
}

const halfLaid = () => [...state.hands].find(([, hand]) => hand.length && hand.length < SIZE)?.[0];

function stage() {
  if (state.busy) return "Asking the house…";
  if (state.round) {
    const half = halfLaid();
    if (half) return `Box ${half} has ${state.hands.get(half).length} of ${SIZE}: lay the rest, or clear it.`;
    return `Round ${state.round.round}: lay the hands that may win, then finish.`;
  }
  if (state.hits) return state.hits.length ? "Locked. A supervisor verifies, then a manager pays, in this order." : "Round finished, nothing won. Wagers for the next one.";
  return state.house?.status === "open" || !state.house ? "Wagers: touch each box that has one." : "No jackpot wagers at this table now.";
}

function drawBox(button, n) {
  const accepted = state.round?.accepted.find((each) => each.box === n);
  const refused = state.round?.refused.find((each) => each.box === n);
  const offered = state.offers.has(n);
  const hand = state.hands.get(n) ?? [];
  button.setAttribute("aria-pressed", String(offered || Boolean(accepted)));
  button.className = `box${accepted ? " accepted" : ""}${refused ? " refused" : ""}${state.here === n ? " here" : ""}${state.folded.has(n) ? " folded" : ""}`;
  one("[data-says]", button).textContent = refused ? refused.detail : accepted ? `Accepted${accepted.player ? `, ${accepted.player}` : ""}${state.folded.has(n) ? ", folded" : ""}` : offered ? state.offers.get(n) || "Wager" : "";
  one("[data-hand]", button).textContent = hand.map(short).join(" ");
}

function drawPicker() {
  const picking = state.round && state.here && state.round.accepted.some((each) => each.box === state.here);
  one("[data-picker]").hidden = !picking;
  if (!picking) return;
  const hand = state.hands.get(state.here) ?? [];
  one("[data-picker-says]").textContent = `Box ${state.here}: ${hand.length} of ${SIZE}`;
  one("[data-do=fold]").setAttribute("aria-pressed", String(state.folded.has(state.here)));
  const elsewhere = [...state.hands].filter(([box]) => box !== state.here).flatMap(([, laid]) => laid);
  for (const button of every("[data-piece]")) {
    const { piece, nth = "1" } = button.dataset;
    const mine = hand.filter((each) => each === piece).length >= Number(nth);
    const gone = elsewhere.filter((each) => each === piece).length;
    button.setAttribute("aria-pressed", String(mine));
    button.disabled = !mine && (TILES ? gone + Number(nth) > 2 : gone > 0);
  }
}

function drawRound() {
  const lines = [];
  const list = (title, rows) => rows.length && lines.push(el("h2", {}, title), el("ul.rows", {}, rows));
  if (state.hits) list("Won in this round", state.hits.map((hit) => el("li", {}, el("span", {}, `Box ${hit.box ?? "?"} · ${label(hit.hand || hit.kind)}`), money(cents(hit.amount)))));
  if (state.preview) {
    if (state.preview.length) list("Would be paid, in this order", state.preview.map((each) => el("li", {}, el("span", {}, `Box ${each.box} · ${label(each.hand || each.kind)}`), money(cents(each.amount)))));
    else lines.push(el("p.soft", {}, "The hands laid so far win nothing on the jackpot."));
  }
  const waiting = (state.house?.waiting ?? []).filter((each) => !state.hits?.some((hit) => hit.id === each.id));
  list("Waiting at this table", waiting.map((each) => el("li", {}, el("span", {}, `Box ${each.box ?? "?"} · ${label(each.hand || each.kind)}`, el("span.soft", {}, each.status === "verified" ? " to be paid" : " to be verified")), el("span.money", {}, each.amount))));
  if (!lines.length) lines.push(el("p.soft", {}, "What is won stands here, in order of payment."));
  one("[data-round]").replaceChildren(...lines);
}

// ── What people do ───────────────────────────────────────────────────────────────────────────────────────────────────
function touch(n) {
  if (state.busy || n > boxes.length) return;
  state.refused = null;
  if (state.round) state.here = state.here === n || !state.round.accepted.some((each) => each.box === n) ? null : n;
  else {
    state.hits = null;
    state.here = n;
    if (state.offers.has(n)) state.offers.delete(n);
    else state.offers.set(n, "");
    state.offers = new Map([...state.offers]);
  }
  draw();
}

function lay(piece, button) {
  const hand = [...(state.hands.get(state.here) ?? [])];
  const at = hand.lastIndexOf(piece);
  if (button?.getAttribute("aria-pressed") === "true" && at >= 0) hand.splice(at, 1);
  else if (hand.length < SIZE) hand.push(piece);
  state.hands.set(state.here, hand);
  if (!hand.length) state.hands.delete(state.here);
  if (hand.length === SIZE || !hand.length) preview();
  else draw();
}

const deeds = {
  go: () => (state.round ? finish() : start()),
  fold: () => { if (!state.folded.delete(state.here)) state.folded.add(state.here); preview(); },
  "clear-hand": () => { state.hands.delete(state.here); preview(); },
  "hand-done": () => { state.here = null; draw(); },
  again: () => { state.offers = new Map(state.before); state.hits = null; draw(); },
  keys: () => one("#terminal-keys").showModal(),
  card: () => {
    if (state.round || !state.here || !state.offers.has(state.here)) return;
    one("[data-card]").hidden = false;
    one("[data-card-box]").textContent = state.here;
    one("#card").value = state.offers.get(state.here);
    one("#card").focus();
  },
  "card-done": () => {
    const typed = one("#card").value.trim();
    one("[data-card]").hidden = true;
    if (state.offers.has(state.here)) state.offers.set(state.here, typed);
    boxes[state.here - 1]?.focus();
    draw();
  },
  void: () => put({ says: `Void round ${state.round.round} at ${table}.`, then: "Every wager goes back and its contributions are reversed.", yes: "Void the round", causes: true, path: `jackpot/rounds/${state.round.round}/void`, body: (why, cause) => ({ cause, why }) }),
  suspend: () => put({ says: `Take the jackpot off ${table}.`, then: "An inspector is notified; play goes on without the jackpot.", yes: "Suspend", path: `jackpot/tables/${table}/suspend`, body: (what) => ({ what }), wants: true }),
  switch: () => {
    const opens = state.house.status !== "open";
    put({ says: `${opens ? "Open" : "Close"} the jackpot of ${table}.`, then: opens ? "Wagers are taken again from the next round." : "No jackpot wagers are taken until it is opened again.", yes: opens ? "Open it" : "Close it", path: `jackpot/tables/${table}/${opens ? "open" : "close"}`, body: () => ({}), silent: true });
  },
};

let question = null;
function put(asked) {
  question = asked;
  one("#ask-says").textContent = asked.says;
  one("[data-ask-then]").textContent = asked.then;
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
  send(path, body(one("#ask-why").value.trim(), one("#ask-cause").value), () => Object.assign(state, empty()));
});

addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!button || button.disabled) return;
  if (button.dataset.box) touch(Number(button.dataset.box));
  else if (button.dataset.piece) lay(button.dataset.piece, button);
  else if (button.dataset.do) deeds[button.dataset.do]?.();
  else if ("shut" in button.dataset) button.closest("dialog").close();
});

let rank = ""; // while a hand is open, cards are typed as rank and suit
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
  const typing = event.target.closest?.("input, textarea, select");
  if (typing) {
    if (event.key === "Enter" && typing.id === "card") { event.preventDefault(); deeds["card-done"](); }
    return;
  }
  const key = event.key.toUpperCase();
  const picking = !one("[data-picker]").hidden;
  let used = true;
  if (event.key === "Enter") picking ? deeds["hand-done"]() : one("[data-do=go]").disabled || deeds.go();
  else if (event.key === "Escape") { state.here = null; rank = ""; draw(); }
  else if (picking && !TILES && rank && "SHDC".includes(key) && key.length === 1) {
    const card = one(`[data-piece="${rank}${key}"]`);
    rank = "";
    if (!card.disabled) lay(card.dataset.piece, card);
  } else if (picking && key === "F") deeds.fold();
  else if (picking && key === "BACKSPACE") deeds["clear-hand"]();
  else if (picking && !TILES && /^[2-9TJQKA]$/.test(key)) rank = key;
  else if (/^[1-9]$/.test(key)) touch(Number(key));
  else if (key === "A" && !state.round) { state.hits = null; state.offers = new Map(boxes.map((each) => [Number(each.dataset.box), state.offers.get(Number(each.dataset.box)) ?? ""])); draw(); }
  else if (key === "R") one("[data-do=again]").disabled || deeds.again();
  else if (key === "C") deeds.card();
  else if (key === "?") deeds.keys();
  else used = false;
  if (used) event.preventDefault();
});

const zone = new Intl.DateTimeFormat("en-AU", { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
setInterval(() => { if (clock.known) one("[data-clock]").textContent = zone.format(new Date(clock.now())); }, 250);
settlePending().finally(refresh);
