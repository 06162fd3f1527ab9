/* What a ticket wins in a game, computed in the player's own browser: keno/rules in JavaScript. Pure.

   From what is printed on the ticket (groups, plays, jackpot), the pay table it was sold under, the twenty numbers and
   what the log says was won in the game altogether. Cents are whole numbers of any size. What depends on the tickets of
   others has a least and a most. */
import { money } from "./words.js";

const MAJOR = 200_00n; // 9.3: of one way
const MAJORS_TOTAL = 50_000_00n; // 9.2
const WAY_LIMIT = 50_000_00n; // 9.1

export const cents = (text) => {
  const found = /^(\d+)\.(\d\d)$/.exec(text);
  if (!found) throw new Error(`${text} is no amount`);
  return BigInt(found[1]) * 100n + BigInt(found[2]);
};
export const inMoney = (amount) => money(`${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`);

/* How many ways of *spots* numbers match how many, most first: each group is in a way or out of it. */
export function waysOf(groups, spots, drawn) {
  const came = new Set(drawn);
  let counts = new Map([["0/0", 1n]]);
  for (const group of groups) {
    const hits = group.filter((number) => came.has(number)).length;
    const next = new Map(counts);
    for (const [key, count] of counts) {
      const [size, matches] = key.split("/").map(Number);
      if (size + group.length > spots) continue;
      const grown = `${size + group.length}/${matches + hits}`;
      next.set(grown, (next.get(grown) ?? 0n) + count);
    }
    counts = next;
  }
  return Array.from({ length: spots + 1 }, (_, at) => spots - at)
    .map((matches) => ({ matches, count: counts.get(`${spots}/${matches}`) ?? 0n }))
    .filter(({ count }) => count);
}

/* What one way wins by the table alone (10.1): the figure for a dollar times the stake, to the cent below. */
function byTable(table, { matches, stake, enters }) {
  const prize = (cents(table[matches]) * stake) / 100n;
  return enters || prize < WAY_LIMIT ? prize : WAY_LIMIT;
}

/* What one major way is paid (9.2 to 9.4). Held at $200 where the majors are too many; else a share that is smaller the
   more of the others' are held there. */
function major(prize, majors) {
  const before = cents(majors.before);
  if (before <= MAJORS_TOTAL) return { least: prize, most: prize };
  if (BigInt(majors.count) * MAJOR >= MAJORS_TOTAL) return { least: MAJOR, most: MAJOR };
  const share = (prize * MAJORS_TOTAL) / before;
  return { least: MAJOR, most: share < MAJOR ? MAJOR : share + 1n }; // and a loose cent
}

/* A jackpot is shared by stake (9.5): all of it where no other way won it. */
function jackpotOf(won, own) {
  const amount = cents(won.amount);
  return BigInt(won.ways) === own ? { least: amount, most: amount } : { least: 0n, most: amount };
}

/* {least, most, ways, others}: what the ticket wins. *printed*: groups, plays [{spots, stake}], jackpot; *schedule*:
   {tables: {spots: [prize for a dollar by matches]}, jackpot_spots}; *totals*: {majors, jackpots} of the game. */
export function prizeOf(printed, schedule, drawn, totals) {
  const found = { least: 0n, most: 0n, ways: [], others: new Set() };
  const add = ({ least, most }, count, why) => {
    found.least += least * count;
    found.most += most * count;
    if (least !== most) found.others.add(why);
  };
  const full = new Map();
  for (const { spots, stake: staked } of printed.plays) {
    const table = schedule.tables[spots];
    if (table?.length !== spots + 1) throw new Error(`there is no pay table for ${spots} numbers`);
    const stake = cents(staked);
    const enters = printed.jackpot && schedule.jackpot_spots.includes(spots);
    for (const { matches, count } of waysOf(printed.groups, spots, drawn)) {
      const jackpot = enters && matches === spots;
      if (jackpot) full.set(spots, (full.get(spots) ?? 0n) + count);
      const prize = jackpot ? 0n : byTable(table, { matches, stake, enters });
      if (prize >= MAJOR) add(major(prize, totals.majors), count, "pro-rated");
      else add({ least: prize, most: prize }, count);
      if (jackpot || prize) found.ways.push({ spots, matches, count, stake, prize, jackpot });
    }
  }
  for (const [spots, own] of full) {
    const won = totals.jackpots[spots];
    add(won ? jackpotOf(won, own) : { least: 0n, most: 0n }, 1n, "jackpot");
    if (!won) found.others.add("not paid");
  }
  return found;
}

const DEPENDS = {
  "pro-rated": "the major prizes of this game passed $50,000 together, so each is a share that depends on the others",
  jackpot: "the jackpot was shared with others, by what each had staked",
  "not paid": "it matched a whole jackpot way, and no jackpot is said to have been won in this game",
};

function wayInWords({ spots, matches, count, stake, prize, jackpot }) {
  const many = count > 1n ? `${count} ways of ${spots} numbers` : `${spots} numbers`;
  const each = count > 1n ? " each" : "";
  return jackpot
    ? `${many} at ${inMoney(stake)}: all matched, which is the jackpot.`
    : `${many} at ${inMoney(stake)}: ${matches} matched, ${inMoney(prize)}${each} by the pay table.`;
}

/* The step of one game: what the house says the ticket won, against what comes out here. *said*: {prize, bonus, void} in
   dollars. */
export function prizeStep(printed, schedule, drawn, totals, said) {
  let found;
  try {
    found = prizeOf(printed, schedule, drawn, totals);
  } catch (problem) {
    return { name: "prize", ok: false, words: `The prize cannot be computed: ${problem.message}.`, details: [] };
  }
  const { least, most, others } = found;
  const details = found.ways.map(wayInWords);
  const told = cents(said.prize) - cents(said.bonus);
  const range = least === most ? inMoney(least) : `between ${inMoney(least)} and ${inMoney(most)}`;
  const step = (ok, words) => ({
    name: "prize",
    ok,
    words,
    details,
    exact: ok && least === most && said.bonus === "0.00",
  });
  const won = least === 0n && most === 0n ? "Your numbers win nothing" : `Your numbers win ${range}`;
  if (said.void) return step(true, `${won}. The house declared the prize void and gave the stake back.`);
  if (others.has("not paid")) return step(false, `${won}; ${DEPENDS["not paid"]}. This does not hold.`);
  if (told < least || told > most)
    return step(false, `${won} by the rules; the house says ${inMoney(told)}. One of the two is false.`);
  const why = [...others].map((each) => DEPENDS[each]);
  const bonus =
    said.bonus === "0.00" ? "" : ` A bonus of ${money(said.bonus)} comes to it, which is the house’s word here.`;
  if (why.length)
    return step(
      true,
      `${won}, and the house says ${inMoney(told)}: ${why.join("; ")}. The audit export proves the cent.${bonus}`,
    );
  return step(true, `${won} by the rules, and that is what the house says.${bonus}`);
}
