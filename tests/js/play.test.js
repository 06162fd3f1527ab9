// The entry form without its page: numbers picked evenly, what is said, and its code as the terminal reads it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readEntry } from "../../keno/static/keno/entry-code.js";
import { Marking } from "../../keno/static/keno/marking.js";
import { TerminalState } from "../../keno/static/keno/state.js";
import {
  below,
  markedInWords,
  oddsInWords,
  pickNumbers,
  pricedInWords,
} from "../../signage/static/signage/play-words.js";
import * as money from "../../web/static/web/money.js";
import { scanned } from "../../web/static/web/scan.js";

test("picked numbers are different ones of eighty, wherever chance points", () => {
  assert.deepEqual(
    pickNumbers(3, () => 0),
    [1, 2, 3],
  );
  assert.deepEqual(
    pickNumbers(3, (limit) => limit - 1),
    [78, 79, 80],
  );
  assert.equal(new Set(pickNumbers(80, (limit) => limit >> 1)).size, 80);
});

test("a byte that would favour the first numbers is thrown away", () => {
  const bytes = [240, 255, 239]; // 240 = 3 × 80: above it the rest of 256 begins
  assert.equal(
    below(80, (into) => into.fill(bytes.shift())),
    79,
  );
  assert.deepEqual(bytes, []);
});

test("what is marked and what it costs, in words", () => {
  const marking = new Marking();
  assert.equal(markedInWords(marking), "Nothing is marked yet.");
  marking.toggle(4);
  assert.equal(markedInWords(marking), "1 number.");
  marking.newGroup();
  marking.toggle(8);
  assert.equal(markedInWords(marking), "2 numbers in 2 groups.");
  assert.deepEqual(pricedInWords({ price: "1470.50", ways: 6, games: 50, charged_games: 49 }), {
    price: "$1,470.50",
    played: "6 ways, 50 games, 1 of them free.",
  });
  const play = { spots: 1, ways: 1, stake: "1.00", any_prize: "1 in 4.00", top_prize: "1 in 4.00", returned: "75.0%" };
  assert.match(oddsInWords(play), /^1 way of 1 number at \$1\.00: any prize 1 in 4\.00, .* 75\.0% comes back/);
});

test("the terminal reads the code into what the player had marked", () => {
  const code = "KENO:PLAY:1:1.2.3+11.12:2*1.00+5*0.50:3:STANDARD:-";
  assert.deepEqual(scanned(code), { entry: code });
  const marking = new Marking();
  marking.load(readEntry(code.toLowerCase())); // a scanner may type small letters
  assert.deepEqual(marking.request(), {
    groups: [
      [1, 2, 3],
      [11, 12],
    ],
    plays: [
      { spots: 2, stake: "1.00" },
      { spots: 5, stake: "0.50" },
    ],
    games: 3,
    schedule: "standard",
    jackpot: false,
  });
  marking.load(readEntry("KENO:PLAY:1:4.8.15.16.23.42:6*2.00:1:SPECIAL-2:J"));
  assert.deepEqual(marking.request(), {
    numbers: [4, 8, 15, 16, 23, 42],
    stake: "2.00",
    games: 1,
    schedule: "special-2",
    jackpot: true,
  });
});

test("what is no entry form is none, and a receipt is still a receipt", () => {
  for (const text of [
    "KENO:PLAY:1:4.8:2*2.00:1:STANDARD:X",
    "KENO:PLAY:1:4.81:2*2.00:1:STANDARD:J",
    "KENO:PLAY:1:4.4:2*2.00:1:STANDARD:J",
    "KENO:PLAY:1:4..8:2*2.00:1:STANDARD:J",
    "KENO:PLAY:1:4.8:2*2:1:STANDARD:J",
    "KENO:PLAY:2:4.8:2*2.00:1:STANDARD:J",
  ])
    assert.equal(readEntry(text), null, text);
  assert.deepEqual(scanned("keno:7K2MX0Q4RT9B:3F8D:1-3"), { serial: "7K2MX0Q4RT9B", code: "3F8D" });
});

test("a player's card opens his usual tickets, and one of them is sold on it", () => {
  assert.deepEqual(scanned("keno:card:c-1"), { card: "C-1" });
  const marking = new Marking();
  const state = new TerminalState(money);
  const kept = { numbers: null, groups: [[1, 2], [9]], plays: [{ spots: 3, stake: "2.00" }], games: 5 };
  marking.takeFavourite(
    { ...kept, quick_pick: false, spots: null, set_bet: null, stake: null, schedule: "standard" },
    "C-1",
  );
  assert.equal(state.sale(marking, "k").body.player, "C-1");
  assert.deepEqual(state.sale(marking, "k").body.groups, [[1, 2], [9]]);
  marking.takeFavourite({ quick_pick: true, spots: 6, stake: "1.00", games: 1, schedule: "standard" }, "C-1");
  assert.deepEqual(marking.request().quick_pick, { spots: 6 });
  marking.clear();
  assert.equal(marking.player, null);
});
