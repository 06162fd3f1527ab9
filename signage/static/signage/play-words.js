/* What the entry form says of what is marked, and numbers picked for a player. Pure: no page is needed. */

import { money } from "./words.js";

const NUMBERS = 80;

/* So many different numbers. *below* gives a whole number from 0 up to below what it is given, each as likely. */
export function pickNumbers(count, below) {
  const left = Array.from({ length: NUMBERS }, (_, place) => place + 1);
  return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]).sort((a, b) => a - b);
}

/* Evenly, from random bytes: what would favour the first numbers is thrown away. */
export function below(limit, random = (into) => crypto.getRandomValues(into)) {
  const most = 256 - (256 % limit);
  for (;;) {
    const [byte] = random(new Uint8Array(1));
    if (byte < most) return byte % limit;
  }
}

const count = (many, one, more = `${one}s`) => `${many} ${many === 1 ? one : more}`;

export function markedInWords({ marked, filled }) {
  if (!marked.length) return "Nothing is marked yet.";
  const numbers = count(marked.length, "number");
  return filled.length > 1 ? `${numbers} in ${filled.length} groups.` : `${numbers}.`;
}

export function pricedInWords({ price, ways, games, charged_games: charged }) {
  const free = games - charged;
  const played = `${count(ways, "way")}, ${count(games, "game")}`;
  return { price: money(price), played: free ? `${played}, ${free} of them free.` : `${played}.` };
}

export const oddsInWords = ({ spots, ways, stake, any_prize: any, top_prize: top, returned }) =>
  `${count(ways, "way")} of ${count(spots, "number")} at ${money(stake)}: any prize ${any}, the top prize ${top}; ` +
  `${returned} comes back in the long run.`;
