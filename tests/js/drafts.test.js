// What was typed is kept for who typed it; what is secret never, and nothing after the form has done its work.
import assert from "node:assert/strict";
import { test } from "node:test";
import { isFresh, isKept, KEPT_MS, typed } from "../../web/static/web/drafts.js";

const field = (parts) => ({ type: "text", name: "why", value: "", defaultValue: "", autocomplete: "", ...parts });

test("secrets, files and tokens are never kept", () => {
  assert.ok(isKept(field()));
  for (const parts of [
    { type: "password" },
    { type: "hidden", name: "csrfmiddlewaretoken" },
    { type: "file" },
    { name: "" },
    { autocomplete: "one-time-code" },
    { autocomplete: "current-password" },
    { name: "code" },
  ])
    assert.equal(isKept(field(parts)), false);
});

test("only what was changed is kept, boxes by what they stand for", () => {
  const fields = [
    field({ value: "Busier evenings." }),
    field({ name: "code2", value: "as it came", defaultValue: "as it came" }),
    { type: "checkbox", name: "ways", value: "3", checked: true, defaultChecked: false },
    { type: "select-one", name: "method", value: "cheque", before: "cash" },
    { type: "select-one", name: "day", value: "mon", before: "mon" },
    field({ type: "password", name: "secret", value: "x" }),
  ];
  assert.deepEqual(typed(fields), { why: "Busier evenings.", "ways=3": true, method: "cheque" });
});

test("it is put back for the same person, within the hour, unless the form was done", () => {
  const draft = { person: "wendy", at: 1000, sent: true, values: {} };
  assert.ok(isFresh(draft, { person: "wendy", now: 2000, done: false }));
  assert.equal(isFresh(draft, { person: "wendy", now: 2000, done: true }), false);
  assert.ok(isFresh({ ...draft, sent: false }, { person: "wendy", now: 2000, done: true }));
  assert.equal(isFresh(draft, { person: "sunita", now: 2000, done: false }), false);
  assert.equal(isFresh(draft, { person: "wendy", now: 1000 + KEPT_MS, done: false }), false);
  assert.equal(isFresh(null, { person: "wendy", now: 2000, done: false }), false);
});
