// Arrows in the search: down from the last begins anew, up from the first goes to the last.
import assert from "node:assert/strict";
import { test } from "node:test";
import { step } from "../../web/static/web/walk.js";

test("arrows walk the list and begin anew", () => {
  assert.equal(step(-1, 1, 3), 0);
  assert.equal(step(0, 1, 3), 1);
  assert.equal(step(2, 1, 3), 0);
  assert.equal(step(0, -1, 3), 2);
  assert.equal(step(-1, -1, 3), 2);
  assert.equal(step(0, 1, 0), -1);
});
