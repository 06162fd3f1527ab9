// The arithmetic of the check page against the published vectors (docs/proof/vectors.json), without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  checkMembership,
  Generator,
  hex,
  holds,
  pickInWords,
  picks,
  unhex,
} from "../../signage/static/signage/proof.js";

const vectors = JSON.parse(readFileSync(new URL("../../docs/proof/vectors.json", import.meta.url)));

test("the generator gives the published blocks", async () => {
  const { entropy, nonce, personalisation, blocks } = vectors.generator;
  const stream = await Generator.from(unhex(entropy), unhex(nonce), unhex(personalisation));
  for (const block of blocks) assert.equal(hex(await stream.block()), block);
});

for (const { entropy, nonce, personalisation, pool, numbers, steps } of vectors.numbers)
  test(`${numbers.length} of ${pool} numbers`, async () => {
    const stream = await Generator.from(unhex(entropy), unhex(nonce), unhex(personalisation));
    const drawn = await picks(stream, pool, numbers.length);
    assert.deepEqual(
      drawn.map((pick) => pick.number),
      numbers,
    );
    assert.deepEqual(
      drawn.map((pick, at) => pickInWords(at + 1, pick)),
      steps,
    );
  });

const failing = (steps) => steps.filter((step) => !step.ok).map((step) => step.name);
for (const sealed of vectors.sets)
  test(`entries of a set of ${sealed.ticket_count}`, async () => {
    for (const entry of [...sealed.entries, ...sealed.leaves])
      assert.deepEqual(failing(await checkMembership(entry, sealed)), []);
    for (const entry of sealed.entries)
      assert.deepEqual(failing(await checkMembership({ ...entry, entry: `${entry.entry} ` }, sealed)), ["entry"]);
  });

test("an entry that cannot be read is in no set", async () => {
  for (const broken of [null, [], {}, { version: 2 }])
    assert.equal(holds(await checkMembership(broken, vectors.sets[0])), false);
});
