// The movement of a jackpot: the amount counts up and ends exact, coins fall and begin anew, and nothing moves for calm eyes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Celebration, COUNT_UP_MS, coin, countedUp, fallen } from "../../signage/static/signage/celebration.js";

test("the amount counts up, never over, and ends to the cent", () => {
  const shown = [0, 200, 900, 2000, COUNT_UP_MS - 1].map((ms) => countedUp("50126.95", ms));
  const worth = shown.map((text) => Number(text.replace(/[$,]/g, "")));
  assert.equal(shown[0], "$0.00");
  assert.deepEqual(
    worth,
    [...worth].sort((a, b) => a - b),
  );
  assert.ok(worth.at(-1) <= 50126.95);
  assert.equal(countedUp("50126.95", COUNT_UP_MS), "$50,126.95");
});

test("coins fall, and come again from above", () => {
  let one = coin(() => 0.5);
  const heights = [];
  for (let step = 0; step < 400; step++) {
    one = fallen(one, 0.05);
    heights.push(one.y);
    assert.ok(one.y <= 1.1 && one.x >= 0 && one.x < 1);
  }
  assert.ok(heights.some((y, at) => at > 0 && y < heights[at - 1]));
});

test("who asks for less motion sees the amount at once, and nothing moves", () => {
  const canvas = { getContext: () => ({ clearRect() {} }) };
  globalThis.cancelAnimationFrame ??= () => {};
  const said = [];
  new Celebration(canvas, { calm: { matches: true } }).begin((text) => said.push(text), "100.00");
  assert.deepEqual(said, ["$100.00"]);
});
