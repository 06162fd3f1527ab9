// What the boards, the check page and the terminals write and read, without a page. `node --test tests/js/`.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cosignedInWords,
  counted,
  fours,
  gameName,
  gamesInWords,
  historyInWords,
  money,
  readReceipt,
} from "../../signage/static/signage/words.js";
import { inMinutes, ServerClock } from "../../web/static/web/clock.js";
import { daysLeft, minutesLeft } from "../../web/static/web/countdown.js";
import { cents, dollars, wire } from "../../web/static/web/money.js";
import { heard } from "../../web/static/web/shortcuts.js";

test("an amount goes from the hand to the wire and back to the page", () => {
  assert.deepEqual(["12.5", "$1,234.56", "-3", ".07", "0"].map(cents), [1250, 123456, -300, 7, 0]);
  assert.ok(["", ".", "1.234", "12x", "$"].every((text) => Number.isNaN(cents(text))));
  assert.deepEqual([1250, -305, 7].map(wire), ["12.50", "-3.05", "0.07"]);
  assert.equal(dollars(123456789), "$1,234,567.89");
  assert.equal(dollars(-5), "−$0.05");
});

test("a board writes figures in threes", () => {
  assert.equal(money("1048213.50"), "$1,048,213.50");
  assert.equal(gameName(1048213), "1\u202f048\u202f213");
  assert.equal(counted(1380688), "1,380,688");
  assert.equal(fours(`root ${"ab".repeat(16)}`), `root ${Array(8).fill("abab").join(" ")}`);
});

test("what is left is counted in minutes, hours and days", () => {
  assert.deepEqual([0, 59, 61].map(minutesLeft), ["0:00", "0:59", "1:01"]);
  assert.deepEqual([3_661, 86_400 + 59].map(daysLeft), ["1:01:01", "1 d 0:00:59"]);
  assert.deepEqual([0.2, 3_600].map(inMinutes), ["0:01", "1:00:00"]);
});

test("the server's clock counts, by its quickest answer", () => {
  const clock = new ServerClock();
  assert.equal(clock.known, false);
  const sent = performance.now();
  clock.heard(new Date(1_000_000).toISOString(), sent, sent + 20);
  clock.heard(new Date(9_000_000).toISOString(), sent, sent + 4_000); // slow: it says less
  assert.ok(Math.abs(clock.now() - 1_000_000) < 1_000);
  assert.ok(Math.abs(clock.secondsUntil(new Date(1_030_000).toISOString()) - 30) < 1);
});

test("keys pressed shortly after each other belong together", () => {
  const first = heard({ keys: "", at: 0 }, "g", 5_000);
  assert.equal(first.keys, "g");
  assert.equal(heard(first, "k", 5_900).keys, "g k");
  assert.equal(heard(first, "k", 7_000).keys, "k");
  assert.equal(heard(heard(first, "k", 5_900), "x", 6_000).keys, "x");
});

test("a receipt's code, its address, or what somebody typed", () => {
  assert.deepEqual(readReceipt("keno:ABCD:1234:7-7"), { serial: "ABCD", code: "1234", game: "7" });
  assert.deepEqual(readReceipt("KENO:ABCD:1234:7-9"), { serial: "ABCD", code: "1234", game: "" });
  const found = readReceipt("https://house.example/verify/?game=7#serial=ABCD&code=1234");
  assert.deepEqual(found, { game: "7", serial: "ABCD", code: "1234", paper: "" });
  assert.equal(readReceipt("https://x/verify/#serial=ABCD&code=1234&paper=mh1.AA-_").paper, "mh1.AA-_");
  assert.equal(readReceipt("ABCD 1234"), null);
  assert.equal(gamesInWords({ first_game: 7, plays_to: 7 }), "game 7");
  assert.equal(gamesInWords({ first_game: 7, plays_to: 9 }), "games 7 to 9");
});

test("what went wrong on the way is told first", () => {
  const fine = { attempt: 1, waits: false, unwitnessed: null, void: null };
  assert.deepEqual(historyInWords({ attempts: [fine] }), []);
  assert.deepEqual(historyInWords({}), []);
  assert.deepEqual(historyInWords({ attempts: [{ ...fine, void: { cause: "power cut", numbers: [4, 8] } }] }), [
    "Attempt 1 was declared void: power cut. These numbers would have come: 4, 8.",
  ]);
  assert.deepEqual(historyInWords({ attempts: [{ ...fine, waits: true }] }), [
    "Attempt 1 waits: the witness has not answered yet.",
  ]);
  assert.match(
    historyInWords({ attempts: [{ ...fine, unwitnessed: { how: "dice", why: "line down" } }] })[0],
    /threw dice/,
  );
  assert.deepEqual(historyInWords({ void: [{ attempt: 1, cause: "malfunction", numbers: [9] }] }), [
    "Attempt 1 was declared void: malfunction. Drawn until then: 9.",
  ]);
  assert.match(
    historyInWords({ attempts: [{ ...fine, unwitnessed: { how: "beacon", why: "line down" } }] })[0],
    /public round/,
  );
  assert.deepEqual(historyInWords({ resettled: { why: "Camera 4.", recorded: [1, 2], numbers: [80, 2] } }), [
    "This game was settled again, because its balls had been recorded wrongly: Camera 4. Recorded were 1, 2. Drawn were 80, 2.",
  ]);
});

test("a board says where the witness of a checkpoint stands", () => {
  const head = "meterhouse.log/abc\n1234\nAAAA\n\n— meterhouse.log/abc c2ln\n";
  assert.equal(cosignedInWords(`${head}— witness.example/keno c2ln\n`), "");
  assert.equal(cosignedInWords(`${head}— same-machine.x/keno c2ln\n`), "same-machine witness");
  assert.equal(cosignedInWords(head), "no witness");
  assert.equal(cosignedInWords(null), "no witness");
});
