// The writer's terminal. Hands first: everything is a key or a tap, and after each sale the grid has the focus again.

import { ask, Refused } from "../web/call.js";
import { cents, el, every, one, wire } from "../web/dom.js";
import { scanned, scanner } from "../web/scan.js";
import { Counter } from "./counter.js";
import { marking, root, rules, state } from "./desk.js";
import { readEntry } from "./entry-code.js";
import { Favourites } from "./favourites.js";
import { Orders } from "./orders.js";
import { changed, handed, print, refresh, resume, say, sell, shift, turnClock } from "./sale.js";
import { backToGrid, showHouse, showSum, showTicket, walk } from "./show.js";
import { addTender, giveCash, showTender } from "./tender.js";

const PRINT = "keno-print-at-once";
const STAKES = every("[data-stake]").map((button) => button.dataset.stake);

const counter = new Counter({
  terminal: root,
  changed: refresh,
  said: say,
  handed,
  print,
  replay: ({ ticket, differences }) => {
    marking.load(ticket);
    changed();
    const read = differences.map(({ what, then, now }) => `${what} was ${then}, now ${now}`).join("; ");
    if (read) say(`Read to the player: ${read}.`);
  },
});

const orders = new Orders({ marking, changed, rules });
const favourites = new Favourites({ marking, changed, said: say, rules });

// What a player has marked on his telephone: read like a form of paper, priced and sold like any other.
function takeForm(text) {
  const entry = readEntry(text);
  if (!entry) return say("That code is no entry form of ours. Ask the player to show it again.");
  marking.load(entry);
  changed();
  one("#find").close();
  say("Read the entry back to the player, then sell it.");
}

async function find(ticket) {
  if (ticket?.entry) return takeForm(ticket.entry);
  if (ticket?.card) {
    one("#find").close();
    return favourites.open(ticket.card);
  }
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

// ── Keys and taps ────────────────────────────────────────────────────────────────────────────────────────────────────
const typed = () => {
  const value = state.typed;
  state.typed = "";
  return value;
};
const whole = (text) => (/^\d+$/.test(text) ? Number(text) : null);

function setBet(bet) {
  const numbers = bet.groups
    ? bet.groups.map((group) => group.join(" ")).join(" | ")
    : `${bet.sizes.length} groups, picked when sold`;
  const take = () => {
    marking.takeSetBet(bet);
    one("#set-bets").close();
    changed();
  };
  return el(
    "li",
    {},
    el("div", {}, bet.name, el("span.second", {}, `${bet.code} · ${numbers} · plays ${bet.plays.join(", ")}`)),
    el("button.small", { type: "button", on: { click: take } }, "Take"),
  );
}

const doing = {
  sell,
  clear() {
    marking.clear();
    state.typed = "";
    changed();
  },
  jackpot() {
    marking.jackpot = !marking.jackpot;
    changed();
  },
  group() {
    marking.newGroup();
    changed();
  },
  kings() {
    marking.kings();
    changed();
  },
  find() {
    one("#find-serial").value = "";
    one("#find").showModal();
  },
  orders() {
    orders.open();
  },
  favourites() {
    favourites.open();
  },
  shift() {
    shift.open(state.house?.shift || null);
  },
  keys() {
    one("#terminal-keys").showModal();
  },
  tender() {
    showTender();
    one("#tender").showModal();
  },
  exact() {
    marking.tender = [];
    marking.restAsVoucher = false;
    showTender();
    showSum();
  },
  "add-tender"() {
    addTender(one("[data-tender]"));
  },
  async "set-bets"() {
    const { results } = await ask("keno/set-bets");
    one("[data-set-bet-list]").replaceChildren(...results.map(setBet));
    one("#set-bets").showModal();
    one("#set-bets button.small")?.focus();
  },
  again() {
    state.decide?.(true);
    one("[data-lost-actions]").hidden = true;
  },
  drop() {
    state.decide?.(false);
  },
};

const commands = {
  q() {
    const spots = typed();
    marking.quickPick(spots ? whole(spots) : "mystery");
    changed();
  },
  s() {
    const stake = cents(typed());
    if (!Number.isNaN(stake)) marking.setStake(wire(stake));
    changed();
  },
  g() {
    const count = whole(typed());
    if (count) marking.games = count;
    changed();
  },
  p() {
    const spots = whole(typed());
    if (spots) marking.togglePlay(spots);
    changed();
  },
  t() {
    const amount = typed();
    if (amount) giveCash(cents(amount));
    else doing.tender();
    showTicket();
  },
  w: doing.group,
  d: doing.kings,
  j: doing.jackpot,
  b: doing["set-bets"],
  r: doing.orders,
  f: doing.favourites,
  o: doing.shift,
  "/": doing.find,
  "?": doing.keys,
  x() {
    const schedule = one("[data-schedule]");
    schedule.selectedIndex = (schedule.selectedIndex + 1) % schedule.length;
    marking.schedule = schedule.value;
    changed();
  },
};

const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -10, ArrowDown: 10 };

scanner(find); // before the keys: what a scanner types is no command

addEventListener(
  "keydown",
  (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || one("dialog[open]")) return;
    if (event.target.closest("select, input, textarea")) return;
    const act = key(event);
    if (!act) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    state.handed = null;
    showSum();
    act();
  },
  { capture: true },
);

function key(event) {
  const name = event.key;
  if (/^[\d.]$/.test(name))
    return () => {
      state.typed = (state.typed + name).slice(0, 7);
      state.put();
      showTicket();
    };
  if (/^F[1-8]$/.test(name))
    return () => {
      marking.setStake(STAKES[Number(name[1]) - 1]);
      changed();
    };
  if (name in steps) return () => walk(steps[name]);
  if (name === "Escape") return doing.clear;
  if (name === "Backspace")
    return () => {
      if (state.typed) {
        state.typed = state.typed.slice(0, -1);
        showTicket();
      } else {
        marking.takeLast();
        changed();
      }
    };
  if (name === " " || name === "," || (name === "Enter" && state.typed)) return () => mark(typed());
  // Enter on a button that is not a number presses it; anywhere else it is the primary action. No quote is waited for:
  // the server prices the sale again.
  if (name === "Enter") return event.target.closest("button:not(.n), a") ? null : sell;
  return commands[name.toLowerCase()] && (() => commands[name.toLowerCase()]());
}

function mark(text) {
  const number = text ? whole(text) : state.at;
  if (!number || number > 80) return say(`There is no number ${text}: 1 to 80.`);
  marking.toggle(number);
  walk(number - state.at);
  changed();
}

// A tap on one of these does this, and the hands are back at the grid.
const taps = {
  ".n"({ n }) {
    walk(Number(n) - state.at);
    marking.toggle(Number(n));
    changed();
  },
  "[data-pick]"({ pick }) {
    marking.quickPick(pick === "mystery" ? "mystery" : Number(pick));
    changed();
  },
  "[data-stake]"({ stake }) {
    marking.setStake(stake);
    changed();
  },
  "[data-games]"({ games }) {
    marking.games = Number(games);
    changed();
  },
  "[data-note]"({ note }) {
    giveCash(Number(note) * 100);
  },
  "[data-play]"({ play }) {
    marking.togglePlay(Number(play));
    changed();
  },
  "[data-do]"({ do: what }) {
    doing[what]();
  },
};

document.addEventListener("click", (event) => {
  for (const [selector, tapped] of Object.entries(taps)) {
    const found = event.target.closest(selector);
    if (!found) continue;
    tapped(found.dataset);
    if (selector !== ".n") backToGrid();
    return;
  }
});

one("[data-schedule]").addEventListener("change", (event) => {
  marking.schedule = event.target.value;
  changed();
  backToGrid();
});
one("[data-find]").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = one("#find-serial").value.trim();
  find(scanned(text) || { serial: text });
});
one("[data-tender]").addEventListener("submit", () => {
  const form = one("[data-tender]");
  if (form.elements.amount.value || form.elements.reference.value) addTender(form);
});
one("[data-tender]").elements.rest.addEventListener("change", (event) => {
  marking.restAsVoucher = event.target.checked;
  showSum();
});
one("#tender-type").addEventListener("change", (event) => {
  one("[data-tender-reference]").hidden = ["cash", "chips"].includes(event.target.value);
  const types = one("[data-voucher-types]");
  if (types) types.hidden = event.target.value !== "voucher";
});
// A lost sale is not waved away with Escape: it is answered or decided.
one("#lost").addEventListener("cancel", (event) => event.preventDefault());
for (const dialog of every("dialog")) dialog.addEventListener("close", () => setTimeout(backToGrid));
one("[data-print-at-once]").checked = localStorage.getItem(PRINT) === "1";
one("[data-print-at-once]").addEventListener("change", (event) => {
  localStorage.setItem(PRINT, event.target.checked ? "1" : "0");
  backToGrid();
});

// ── Begin ────────────────────────────────────────────────────────────────────────────────────────────────────────────
setInterval(turnClock, 250);
addEventListener("offline", () => {
  state.away ??= Date.now();
  showHouse();
});
addEventListener("online", refresh);
showTicket();
backToGrid();
await refresh();
await resume();
root.dataset.ready = "1";
