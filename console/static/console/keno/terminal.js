// The writer's terminal. Hands first: everything is a key or a tap, and after each sale the grid has the focus again.

import { ask, Away, Dropped, newKey, once, Refused } from "../call.js";
import { inMinutes, ServerClock } from "../clock.js";
import { cents, dollars, el, every, icon, money, one, refusal, wire } from "../dom.js";
import { scanned, scanner } from "../scan.js";
import { Counter, inFours } from "./counter.js";
import { Marking } from "./marking.js";
import { Orders } from "./orders.js";
import { draft, receipt } from "./paper.js";

const root = one("#terminal");
const { now: nowUrl, rules, venue, who, zone: timeZone } = root.dataset;
const PENDING = `keno-sale:${who}`; // a sale under way survives a reload: it is asked for, not sold again
const PRINT = "keno-print-at-once";
const STAKES = every("[data-stake]").map((button) => button.dataset.stake);

const clock = new ServerClock();
const marking = new Marking();
const state = { house: null, quote: null, refused: null, typed: "", busy: false, away: null, sold: null, said: "", at: 1 };
const grid = one("[data-grid]");
const paper = one("[data-paper]");
const numbers = every(".n", grid);

// ── What the server says, every few seconds ──────────────────────────────────────────────────────────────────────────
let asking = null;
async function refresh() {
  clearTimeout(asking);
  const sent = performance.now();
  try {
    const house = await ask(nowUrl, { background: true });
    clock.heard(house.now, sent, performance.now());
    const before = state.house;
    state.house = house;
    state.away = null;
    if (before?.game?.number !== house.game?.number) showTicket();
  } catch (error) {
    if (!(error instanceof Away)) throw error;
    state.away ??= Date.now();
  }
  showHouse();
  asking = setTimeout(refresh, state.away ? 1500 : 4000);
}

function showHouse() {
  const { house, away } = state;
  const [words, tone, sign] = away ? ["Server away: nothing can be sold", "is-stopped", "cross"] : !house ? ["Connecting", "is-quiet", "wait"] : !house.shift ? ["No shift open", "is-attention", "alert"] : ["Live", "is-good", "live"];
  const shown = one("[data-state]");
  if (shown.textContent !== words) {
    shown.className = `state ${tone}`;
    shown.replaceChildren(icon(sign), el("span", {}, words));
  }
  root.classList.toggle("away", Boolean(away));
  if (!house) return showSell();
  one("[data-shift-says]").textContent = house.shift ? `Shift ${house.shift.id}` : "Open shift";
  for (const [spots, amount] of Object.entries(house.jackpots)) {
    const [whole, part] = amount.split(".");
    one(`[data-jackpot="${spots}"]`)?.replaceChildren(whole, el("small", {}, `.${part}`));
  }
  const last = house.last;
  one("[data-last]").hidden = !last;
  if (last) {
    one("[data-last-says]").textContent = `Game ${last.number} ${last.status === "drawing" ? `drawing, ${last.drawn.length} of 20` : "drawn"}`;
    one("[data-last-numbers]").textContent = [...last.drawn].sort((a, b) => a - b).join(" ");
  }
  showClock();
  showSell();
}

function showClock() {
  const game = state.house?.game;
  if (clock.known) one("[data-clock]").textContent = atVenue(clock.now());
  const says = one("[data-cutoff]");
  one("[data-game]").textContent = game ? `Game ${game.number}` : "No game";
  if (!game) return void (says.textContent = "no gaming day ahead");
  if (game.status !== "open") return void (says.textContent = `opens in ${inMinutes(clock.secondsUntil(game.opens_at))}`);
  const left = clock.secondsUntil(game.closes_at);
  const whole = (Date.parse(game.closes_at) - Date.parse(game.opens_at)) / 1000;
  one("[data-ring]").setAttribute("stroke-dashoffset", String(100 - (100 * Math.max(0, left)) / whole));
  says.textContent = left > 0 ? `closes in ${inMinutes(left)}` : "closing";
  says.classList.toggle("soon", left < 15);
  if (left <= 0 && !state.away && performance.now() - (state.pressed ?? 0) > 700) {
    state.pressed = performance.now(); // the next game opens with the close: ask at once, not at the next turn
    refresh();
  }
}
const zone = new Intl.DateTimeFormat("en-AU", { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
const atVenue = (moment) => zone.format(new Date(moment));

// ── The ticket: marked here, priced there ────────────────────────────────────────────────────────────────────────────
let quoting = 0;
let waiting = null;
function changed() {
  state.sold = null;
  state.said = "";
  state.refused = null;
  clearTimeout(waiting);
  const turn = ++quoting;
  const request = marking.request();
  if (!request) state.quote = null;
  else waiting = setTimeout(() => price(request, turn), 90);
  showTicket();
}

async function price(request, turn) {
  let quote = null;
  let refused = null;
  try {
    quote = await ask("keno/quote", { method: "POST", body: request });
  } catch (error) {
    if (error instanceof Refused) refused = error;
    else if (!(error instanceof Away)) throw error;
    else state.away ??= Date.now();
  }
  if (turn !== quoting) return; // the ticket has changed since
  Object.assign(state, { quote, refused });
  showTicket();
}

function showTicket() {
  if (state.typed !== one("[data-entry]").textContent) one("[data-entry]").textContent = state.typed;
  const way = marking.isWay;
  for (const button of numbers) {
    const group = marking.groupOf(Number(button.dataset.n));
    const css = group < 0 ? "n" : `n on g${group % 8}`;
    if (button.className !== css) button.className = css;
    button.setAttribute("aria-pressed", String(group >= 0));
    button.dataset.group = way && group >= 0 ? String.fromCharCode(65 + (group % 26)) : "";
  }
  grid.classList.toggle("picking", marking.pick !== null || Boolean(marking.setBet));
  const count = marking.marked.length;
  one("[data-picked]").textContent = marking.setBet ? marking.setBet.name : marking.pick === "mystery" ? "Mystery quick pick" : marking.pick ? `Quick pick of ${marking.pick}: picked by the server when sold` : way ? `${count} numbers in ${marking.filled.length} groups` : count ? `${count} marked` : "";
  one("[data-hint]").classList.toggle("said", Boolean(state.said && !state.typed));
  one("[data-hint]").textContent = state.said && !state.typed ? state.said : state.typed ? "Space marks · Q picks · S stake · G games · T given" : marking.isEmpty ? "Type a number, or 6 F2 Q Enter" : "";
  pressed("[data-pick]", (button) => String(marking.pick) === button.dataset.pick);
  pressed("[data-stake]", (button) => marking.stake === button.dataset.stake);
  pressed("[data-games]", (button) => String(marking.games) === button.dataset.games);
  pressed('[data-do="jackpot"]', () => marking.jackpot);
  one("[data-schedule]").value = marking.schedule;
  showPlays();
  if (!state.sold) draft(paper, { marking, quote: state.quote, game: state.house?.game, venue });
  showSum();
}

const pressed = (selector, test) => every(selector).forEach((button) => button.setAttribute("aria-pressed", String(test(button))));

function showPlays() {
  one("[data-plays]").hidden = !marking.isWay;
  if (!marking.isWay) return;
  const list = one("[data-play-list]");
  list.replaceChildren(...[...marking.ways()].map(([spots, count]) => el("button", { type: "button", "aria-pressed": String(marking.plays.has(spots)), "data-play": String(spots) }, `${spots}s`, el("span.soft", {}, ` ${count.toLocaleString("en-AU")} ${count === 1 ? "way" : "ways"}${marking.plays.has(spots) ? ` · $${marking.plays.get(spots)}` : ""}`))));
}

const tendered = () => marking.tender.reduce((sum, line) => sum + (line.amount ? cents(line.amount) : 0), 0);
const openTender = () => marking.tender.some((line) => !line.amount);

function showSum() {
  const { sold, quote, refused } = state;
  const total = sold ? cents(sold.price) : quote ? cents(quote.price) : 0;
  one("[data-total-says]").textContent = sold ? "Sold for" : "Total";
  one("[data-total]").replaceChildren(...money(total).childNodes);
  const given = sold ? null : marking.tender.length && !openTender() ? tendered() : null;
  one("[data-given-row]").hidden = given === null;
  if (given !== null) one("[data-given]").replaceChildren(...money(given).childNodes);
  const change = sold ? cents(sold.change) || null : given === null || !quote ? null : given - total;
  one("[data-change-row]").hidden = change === null;
  if (change !== null) {
    one("[data-change-says]").textContent = change < 0 ? "Missing" : marking.restAsVoucher && !sold ? "As a voucher" : "Change";
    one("[data-change]").replaceChildren(...money(Math.abs(change)).childNodes);
    one("[data-change-row]").classList.toggle("missing", change < 0);
  }
  const box = one("[data-refused]");
  box.hidden = !refused;
  box.replaceChildren(...(refused ? [refusal(refused, rules)] : []));
  showSell();
}

function showSell() {
  const button = one('[data-do="sell"]');
  const says = one("[data-sell-says]");
  const ready = state.quote && !state.busy && !state.away && !state.sold;
  button.disabled = !(ready || (state.house && !state.house.shift && !state.away));
  says.textContent = state.busy ? "Selling" : state.away ? "Server away" : state.house && !state.house.shift ? "Open your shift" : state.sold ? "Sold" : state.quote ? `Sell ${dollars(cents(state.quote.price))}` : "Sell";
  button.classList.toggle("busy", state.busy);
}

// ── Selling ──────────────────────────────────────────────────────────────────────────────────────────────────────────
async function sell() {
  if (state.busy || state.away) return;
  if (state.house && !state.house.shift) return counter.openShift(null);
  const request = marking.request();
  if (!request) return say("Mark numbers, or take a quick pick first.");
  const { order } = marking;
  const path = order ? `keno/orders/${order.id}/issue` : "keno/tickets";
  const body = order ? {} : { ...request };
  if (marking.tender.length) body.tender = marking.tender;
  if (marking.restAsVoucher) body.rest = "keno-voucher";
  const sale = { key: newKey(), path, body, closes: state.house?.game?.closes_at };
  localStorage.setItem(PENDING, JSON.stringify(sale));
  await finish(sale, { asked: false });
}

async function finish(sale, { asked }) {
  state.busy = true;
  state.refused = null;
  showSum();
  try {
    const ticket = await once(sale.path || "keno/tickets", sale.body, { key: sale.key, asked, lost: showLost, again: () => stillWanted(sale) });
    localStorage.removeItem(PENDING);
    sold(ticket);
  } catch (error) {
    if (error instanceof Refused) {
      state.refused = error;
      if (error.code === "no-shift-open") refresh();
    } else if (!(error instanceof Dropped)) throw error;
    localStorage.removeItem(PENDING);
  } finally {
    state.busy = false;
    state.away = null; // whatever it answered, it is there
    one("#lost").close();
    showHouse();
    showSum();
    backToGrid();
  }
}

function showLost(key) {
  state.away ??= Date.now();
  showHouse();
  one("[data-lost-says]").textContent = "The answer did not arrive. The terminal is asking the server what became of the sale; nothing is sold twice.";
  one("[data-lost-key]").textContent = `Request ${key}`;
  one("[data-lost-actions]").hidden = true;
  if (!one("#lost").open) one("#lost").showModal();
}

// The server is back and knows nothing of the sale. While its game is still on sale, it is simply sent again; otherwise
// the player is asked: it would be another game.
function stillWanted(sale) {
  if (sale.closes && clock.known && clock.secondsUntil(sale.closes) > 0) return Promise.resolve(true);
  one("[data-lost-says]").textContent = "The sale never reached the server, and its game has closed meanwhile. Ask the player: it can be sold for the next game, or left.";
  one("[data-lost-actions]").hidden = false;
  if (!one("#lost").open) one("#lost").showModal();
  one('[data-do="again"]').focus();
  return new Promise((resolve) => { state.decide = resolve; });
}

async function sold(ticket) {
  marking.clear();
  Object.assign(state, { sold: ticket, refused: null, quote: null, typed: "" });
  quoting++;
  const change = cents(ticket.change);
  say(`Sold ${inFours(ticket.serial)}${change ? `. Change ${dollars(change)}` : ""}.`, ticket.voucher);
  backToGrid();
  // Once, where it was sold: this is the receipt, and what the printer gets.
  try {
    const printed = await once(`keno/tickets/${ticket.serial}/print`, { layout: "html" });
    if (state.sold !== ticket) return;
    receipt(paper, printed, { venue, note: "" });
    if (one("[data-print-at-once]").checked) window.print();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(`The receipt could not be laid out: ${error.message}`);
  }
}

// ── Words that pass, and the focus that stays ────────────────────────────────────────────────────────────────────────
function say(words, voucher = null) {
  state.said = words;
  clearTimeout(state.silence);
  state.silence = setTimeout(() => { state.said = ""; showTicket(); }, 8000);
  // A voucher's codes have to be copied onto paper: they stay until they are put away.
  if (voucher) one(".toasts").replaceChildren(el("div.toast", {}, icon("tick"), el("p", {}, `Keno voucher of ${dollars(cents(voucher.amount))}: `, el("span.mono", {}, `${inFours(voucher.code)}, code ${inFours(voucher.security_code)}`)), el("button.bare", { type: "button", "data-dismiss": "", "aria-label": "Dismiss" }, icon("close"))));
  showTicket();
}

function backToGrid() {
  if (!one("dialog[open]")) numbers[state.at - 1].focus({ preventScroll: true });
}

function walk(step) {
  const next = state.at + step;
  if (next < 1 || next > 80) return;
  numbers[state.at - 1].tabIndex = -1;
  state.at = next;
  numbers[next - 1].tabIndex = 0;
  numbers[next - 1].focus();
}

const counter = new Counter({
  terminal: root,
  changed: refresh,
  shifted(shift) { // known at once: the next key may be a sale
    if (state.house) state.house.shift = shift;
    showHouse();
  },
  said: say,
  replay: ({ ticket, differences }) => {
    marking.load(ticket);
    changed();
    if (differences.length) say(`Read to the player: ${differences.map(({ what, then, now }) => `${what} was ${then}, now ${now}`).join("; ")}.`);
  },
});

const orders = new Orders({ marking, changed, rules });

async function find(ticket) {
  if (!ticket) return say("That code is no Keno ticket. Scan it again, or type the serial.");
  const error = one("[data-find-error]");
  try {
    error.hidden = true;
    await counter.open(ticket);
    one("#find").close();
  } catch (problem) {
    const words = problem instanceof Refused ? problem.message : "The server does not answer. Try again in a moment.";
    if (one("#find").open) Object.assign(error, { hidden: false, textContent: words });
    else say(words);
  }
}

// ── Tender ───────────────────────────────────────────────────────────────────────────────────────────────────────────
function giveCash(amount) {
  marking.tender = [{ type: "cash", amount: wire(amount) }];
  showSum();
}

function showTender() {
  one("[data-tender-lines]").replaceChildren(...(marking.tender.length ? marking.tender : [{ type: "cash" }]).map((line, place) => el("li", {}, el("div", {}, `${line.type.replace("-", " ")}${line.reference ? ` ${line.reference}` : ""}`, el("span.second", {}, line.amount ? dollars(cents(line.amount)) : "what is missing")), marking.tender.length ? el("button.small", { type: "button", on: { click: () => { marking.tender.splice(place, 1); showTender(); showSum(); } } }, "Take off") : "")));
}

function addTender(form) {
  const type = form.elements.type.value;
  const line = { type };
  const amount = form.elements.amount.value.trim();
  if (amount) {
    if (Number.isNaN(cents(amount))) return form.elements.amount.focus();
    line.amount = wire(cents(amount));
  }
  const reference = form.elements.reference.value.trim();
  if (!["cash", "chips"].includes(type)) {
    const code = scanned(reference);
    if (!reference) return form.elements.reference.focus();
    line.reference = code ? code.serial : reference;
    if (code) line.security_code = code.code;
  }
  marking.tender.push(line);
  form.elements.amount.value = form.elements.reference.value = "";
  showTender();
  showSum();
}

// ── Keys and taps ────────────────────────────────────────────────────────────────────────────────────────────────────
const typed = () => {
  const value = state.typed;
  state.typed = "";
  return value;
};
const whole = (text) => (/^\d+$/.test(text) ? Number(text) : null);

const doing = {
  sell,
  clear() { marking.clear(); state.typed = ""; changed(); },
  jackpot() { marking.jackpot = !marking.jackpot; changed(); },
  group() { marking.newGroup(); changed(); },
  kings() { marking.kings(); changed(); },
  find() { one("#find-serial").value = ""; one("#find").showModal(); },
  orders() { orders.open(); },
  shift() { counter.openShift(state.house?.shift || null); },
  keys() { one("#terminal-keys").showModal(); },
  tender() { showTender(); one("#tender").showModal(); },
  exact() { marking.tender = []; marking.restAsVoucher = false; showTender(); showSum(); },
  "add-tender"() { addTender(one("[data-tender]")); },
  async "set-bets"() {
    const { results } = await ask("keno/set-bets");
    one("[data-set-bet-list]").replaceChildren(...results.map((bet) => el("li", {}, el("div", {}, bet.name, el("span.second", {}, `${bet.code} · ${bet.groups ? bet.groups.map((group) => group.join(" ")).join(" | ") : `${bet.sizes.length} groups, picked when sold`} · plays ${bet.plays.join(", ")}`)), el("button.small", { type: "button", on: { click: () => { marking.takeSetBet(bet); one("#set-bets").close(); changed(); } } }, "Take"))));
    one("#set-bets").showModal();
    one("#set-bets button.small")?.focus();
  },
  again() { state.decide?.(true); one("[data-lost-actions]").hidden = true; },
  drop() { state.decide?.(false); },
};

const commands = {
  q() { const spots = typed(); marking.quickPick(spots ? whole(spots) : "mystery"); changed(); },
  s() { const stake = cents(typed()); if (!Number.isNaN(stake)) marking.setStake(wire(stake)); changed(); },
  g() { const count = whole(typed()); if (count) marking.games = count; changed(); },
  p() { const spots = whole(typed()); if (spots) marking.togglePlay(spots); changed(); },
  t() { const amount = typed(); if (amount) giveCash(cents(amount)); else doing.tender(); showTicket(); },
  w: doing.group, d: doing.kings, j: doing.jackpot, b: doing["set-bets"], r: doing.orders, o: doing.shift, "/": doing.find, "?": doing.keys,
  x() {
    const schedule = one("[data-schedule]");
    schedule.selectedIndex = (schedule.selectedIndex + 1) % schedule.length;
    marking.schedule = schedule.value;
    changed();
  },
};

const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 };

scanner(find); // before the keys: what a scanner types is no command

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
  if (event.target.closest("select, input, textarea")) return;
  const act = key(event);
  if (!act) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  act();
}, { capture: true });

function key(event) {
  const name = event.key;
  if (/^[\d.]$/.test(name)) return () => { state.typed = (state.typed + name).slice(0, 7); state.sold = null; showTicket(); };
  if (/^F[1-8]$/.test(name)) return () => { marking.setStake(STAKES[Number(name[1]) - 1]); changed(); };
  if (name in steps) return () => walk(steps[name]);
  if (name === "Escape") return doing.clear;
  if (name === "Backspace") return () => { if (state.typed) { state.typed = state.typed.slice(0, -1); showTicket(); } else { marking.takeLast(); changed(); } };
  if (name === " " || name === "," || (name === "Enter" && state.typed)) return () => mark(typed());
  // Enter on a button that is not a number presses it; anywhere else it is the primary action.
  if (name === "Enter") return event.target.closest("button:not(.n), a") ? null : sell; // no quote is waited for: the server prices the sale again
  return commands[name.toLowerCase()] && (() => commands[name.toLowerCase()]());
}

function mark(text) {
  const number = text ? whole(text) : state.at;
  if (!number || number > 80) return say(`There is no number ${text}: 1 to 80.`);
  marking.toggle(number);
  walk(number - state.at);
  changed();
}

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  let found;
  if ((found = on(".n"))) { walk(Number(found.dataset.n) - state.at); marking.toggle(Number(found.dataset.n)); changed(); }
  else if ((found = on("[data-pick]"))) { marking.quickPick(found.dataset.pick === "mystery" ? "mystery" : Number(found.dataset.pick)); changed(); backToGrid(); }
  else if ((found = on("[data-stake]"))) { marking.setStake(found.dataset.stake); changed(); backToGrid(); }
  else if ((found = on("[data-games]"))) { marking.games = Number(found.dataset.games); changed(); backToGrid(); }
  else if ((found = on("[data-note]"))) { giveCash(Number(found.dataset.note) * 100); backToGrid(); }
  else if ((found = on("[data-play]"))) { marking.togglePlay(Number(found.dataset.play)); changed(); backToGrid(); }
  else if ((found = on("[data-do]"))) { doing[found.dataset.do](); if (!one("dialog[open]")) backToGrid(); }
});

one("[data-schedule]").addEventListener("change", (event) => { marking.schedule = event.target.value; changed(); backToGrid(); });
one("[data-find]").addEventListener("submit", (event) => { event.preventDefault(); const text = one("#find-serial").value.trim(); find(scanned(text) || { serial: text }); });
one("[data-tender]").addEventListener("submit", () => { const form = one("[data-tender]"); if (form.elements.amount.value || form.elements.reference.value) addTender(form); });
one("[data-tender]").elements.rest.addEventListener("change", (event) => { marking.restAsVoucher = event.target.checked; showSum(); });
one("#tender-type").addEventListener("change", (event) => {
  one("[data-tender-reference]").hidden = ["cash", "chips"].includes(event.target.value);
  const types = one("[data-voucher-types]");
  if (types) types.hidden = event.target.value !== "voucher";
});
// A lost sale is not waved away with Escape: it is answered or decided.
one("#lost").addEventListener("cancel", (event) => event.preventDefault());
every("dialog").forEach((dialog) => dialog.addEventListener("close", () => setTimeout(backToGrid)));
one("[data-print-at-once]").checked = localStorage.getItem(PRINT) === "1";
one("[data-print-at-once]").addEventListener("change", (event) => { localStorage.setItem(PRINT, event.target.checked ? "1" : "0"); backToGrid(); });

// ── Begin ────────────────────────────────────────────────────────────────────────────────────────────────────────────
setInterval(showClock, 250);
addEventListener("offline", () => { state.away ??= Date.now(); showHouse(); });
addEventListener("online", refresh);
showTicket();
backToGrid();
await refresh();
const unfinished = JSON.parse(localStorage.getItem(PENDING) || "null");
if (unfinished) { showLost(unfinished.key); await finish(unfinished, { asked: true }); }
else if (state.house && !state.house.shift) counter.openShift(null);
root.dataset.ready = "1";
