// What a ticket wins, computed as the rules say (docs/proof/prizes.json is the Python rules' word for it).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cents, prizeOf, prizeStep, waysOf } from "../../signage/static/signage/prizes.js";

const { schedules, games } = JSON.parse(readFileSync(new URL("../../docs/proof/prizes.json", import.meta.url)));
const plain = (text) => text.replaceAll("\u00a0", " ");
const MORE = 1_000_00n;
const dollars = (amount) => `${amount / 100n}.${String(amount % 100n).padStart(2, "0")}`;
const said = (prize, more = {}) => ({ prize, bonus: "0.00", void: false, ...more });

test("every published ticket wins what the rules give, and a thousand more or less is found", () => {
  const seen = { exact: 0, shared: 0, prorated: 0 };
  for (const { drawn, tickets, ...totals } of games)
    for (const { prize, schedule, ...printed } of tickets) {
      const found = prizeOf(printed, schedules[schedule], drawn, totals);
      const won = cents(prize);
      assert.ok(found.least <= won && won <= found.most, `${prize} of ${JSON.stringify(printed)}`);
      const step = (amount) => prizeStep(printed, schedules[schedule], drawn, totals, said(dollars(amount)));
      assert.equal(step(won).ok, true);
      assert.equal(step(won).exact, found.least === found.most);
      assert.equal(step(found.most + 1n).ok, false);
      if (found.least) assert.equal(step(found.least - 1n).ok, false);
      if (found.least === found.most) assert.equal(step(won + MORE).ok, false);
      seen.exact += found.least === found.most ? 1 : 0;
      seen.shared += found.others.has("jackpot") ? 1 : 0;
      seen.prorated += found.others.has("pro-rated") ? 1 : 0;
    }
  assert.ok(seen.exact > 100 && seen.shared > 0 && seen.prorated > 0, JSON.stringify(seen));
});

test("ways are combinations of whole groups", () => {
  assert.deepEqual(
    waysOf(
      [
        [3, 6],
        [9, 1],
        [12, 2],
      ],
      4,
      [3, 6, 9, 12],
    ),
    [
      { matches: 3, count: 2n },
      { matches: 2, count: 1n },
    ],
  );
  const singles = Array.from({ length: 20 }, (_, at) => [at + 1]);
  assert.deepEqual(waysOf(singles, 10, []), [{ matches: 0, count: 184_756n }]);
});

const SIX = { groups: [[1, 2, 3, 6, 9, 12]], plays: [{ spots: 6, stake: "1.00" }], jackpot: false };
const DRAWN = Array.from({ length: 20 }, (_, at) => 3 * (at + 1));
const NONE = { majors: { before: "0.00", after: "0.00", count: 0 }, jackpots: {} };
const words = (prize, more = {}, printed = SIX, totals = NONE) =>
  plain(prizeStep(printed, schedules.standard, DRAWN, totals, said(prize, more)).words);

test("it is said in one sentence", () => {
  assert.equal(words("4.00"), "Your numbers win $4.00 by the rules, and that is what the house says.");
  assert.equal(
    words("1004.00"),
    "Your numbers win $4.00 by the rules; the house says $1,004.00. One of the two is false.",
  );
  assert.equal(
    words("0.00", { void: true }),
    "Your numbers win $4.00. The house declared the prize void and gave the stake back.",
  );
  assert.match(words("9.00", { bonus: "5.00" }), /A bonus of \$5\.00 comes to it, which is the house’s word here\.$/);
  const broken = prizeStep(SIX, { tables: {}, jackpot_spots: [] }, DRAWN, NONE, said("4.00"));
  assert.deepEqual(
    [broken.ok, broken.words],
    [false, "The prize cannot be computed: there is no pay table for 6 numbers."],
  );
});

test("a jackpot alone is all of it, a shared one depends on the others, one that nobody paid is wrong", () => {
  const all = { ...SIX, groups: [[3, 6, 9, 12, 15, 18]], jackpot: true };
  const paid = (ways) => ({ ...NONE, jackpots: { 6: { amount: "5000.00", ways } } });
  assert.match(words("5000.00", {}, all, paid(1)), /that is what the house says/);
  assert.match(words("4999.99", {}, all, paid(1)), /One of the two is false/);
  assert.match(words("2500.00", {}, all, paid(2)), /the jackpot was shared with others, by what each had staked/);
  assert.match(words("0.00", {}, all), /no jackpot is said to have been won in this game/);
});

test("majors beyond $50,000 are a share between what is held and what the factor gives", () => {
  const ten = { groups: [DRAWN.slice(0, 9)], plays: [{ spots: 9, stake: "2.00" }], jackpot: false };
  const within = (count) => ({ ...NONE, majors: { before: "80000.00", after: "50000.00", count } });
  assert.match(words("25000.00", {}, ten, within(2)), /so each is a share that depends on the others/);
  assert.match(words("25000.02", {}, ten, within(2)), /One of the two is false/);
  assert.match(words("200.00", {}, ten, within(250)), /win \$200\.00 by the rules, and that is what/);
});
