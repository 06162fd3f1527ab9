/* What scripts say is recognised, and written in German: by the list of examples that Python is held to. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { figures } from "../../web/static/web/german.js";
import { sayer } from "../../web/static/web/language.js";

const examples = JSON.parse(readFileSync(new URL("../world/german_figures.json", import.meta.url), "utf8"));

test("figures are written as Python writes them", () => {
  for (const [english, german] of examples) assert.equal(figures(english), german);
});

const say = sayer({
  whole: { "No game is open": "Kein Spiel ist offen", "Not won yet": "Noch nicht gewonnen", constructor: "nie" },
  patterns: [
    ["^Last\\s+win\\s+([\\s\\S]*?)\\s+([\\s\\S]*?),\\s+([\\s\\S]*?)$", [1, 2, 3], "Letzter Gewinn {1}\n{2}, {3}"],
    ["^You\\s+matched\\s+([\\d.,\\u202f]+)\\s+of\\s+([\\d.,\\u202f]+)$", [1, 2], "Sie haben {#1} von {#2} getroffen"],
    ["^([\\d.,\\u202f]+)\\s+of\\s+([\\d.,\\u202f]+)$", [1, 2], "{#1} von {#2}"],
  ],
});

test("a sentence is known by its words, and what was put in is written in German", () => {
  assert.equal(say("No game is open"), "Kein Spiel ist offen");
  assert.equal(
    say("Last win $8,000.00\nCSP-01, Mon 16 Nov, 21:04"),
    "Letzter Gewinn 8.000,00\u00a0$\nCSP-01, Mo., 16. Nov., 21:04",
  );
  assert.equal(say("You matched 4 of 6: $8.00"), "Sie haben 4 von 6 getroffen: 8,00\u00a0$");
});

test("what is nobody’s sentence stays as it is, white space and all", () => {
  for (const text of ["Sunita Rao", " 7K2M-X0Q4 ", "toString", "", "\n  ", "open source"])
    assert.equal(say(text), text);
});

test("what is German already is not changed again", () => {
  for (const text of ["Kein Spiel ist offen", "Letzter Gewinn 8.000,00\u00a0$\nCSP-01, Mo., 16. Nov., 21:04"])
    assert.equal(say(text), text);
});
