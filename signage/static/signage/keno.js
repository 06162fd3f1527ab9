/* The Keno board: eighty numbers, the draw as it comes, the next close, and what players like to know. */
import { Between } from "./between.js";
import {
  chosen,
  lastGameInWords,
  mineInWords,
  pauseMs,
  splitInWords,
  statusInWords,
  statusOf,
  winnersInWords,
} from "./keno-shown.js";
import { Live, make, Odometer, put } from "./live.js";
import { cosignedInWords, counted, gameName } from "./words.js";

const lastGames = (games) => (games === 1 ? "last game" : games ? `last ${games} games` : "no games yet");
const $ = (selector) => document.querySelector(selector);
const FLIGHT_MS = 300;
const MINE = "meterhouse.keno.mine";
const MINE_LIMIT = 15;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const telephone = matchMedia("(max-width: 760px)");

const cells = new Map();
for (const [block, from] of [
  ["#heads", 1],
  ["#tails", 41],
])
  for (let number = from; number < from + 40; number++) {
    const cell = make("li", String(number));
    cell.dataset.number = number;
    cells.set(number, cell);
    $(block).append(cell);
  }

const meters = new Map();
const between = new Between($("#between"));
let shown = { game: null, attempt: 1, drawn: [] },
  target = null,
  revealing = null,
  fresh = true,
  mine = [];

/* What is written always belongs to the balls shown. */
function paint() {
  const drawn = shown.drawn,
    latest = drawn.at(-1);
  const status = target ? statusOf(target, drawn.length) : null;
  for (const [number, cell] of cells) {
    const place = drawn.indexOf(number);
    cell.classList.toggle("lit", place >= 0);
    cell.classList.toggle("latest", number === latest && status === "drawing");
    cell.classList.toggle("mine", mine.includes(number));
    if (place >= 0) cell.dataset.place = place + 1;
    else delete cell.dataset.place;
  }
  put($("#latest"), latest ?? "–");
  put($("#count"), drawn.length);
  put($("#split"), splitInWords(drawn));
  put($("#mine"), mineInWords(mine, drawn, status === "settled"));
  if (target) {
    put($("#game"), gameName(target.number));
    put($("#status"), statusInWords(target, drawn.length));
    $("#status").dataset.status = status;
    document.documentElement.dataset.status = status;
    between.turn(status !== "drawing" && status !== "drawn");
  }
  put($("#winners"), status === "settled" ? winnersInWords(target) || "" : "");
  document.documentElement.dataset.drawn = drawn.join(" ");
}

/* The ball flies from the large one into its cell. */
function fly(number) {
  if (calm.matches || document.hidden) return;
  const from = $(".ball").getBoundingClientRect(),
    to = cells.get(number).getBoundingClientRect();
  if (!from.width) return;
  const ball = make("span", String(number), "flying");
  document.body.append(ball);
  const at = ball.getBoundingClientRect();
  const place = (box, size) => ({
    transform: `translate(${box.x + box.width / 2 - at.width / 2}px, ${box.y + box.height / 2 - at.height / 2}px) scale(${size})`,
  });
  const flight = ball.animate([place(from, from.width / at.width), place(to, 1)], {
    duration: FLIGHT_MS,
    easing: "cubic-bezier(0.3, 0, 0.2, 1)",
  });
  flight.onfinish = flight.oncancel = () => ball.remove();
}

/* One ball at a time; a board that is far behind hurries. */
function reveal() {
  clearTimeout(revealing);
  revealing = null;
  if (!target) return;
  const same = shown.game === target.number && shown.attempt === target.attempt;
  const follows =
    same && shown.drawn.every((number, at) => number === target.drawn[at]) && shown.drawn.length <= target.drawn.length;
  if (!follows) shown = { game: target.number, attempt: target.attempt, drawn: fresh || same ? [...target.drawn] : [] };
  fresh = false;
  const behind = target.drawn.length - shown.drawn.length;
  if (behind > 0) {
    const number = target.drawn[shown.drawn.length];
    shown.drawn.push(number);
    revealing = setTimeout(reveal, pauseMs(behind));
    paint();
    fly(number);
  } else paint();
}

function small(game) {
  const board = make("li", "", "small");
  board.append(make("span", gameName(game.number)));
  const dots = make("ol");
  for (let number = 1; number <= 80; number++)
    dots.append(make("li", "", ...(game.drawn.includes(number) ? ["lit"] : [])));
  board.append(dots);
  board.setAttribute("aria-label", `Game ${game.number}: ${[...game.drawn].sort((a, b) => a - b).join(", ")}`);
  return board;
}

let lastShown = "",
  lastCode = "";
function results(games) {
  const settled = games
    .filter((game) => game.status === "settled" && game !== target)
    .slice(-5)
    .reverse();
  const key = settled.map((game) => game.number).join();
  if (key !== lastShown) {
    lastShown = key;
    $("#results").replaceChildren(...settled.map(small));
  }
  $("#no-results").hidden = settled.length > 0;
}

function lastGame(games) {
  const told = lastGameInWords(games),
    panel = $("#last-game");
  panel.toggleAttribute("data-empty", told === null);
  if (!told) return;
  put($("#last-number"), gameName(told.number));
  put($("#biggest"), told.biggest ?? "–");
  $("#biggest").hidden = $("#biggest-says").hidden = told.biggest === null;
  put($("#last-winners"), told.winners);
}

function jackpots(links, anew) {
  const keno = links.filter((link) => /^KENO-/.test(link.code) && link.displayed !== null);
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
}

function proof(checkpoint) {
  if (target) {
    const balls = target.device === "mechanical" ? "drawn with balls" : "–";
    put($("#promise"), target.commitment ? target.commitment.slice(0, 8) : balls);
    const code = `/signage/qr.svg?game=${target.number}`;
    if (code !== lastCode) $("#qr").src = lastCode = code;
  }
  const [, rows, root] = (checkpoint || "").split("\n");
  put($("#rows"), root ? counted(rows) : "–");
  put($("#cosigned"), root ? cosignedInWords(checkpoint) : "");
  put($("#head"), root ? root.slice(0, 8) : "–");
}

function draw(board, { fresh: anew }) {
  const games = board.keno.games;
  $("#empty").hidden = games.length > 0;
  if (anew) fresh = true;
  target = chosen(games, revealing && !anew ? shown : null);
  if (target && shown.game !== target.number && revealing) {
    clearTimeout(revealing);
    revealing = null;
  }
  proof(board.checkpoint);
  if (!revealing || anew) reveal();
  results(games);
  lastGame(games);
  const open = games.filter((game) => game.status === "open").at(-1);
  next = open ? { number: open.number, from: Date.parse(open.opens_at), to: Date.parse(open.closes_at) } : null;
  for (const name of ["hot", "cold"]) {
    const numbers = board.statistics[name].map((one) => one.number).join("  ");
    put($(`#${name}`), numbers || "–");
  }
  put($("#counted"), lastGames(board.statistics.games));
  jackpots(board.jackpots, anew);
  clock();
}

let next = null;
const ROUND = 2 * Math.PI * 54;
function clock() {
  const left = next ? Math.max(0, Math.ceil((next.to - live.now) / 1000)) : null;
  put($("#left"), left === null ? "–" : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`);
  const number = next ? gameName(next.number) : "";
  const closing = left ? `Game ${number} closes in` : `Game ${number} is closing`;
  put($("#next"), next ? closing : "No game is open");
  const share = next ? Math.min(1, Math.max(0, (next.to - live.now) / Math.max(1, next.to - next.from))) : 0;
  $("#ring").style.strokeDashoffset = ROUND * (1 - share);
}

/* On a telephone a player taps his numbers; they stay on his telephone. */
function remember() {
  try {
    localStorage.setItem(MINE, JSON.stringify(mine));
  } catch {} // without storage they last as long as the page
}
try {
  const kept = JSON.parse(localStorage.getItem(MINE) || "[]");
  mine = kept.filter((number) => cells.has(number)).slice(0, MINE_LIMIT);
} catch {
  mine = [];
}
$(".keno main").addEventListener("click", ({ target: clicked }) => {
  const number = Number(clicked.closest("[data-number]")?.dataset.number);
  if (!number || !telephone.matches) return;
  if (mine.includes(number)) mine = mine.filter((one) => one !== number);
  else if (mine.length < MINE_LIMIT) mine.push(number);
  remember();
  paint();
});

function happened(kind, data) {
  if (kind === "keno.settled") for (const spots of Object.keys(data.jackpots || {})) meters.get(`KENO-${spots}`)?.won();
}
$("#ring").style.strokeDasharray = ROUND;
const live = new Live({ draw, happened });
setInterval(clock, 250);
window.meterhouse = live;
