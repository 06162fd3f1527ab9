// The arithmetic of the check page against the published vectors (docs/proof/vectors.json), without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { check, Generator, hex, holds, unhex } from "../../signage/static/signage/proof.js";

const vectors = JSON.parse(readFileSync(new URL("../../docs/proof/vectors.json", import.meta.url)));

test("the generator gives the published blocks", async () => {
  const { entropy, nonce, personalisation, blocks } = vectors.generator;
  const stream = await Generator.from(unhex(entropy), unhex(nonce), unhex(personalisation));
  for (const block of blocks) assert.equal(hex(await stream.block()), block);
});

test("a proof that cannot be read is no proof", async () => {
  for (const broken of [null, [], {}, { version: 2 }]) assert.equal(holds(await check(broken)), false);
});
