// The sale: the house asked every few seconds, the ticket priced as it is marked, sold once and never twice.

import { Away, ask, Dropped, newKey, once, Refused } from "../web/call.js";
import { cents, dollars, one } from "../web/dom.js";
import { clock, marking, paper, root, rules, state, venue } from "./desk.js";
import { inFours } from "./forms.js";
import { receipt } from "./receipt.js";
import { Shift } from "./shift.js";
import { backToGrid, showClock, showHouse, showSum, showTicket, showVoucher } from "./show.js";

const PENDING = `keno-sale:${root.dataset.who}`; // a sale under way survives a reload: it is asked for, not sold again

// ── What the server says, every few seconds ──────────────────────────────────────────────────────────────────────────
let asking = null;
export async function refresh() {
  clearTimeout(asking);
  const sent = performance.now();
  try {
    const house = await ask(root.dataset.now, { background: true });
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

export function turnClock() {
  const left = showClock();
  if (left === null || left > 0 || state.away || performance.now() - (state.pressed ?? 0) <= 700) return;
  state.pressed = performance.now(); // the next game opens with the close: ask at once, not at the next turn
  refresh();
}

// ── The ticket: marked here, priced there ────────────────────────────────────────────────────────────────────────────
let quoting = 0;
let waiting = null;
export function changed() {
  state.put();
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

// ── Selling ──────────────────────────────────────────────────────────────────────────────────────────────────────────
export async function sell() {
  if (state.busy || state.away) return;
  if (state.hasNoShift) return shift.open(null);
  const sale = state.sale(marking, newKey());
  if (!sale) return say("Mark numbers, or take a quick pick first.");
  localStorage.setItem(PENDING, JSON.stringify(sale));
  await finish(sale, { asked: false });
}

async function finish(sale, { asked }) {
  state.busy = true;
  state.refused = null;
  showSum();
  try {
    const ticket = await once(sale.path || "keno/tickets", sale.body, {
      key: sale.key,
      asked,
      lost: showLost,
      again: () => stillWanted(sale),
    });
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
  one("[data-lost-says]").textContent =
    "The answer did not arrive. The terminal is asking the server what became of the sale; nothing is sold twice.";
  one("[data-lost-key]").textContent = `Request ${key}`;
  one("[data-lost-actions]").hidden = true;
  if (!one("#lost").open) one("#lost").showModal();
}

// The server is back and knows nothing of the sale. While its game is still on sale, it is simply sent again; otherwise
// the player is asked: it would be another game.
function stillWanted(sale) {
  if (sale.closes && clock.known && clock.secondsUntil(sale.closes) > 0) return Promise.resolve(true);
  one("[data-lost-says]").textContent =
    "The sale never reached the server, and its game has closed meanwhile. " +
    "Ask the player: it can be sold for the next game, or left.";
  one("[data-lost-actions]").hidden = false;
  if (!one("#lost").open) one("#lost").showModal();
  one('[data-do="again"]').focus();
  return new Promise((resolve) => {
    state.decide = resolve;
  });
}

async function sold(ticket) {
  marking.clear();
  Object.assign(state, { sold: ticket, refused: null, quote: null, typed: "" });
  quoting++;
  const change = cents(ticket.change);
  say(`Sold ${inFours(ticket.serial)}${change ? `. Change ${dollars(change)}` : ""}.`, ticket.voucher);
  backToGrid();
  await print(ticket.serial, () => state.sold === ticket);
  for (const paper of ticket.continuations ?? []) await print(paper.serial);
}

// Once, where it was sold or paid: this is the receipt, and what the printer gets.
export async function print(serial, wanted = () => true) {
  try {
    const printed = await once(`keno/tickets/${serial}/print`, { layout: "html" });
    if (!wanted()) return;
    receipt(paper, printed, { venue, note: "" });
    if (one("[data-print-at-once]").checked) window.print();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    say(`The receipt could not be laid out: ${error.message}`);
  }
}

// ── Words that pass, and the focus that stays ────────────────────────────────────────────────────────────────────────
export function say(words, voucher = null) {
  state.said = words;
  clearTimeout(state.silence);
  state.silence = setTimeout(() => {
    state.said = "";
    showTicket();
  }, 8000);
  if (voucher) showVoucher(voucher);
  showTicket();
}

// What goes over the counter stands where the total does, until the next key; the ticket on the screen is stamped.
export function handed({ says, amount, serial = "", stamp = "" }) {
  state.handed = { says, amount };
  if (state.sold?.serial === serial) state.stamp = stamp;
  paper.dataset.stamp = state.stamp;
  showTicket();
}

export const shift = new Shift({
  rules,
  said: say,
  shifted(opened) {
    // known at once: the next key may be a sale
    if (state.house) state.house.shift = opened;
    showHouse();
  },
});

// What a reload or a lost answer left behind is asked for, before anything else.
export async function resume() {
  const unfinished = JSON.parse(localStorage.getItem(PENDING) || "null");
  if (unfinished) {
    showLost(unfinished.key);
    await finish(unfinished, { asked: true });
  } else if (state.hasNoShift) shift.open(null);
}
