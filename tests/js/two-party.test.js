// The check of a draw between two parties, against the published vectors (docs/proof/draws.json).
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { checkMembership } from "../../signage/static/signage/proof.js";
import { check, fault } from "../../signage/static/signage/two-party.js";

const VECTORS = JSON.parse(readFileSync(new URL("../../docs/proof/draws.json", import.meta.url), "utf8"));
const failing = (steps) => steps.filter((step) => !step.ok).map((step) => step.name);

for (const { what, proof, working, entry } of VECTORS.draws)
  test(`a sound draw: ${what}`, async () => {
    const steps = await check(proof, { commitment: proof.commitment, root: proof.ticket_root });
    assert.deepEqual(failing(steps), []);
    const told = steps.at(-1).details;
    assert.equal(told[0], `Seed of the attempt: ${working.attempt_seed}`);
    assert.equal(told[2], `Bound to: ${working.personalisation}`);
    assert.equal(
      steps.some((step) => step.name === "unwitnessed"),
      proof.how !== "witness",
    );
    if (entry) assert.deepEqual(failing(await checkMembership(entry, proof)), []);
  });

for (const { what, proof, fails } of VECTORS.forged)
  test(`forged: ${what}`, async () => {
    assert.deepEqual(failing(await check(proof)), fails);
  });

test("what a stranger hands in never breaks the check", async () => {
  const sound = VECTORS.draws[0].proof;
  for (const wrong of [null, 7, "x", [], {}, { version: 2 }, { ...sound, question: null }, { ...sound, witness: null }])
    assert.equal(typeof fault(wrong), "string");
  for (const name of Object.keys(sound))
    if (name !== "beacon_round") {
      const { [name]: _, ...without } = sound;
      assert.deepEqual(failing(await check(without)), ["form"], name);
    }
});

test("what was noted before is compared", async () => {
  const { proof } = VECTORS.draws[0];
  const steps = await check(proof, { commitment: "00".repeat(32), root: "00".repeat(32) });
  assert.deepEqual(failing(steps), ["published commitment", "published ticket root"]);
});
