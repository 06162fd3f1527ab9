/* What a ticket won, in words, and its numbers on a board: from what the house tells whoever holds its paper. Pure. */
import { gameName, gamesInWords, money } from "./words.js";

const NOTHING = "0.00";
const GAMES_LISTED = 12;
const GOING = {
  scheduled: "has not been drawn yet",
  open: "has not been drawn yet",
  closed: "has not been drawn yet",
  sealed: "has not been drawn yet",
  drawing: "is being drawn now",
};

/* The same, measured by the numbers that were checked here, not by those that came with it; *computed*: the prize, too. */
export function measured(told, checked) {
  const proven = new Map(checked.filter((one) => one.numbers?.length).map((one) => [Number(one.game), one]));
  const computed = (one) => Boolean(one?.steps?.some((step) => step.name === "prize" && step.exact));
  return {
    ...told,
    games: told.games.map((one) => ({
      ...one,
      drawn: proven.get(one.game)?.numbers ?? one.drawn,
      computed: computed(proven.get(one.game)),
    })),
  };
}

/* "matched 4 of 6" of a ticket of one way, counted here; of several ways those that won. */
function matchedInWords({ groups, plays }, { drawn, ways }) {
  const numbers = groups.flat();
  if (plays.length === 1 && plays[0].spots === numbers.length)
    return drawn.length
      ? `matched ${numbers.filter((number) => drawn.includes(number)).length} of ${numbers.length}`
      : "";
  const said = ways.map(({ spots, matches, count }) => `${matches} of ${spots}${count > 1 ? ` on ${count} ways` : ""}`);
  return said.length ? `matched ${said.join(", ")}` : "";
}

/* One game in a sentence. */
function lineOf(told, one) {
  const name = `Game ${gameName(one.game)}`;
  if (one.status === "invalidated") return `${name} was declared invalid: its stake is given back.`;
  if (GOING[one.status]) return `${name} ${GOING[one.status]}.`;
  const matched = matchedInWords(told, one);
  if (one.status !== "settled")
    return `${name} is drawn${matched ? `, you ${matched}` : ""}: the prizes are being worked out.`;
  const came = one.prize === NOTHING ? "nothing won" : money(one.prize);
  return `${name}: ${[matched, one.void ? "the prize was declared void" : came].filter(Boolean).join(", ")}.`;
}

/* The first words: "You matched 4 of 6: " of a single game, "You won in 2 games: " of several. */
function opened(told, only) {
  const matched = only && matchedInWords(told, only);
  if (matched && matched.length < 40) return `You ${matched}: `;
  if (only) return "You won: ";
  const wins = told.games.filter((one) => one.prize !== NOTHING).length;
  return wins === 1 ? "You won in one game: " : `You won in ${wins} games: `;
}

function waiting(told, only) {
  const [latest] = told.games.slice(-1);
  if (told.paid !== NOTHING) return `${money(told.paid)} paid already, and games to come`;
  if (!told.played) {
    const number = latest && only ? latest.game : told.first_game;
    return `Game ${gameName(number)} ${(only && GOING[only.status]) || GOING.open}`;
  }
  return only ? lineOf(told, only).slice(0, -1) : "Nothing won yet";
}

function headingOf(told, only) {
  const { status, owing } = told;
  if (status === "cancelled" || (told.plays_to < told.first_game && status !== "voided"))
    return "This ticket was cancelled";
  if (status === "voided") return "This ticket was declared void";
  if (told.held) return owing === NOTHING ? "This ticket is on hold" : `${opened(told, only)}${money(owing)}, on hold`;
  if (status === "won") return `${opened(told, only)}${money(owing)} to collect`;
  if (status === "refund") return `Your stake is given back: ${money(owing)} to collect`;
  if (status === "paid")
    return told.won === NOTHING
      ? `Your stake was given back: ${money(told.paid)}`
      : `${opened(told, only)}${money(told.paid)}, paid already`;
  if (status === "in-play") return waiting(told, only);
  if (only) {
    const matched = matchedInWords(told, only);
    return matched ? `You ${matched}: nothing won` : `Nothing won in game ${gameName(only.game)}`;
  }
  return `Nothing won in ${told.played} games`;
}

/* What a player should know beside the heading. */
function linesOf(told, only) {
  const { status, owing, paid, refunded } = told;
  const lines = [];
  if (told.held) lines.push("Nothing on this ticket is paid while the house looks into it. Ask at the counter.");
  if (told.plays_to < told.first_game) lines.push("It plays in no game.");
  if (status === "voided" || status === "cancelled") {
    if (owing !== NOTHING) lines.push(`${money(owing)} is to collect. Ask at the counter.`);
  } else if (status === "won") {
    if (paid !== NOTHING) lines.push(`${money(paid)} was paid already.`);
    if (refunded !== NOTHING) lines.push(`${money(refunded)} of all that is your stake, given back.`);
  }
  const several = told.games.filter((one) => one.prize !== NOTHING || one.void || one.refund !== NOTHING);
  const wanted = only
    ? several.filter((one) => one.void || one.status === "invalidated" || one.ways.length > 1)
    : several;
  lines.push(...wanted.slice(-GAMES_LISTED).map((one) => lineOf(told, one)));
  if (wanted.length > GAMES_LISTED) lines.push(`And ${wanted.length - GAMES_LISTED} earlier games.`);
  if (told.still_playing && !only && told.plays_to >= told.first_game)
    lines.push(`It plays in ${gamesInWords(told)}; ${told.played} ${told.played === 1 ? "is" : "are"} drawn.`);
  return lines;
}

/* {kind: "won", "attention" or "quiet", heading, lines}. Gold is for money and wins only. */
export function resultOf(told) {
  const only =
    told.first_game === told.plays_to
      ? (told.games[0] ?? { status: "open", drawn: [], ways: [], game: told.first_game })
      : null;
  const stopped = told.held || ["cancelled", "voided"].includes(told.status);
  const kind = stopped
    ? "attention"
    : told.status === "won" || (told.status === "paid" && told.won !== NOTHING)
      ? "won"
      : "quiet";
  return { kind, heading: headingOf(told, only), lines: linesOf(told, only) };
}

/* Which part of it is not computed here: a refund, a bonus, a share that depends on the tickets of others, a game that
   was not looked at. */
export function wordOf(told) {
  if (told.won === NOTHING && told.refunded === NOTHING) return "";
  const left = told.games.filter((one) => one.prize !== NOTHING && !one.computed);
  const here = "Draw, matches and your ticket’s place in it are computed on this page";
  if (!left.length && told.refunded === NOTHING)
    return `${here}, and so is the prize: from the pay table that the ticket was sold under, as it stands at /rules/keno/.`;
  const which = left.length && left.length <= 3 ? ` of game ${left.map((one) => gameName(one.game)).join(", ")}` : "";
  return `${here}. The amount${which} is the house’s word here: the audit export proves every cent.`;
}

/* The game whose numbers are shown first: the latest that won, or the latest drawn. */
export function gameShown(told) {
  const drawn = told.games.filter((one) => one.drawn.length);
  return drawn.findLast((one) => one.prize !== NOTHING) ?? drawn.at(-1) ?? null;
}

/* The 80 numbers, as on every ticket: two blocks of four rows of ten. */
export function boardOf(groups, drawn) {
  const mine = new Set(groups.flat()),
    came = new Set(drawn);
  const all = Array.from({ length: 80 }, (_, at) => ({
    number: at + 1,
    mine: mine.has(at + 1),
    drawn: came.has(at + 1),
  }));
  return [all.slice(0, 40), all.slice(40)];
}
