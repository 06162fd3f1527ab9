/* What the Keno board shows and says, apart from the page: which game, which words, what comes between two draws. Pure. */
import { money } from "./words.js";

/* The draw whose balls are still on their way to the screen; else the draw under way; else the game that waits for its
   draw; else the last result. */
export function chosen(games, shown = null) {
  const begun = games.find((game) => shown && game.number === shown.game && game.attempt === shown.attempt);
  if (begun && shown.drawn.length && shown.drawn.length < begun.drawn.length) return begun;
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

/* The status that belongs to the balls on the screen: nothing is final before the last of them is there. */
export const statusOf = (game, balls) =>
  ["drawn", "settled"].includes(game.status) && balls < game.drawn.length ? "drawing" : game.status;

/* What the game is at, in plain words; a void attempt and a game settled again are told for good. */
export function statusInWords(game, balls) {
  const status = statusOf(game, balls);
  if (game.recorded && status === "settled")
    return "Final result, corrected: a ball had been recorded wrongly. Ask at the counter";
  const words = game.waits ? "Waiting for the witness. The draw follows when it answers" : SAYS[status];
  const voids = (game.voids || []).length;
  if (!voids) return words;
  return `${words}. ${voids === 1 ? "An earlier draw was" : `${voids} earlier draws were`} void; this is attempt ${game.attempt}`;
}

const counted = (count, one, several) => `${count} ${count === 1 ? one : several}`;

export function splitInWords(drawn) {
  if (!drawn.length) return "No number yet";
  const heads = drawn.filter((number) => number <= 40).length;
  return `${counted(heads, "head", "heads")} · ${counted(drawn.length - heads, "tail", "tails")}`;
}

/* How long until the next ball is shown: at once if it is due, quicker the further the board is behind the draw. */
export const pauseMs = (behind) => (behind > 6 ? 150 : 450);

export function winnersInWords(game) {
  if (game?.status !== "settled" || game.winners === undefined || game.winners === null) return null;
  if (!game.winners) return "No winning ticket";
  return `${counted(game.winners, "winning ticket", "winning tickets")}, ${money(game.prizes)} in prizes`;
}

/* What is told of the last game between two draws: it stays until the balls of the next one come. */
export function lastGameInWords(games) {
  const game = games.filter((one) => winnersInWords(one) !== null).at(-1);
  if (!game) return null;
  return {
    number: game.number,
    biggest: game.winners && game.biggest ? money(game.biggest) : null,
    winners: winnersInWords(game),
  };
}

/* My numbers against the balls that are on the screen. */
export function mineInWords(mine, drawn, over) {
  if (!mine.length) return "Tap your numbers to follow them";
  const hits = mine.filter((number) => drawn.includes(number)).length;
  return `${hits} of your ${counted(mine.length, "number", "numbers")} ${over ? "matched" : "so far"}`;
}
