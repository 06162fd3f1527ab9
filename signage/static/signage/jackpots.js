/* The jackpot board: each link a band. A win takes the whole screen, then stays as pending until it is paid. */
import { Celebration } from "./celebration.js";
import { Live, make, Odometer, put } from "./live.js";
import { money } from "./words.js";

const $ = (selector) => document.querySelector(selector);
const ANNOUNCED_MS = 12000;
const bands = new Map();
const celebration = new Celebration($("#coins"), { calm: matchMedia("(prefers-reduced-motion: reduce)") });
const inWords = (hand) => (hand || "").replaceAll("-", " ");
let zone = "UTC";
const when = (at) => {
  const part = (options) => new Intl.DateTimeFormat("en-GB", { timeZone: zone, ...options }).format(new Date(at));
  return `${part({ weekday: "short" })} ${part({ day: "numeric", month: "short" })}, ${part({ hour: "2-digit", minute: "2-digit", hour12: false })}`;
};

function band(link) {
  const root = make("section", "", "band");
  root.dataset.code = link.code;
  const parts = {
    title: make("h2"),
    tables: make("p", "", "tables"),
    odometer: make("div", "", "odometer"),
    state: make("p", "", "state"),
    win: make("p", "", "win"),
  };
  parts.odometer.setAttribute("role", "img");
  const left = make("div"),
    right = make("div", "", "beside");
  left.append(parts.title, parts.tables);
  right.append(parts.state, parts.win);
  root.append(left, parts.odometer, right);
  return { root, ...parts, meter: new Odometer(parts.odometer) };
}

const silentAt = (link) =>
  link.tables.filter((table) => table.status === "suspended" && table.link_down).map((table) => table.code);

/* Below the state: the last win; or that a link is down, where the state has something else to say, maybe for hours. */
function below(link) {
  const silent = link.pending.length || link.undecided ? silentAt(link) : [];
  if (silent.length) return ["attention", `! Link down at ${silent.join(", ")}`];
  const win = link.last_win;
  // The one that is pending is told already.
  if (link.pending.some((each) => win && each.table === win.table && each.amount === win.amount)) return ["quiet", ""];
  return ["quiet", win ? `Last win ${money(win.amount)}\n${win.table}, ${when(win.at)}` : "Not won yet"];
}

function stateOf(link) {
  const open = link.tables.filter((table) => table.status === "open"),
    down = link.tables.filter((table) => table.status === "suspended");
  if (link.pending.length) {
    const win = link.pending.at(-1);
    return ["pending", `★ ${money(win.amount)} won at ${win.table}.\nPending until paid`];
  }
  if (link.undecided) return ["attention", "! Undecided: waiting for the witness"];
  if (down.length && !open.length) return ["fault", "✗ Jackpot suspended: the link is down"];
  const silent = silentAt(link);
  if (silent.length) return ["attention", `! Link down at ${silent.join(", ")}: no jackpot wagers there`];
  if (down.length) return ["attention", `! Suspended at ${down.map((table) => table.code).join(", ")}`];
  if (link.tables.length && !open.length) return ["quiet", "Tables are closed"];
  return ["live", "● Live"];
}

function draw(board, { fresh }) {
  zone = board.venue.time_zone;
  const links = board.jackpots;
  $("#empty").hidden = links.length > 0;
  for (const [code, one] of bands)
    if (!links.some((link) => link.code === code)) {
      one.root.remove();
      bands.delete(code);
    }
  links.forEach((link, at) => {
    if (!bands.has(link.code)) bands.set(link.code, band(link));
    const one = bands.get(link.code);
    if ($("#bands").children[at] !== one.root) $("#bands").insertBefore(one.root, $("#bands").children[at] || null);
    put(one.title, link.title);
    const open = link.tables.filter((table) => table.status === "open").map((table) => table.code);
    put(one.tables, link.tables.length ? (open.length ? open.join(" · ") : "No table is open") : link.code);
    if (fresh && one.meter.shown !== null) one.meter.won(); // after a break only the truth counts
    if (link.displayed === null) put(one.odometer, "–");
    else {
      if (one.meter.shown === null) one.odometer.textContent = "";
      one.meter.set(link.displayed);
    }
    const [state, words] = stateOf(link);
    one.root.dataset.state = one.state.dataset.state = state;
    put(one.state, words);
    const [tone, said] = below(link);
    one.win.dataset.state = tone;
    put(one.win, said);
  });
  $("#bands").style.setProperty("--bands", Math.max(1, links.length));
}

/* Each win has its twelve seconds, one after the other. */
const waiting = [];
let announced = false;
function announce(win) {
  waiting.push(win);
  if (!announced) next();
}
function next() {
  const win = waiting.shift();
  announced = Boolean(win);
  $("#announcement").hidden = !win;
  if (!win) return celebration.end();
  put($("#announced-title"), win.title);
  put($("#announced-state"), win.state);
  put($("#announced-where"), [win.table, inWords(win.hand)].filter(Boolean).join(" · "));
  celebration.begin((amount) => put($("#announced-amount"), amount), win.amount);
  setTimeout(next, ANNOUNCED_MS);
}
const titled = (code) => live.board.jackpots.find((link) => link.code === code)?.title || code;

function happened(kind, data) {
  if (kind === "jackpot.hit" && data.from_pool && data.from_pool !== "0.00") {
    bands.get(data.link)?.meter.won();
    announce({
      title: titled(data.link),
      amount: data.amount,
      table: data.table,
      hand: data.hand,
      state: "Pending until it is verified and paid",
    });
  }
  if (kind === "keno.settled")
    for (const [spots, won] of Object.entries(data.jackpots || {})) {
      bands.get(`KENO-${spots}`)?.meter.won();
      announce({
        title: titled(`KENO-${spots}`),
        amount: won.amount,
        table: `Keno game ${data.game}`,
        hand: `${spots} of ${spots}`,
        state: "Paid at the Keno counter",
      });
    }
}
const live = new Live({ draw, happened });
window.meterhouse = live;
