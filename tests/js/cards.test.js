// Cards tapped in at a disputed pot, without the page.
import assert from "node:assert/strict";
import { test } from "node:test";

import { cardsIn, put, taken } from "../../tablegames/static/tablegames/cards.js";

const ROUND = "1 20 AH kc\n2: 25 QS\n3 5 folded";

test("the cards of a text are found however they are written, and amounts and seats are none", () => {
  assert.deepEqual(cardsIn(ROUND), ["AH", "KC", "QS"]);
  assert.deepEqual(cardsIn("JK 10H 1H TH"), ["JK", "TH"]);
});

test("a tapped card goes to the end of the line that was written in last", () => {
  const second = ROUND.indexOf("25");
  const { text, caret } = put(ROUND, second, "QH");
  assert.equal(text, "1 20 AH kc\n2: 25 QS QH\n3 5 folded");
  assert.equal(text.slice(0, caret), "1 20 AH kc\n2: 25 QS QH");
  assert.deepEqual(put("", 0, "AS"), { text: "AS", caret: 2 });
  assert.equal(put("AS ", 3, "KD").text, "AS KD");
});

test("tapped again it comes out, and nothing else does", () => {
  assert.equal(taken(ROUND, "KC"), "1 20 AH\n2: 25 QS\n3 5 folded");
  assert.equal(taken(ROUND, "AH"), "1 20 kc\n2: 25 QS\n3 5 folded");
  assert.equal(taken("AS KD 9H", "KD"), "AS 9H");
  assert.equal(taken(ROUND, "2S"), ROUND);
});
