/* The Keno board: eighty numbers, the draw as it comes, the next close, and what players like to know. */
import { Live, make, Odometer, put } from "./live.js";
import { cosignedInWords, grouped } from "./words.js";

const $ = (selector) => document.querySelector(selector);
const BALL_EVERY_MS = 450;
const cells = new Map();
for (const [block, from] of [
  ["#heads", 1],
  ["#tails", 41],
])
  for (let number = from; number < from + 40; number++) {
    const cell = make("li", String(number));
    cells.set(number, cell);
    $(block).append(cell);
  }

const meters = new Map();
let shown = { game: null, attempt: 1, drawn: [] },
  target = null,
  revealing = null,
  fresh = true;

/* The draw under way; else the game that waits for its draw; else the last result. */
function chosen(games) {
  const last = (test) => games.filter(test).at(-1);
  const drawing = last((game) => game.status === "drawing");
  const waiting = last((game) => ["closed", "sealed"].includes(game.status));
  const result = last((game) => ["drawn", "settled"].includes(game.status));
  if (drawing) return drawing;
  if (waiting && (!result || waiting.number > result.number)) return waiting;
  return result || last((game) => game.status === "open") || null;
}

const SAYS = {
  open: "Open for sale",
  closed: "Closed. The draw begins shortly",
  sealed: "Tickets sealed. The draw begins shortly",
  drawing: "Drawing now",
  drawn: "Drawn",
  settled: "Final result",
  invalidated: "Declared invalid",
};

/* What the game is at, in plain words; a void attempt and a game settled again are told for good. */
function said(game) {
  if (game.recorded) return "Final result, corrected: a ball had been recorded wrongly. Ask at the counter";
  const words = game.waits ? "Waiting for the witness. The draw follows when it answers" : SAYS[game.status];
  const voids = (game.voids || []).length;
  if (!voids) return words;
  return `${words}. ${voids === 1 ? "An earlier draw was" : `${voids} earlier draws were`} void; this is attempt ${game.attempt}`;
}

function paint() {
  const drawn = shown.drawn,
    latest = drawn.at(-1);
  for (const [number, cell] of cells) {
    const place = drawn.indexOf(number);
    cell.classList.toggle("lit", place >= 0);
    cell.classList.toggle("latest", number === latest && target?.status === "drawing");
    if (place >= 0) cell.dataset.place = place + 1;
    else delete cell.dataset.place;
  }
  put($("#latest"), latest ?? "–");
  put($("#count"), drawn.length);
  const heads = drawn.filter((number) => number <= 40).length;
  put($("#split"), drawn.length ? `${heads} heads · ${drawn.length - heads} tails` : "No number yet");
  document.documentElement.dataset.drawn = drawn.join(" ");
}

/* One ball at a time, at a set pace; a board that is far behind hurries. */
function reveal() {
  clearTimeout(revealing);
  revealing = null;
  if (!target) return;
  const same = shown.game === target.number && shown.attempt === target.attempt;
  const follows =
    same && shown.drawn.every((number, at) => number === target.drawn[at]) && shown.drawn.length <= target.drawn.length;
  if (!follows) shown = { game: target.number, attempt: target.attempt, drawn: fresh || same ? [...target.drawn] : [] };
  fresh = false;
  const left = target.drawn.length - shown.drawn.length;
  if (left > 0) {
    shown.drawn.push(target.drawn[shown.drawn.length]);
    revealing = setTimeout(reveal, left > 6 ? BALL_EVERY_MS / 4 : BALL_EVERY_MS);
  }
  paint();
}

function small(game) {
  const board = make("li", "", "small");
  board.append(make("span", grouped(game.number)));
  const dots = make("ol");
  for (let number = 1; number <= 80; number++)
    dots.append(make("li", "", ...(game.drawn.includes(number) ? ["lit"] : [])));
  board.append(dots);
  board.setAttribute("aria-label", `Game ${game.number}: ${[...game.drawn].sort((a, b) => a - b).join(", ")}`);
  return board;
}

let lastShown = "",
  lastCode = "";
function draw(board, { fresh: anew }) {
  const games = board.keno.games;
  $("#empty").hidden = games.length > 0;
  if (anew) fresh = true;
  target = chosen(games);
  if (target) {
    put($("#game"), grouped(target.number));
    put($("#status"), said(target));
    $("#status").dataset.status = target.status;
    put(
      $("#promise"),
      target.commitment ? target.commitment.slice(0, 8) : target.device === "mechanical" ? "drawn with balls" : "–",
    );
    const code = `/signage/qr.svg?game=${target.number}`;
    if (code !== lastCode) $("#qr").src = lastCode = code;
  }
  const [, rows, root] = (board.checkpoint || "").split("\n");
  put($("#rows"), root ? grouped(Number(rows)) : "–");
  const alone = root ? cosignedInWords(board.checkpoint) : "";
  put($("#cosigned"), alone);
  put($("#head"), root ? root.slice(0, 8) : "–");
  if (!revealing || anew) reveal();
  const results = games
    .filter((game) => game.status === "settled" && game !== target)
    .slice(-5)
    .reverse();
  const key = results.map((game) => game.number).join();
  if (key !== lastShown) {
    lastShown = key;
    $("#results").replaceChildren(...results.map(small));
  }
  $("#no-results").hidden = results.length > 0;
  const open = games.filter((game) => game.status === "open").at(-1);
  next = open ? { number: open.number, from: Date.parse(open.opens_at), to: Date.parse(open.closes_at) } : null;
  const { statistics } = board;
  for (const name of ["hot", "cold"]) {
    const said = statistics[name].map((one) => one.number).join("  ");
    put($(`#${name}`), said || "–");
  }
  put($("#counted"), statistics.games ? `last ${statistics.games} games` : "no games yet");
  const keno = board.jackpots.filter((link) => /^KENO-/.test(link.code) && link.displayed !== null);
  $("#no-jackpots").hidden = keno.length > 0;
  for (const link of keno) {
    if (!meters.has(link.code)) {
      const row = make("div", "", "jackpot"),
        meter = make("div", "", "odometer");
      meter.setAttribute("role", "img");
      row.append(make("h3", link.title), meter);
      $("#jackpots").append(row);
      meters.set(link.code, new Odometer(meter));
    }
    if (anew && meters.get(link.code).shown !== null) meters.get(link.code).won(); // after a break only the truth counts
    meters.get(link.code).set(link.displayed);
  }
  clock();
}

let next = null;
const ROUND = 2 * Math.PI * 54;
function clock() {
  const left = next ? Math.max(0, Math.ceil((next.to - live.now) / 1000)) : null;
  put($("#left"), left === null ? "–" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
  put(
    $("#next"),
    next
      ? left
        ? `Game ${grouped(next.number)} closes in`
        : `Game ${grouped(next.number)} is closing`
      : "No game is open",
  );
  const share = next ? Math.min(1, Math.max(0, (next.to - live.now) / Math.max(1, next.to - next.from))) : 0;
  $("#ring").style.strokeDashoffset = ROUND * (1 - share);
}

function happened(kind, data) {
  if (kind === "keno.settled") for (const spots of Object.keys(data.jackpots || {})) meters.get(`KENO-${spots}`)?.won();
}
$("#ring").style.strokeDasharray = ROUND;
const live = new Live({ draw, happened });
setInterval(clock, 250);
window.meterhouse = live;
