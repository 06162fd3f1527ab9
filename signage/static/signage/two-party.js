/* The check of a draw between two parties, in your own browser: docs/proof/draws.md in JavaScript, with nothing but
   WebCrypto. Pure: nothing here talks to the house. */

import { Generator, HASH, hex, hmac, pack, pickInWords, picks, sha256, unhex, whole } from "./proof.js";

const ALGORITHM = "meterhouse/draw/2";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._:/-]{0,199}$/,
  TEXT = /^[\x20-\x7e]{0,200}$/,
  BYTES = /^(?:[0-9a-f]{2}){1,2048}$/;
/* The one DER form of an RSA key of 3072 bits with the exponent 65537. */
const RSA_HEAD = "308201a2300d06092a864886f70d01010105000382018f003082018a0282018100",
  RSA_TAIL = "0203010001",
  RSA_BYTES = 384;
const QUESTION = "venue purpose occasion attempt root count act_index origin size checkpoint_root".split(" ");
const INTEGER_LIMIT = Number.MAX_SAFE_INTEGER;
/* drand's quicknet: a round every three seconds. */
const FIRST_ROUND_AT = 1692803367;

const step = (name, ok, words, details = []) => ({ name, ok, words, details });
const isText = (value) => typeof value === "string" && TEXT.test(value);

/* The key's bytes from its PEM; null where it is not written in its one form. */
export function keyOf(pem) {
  if (typeof pem !== "string" || pem.length > 2048) return null;
  const body = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/=\n]+)-----END PUBLIC KEY-----\n?$/.exec(pem);
  if (!body) return null;
  let key;
  try {
    key = hex(Uint8Array.from(atob(body[1].replaceAll("\n", "")), (letter) => letter.charCodeAt(0)));
  } catch {
    return null;
  }
  const sized = key.length === RSA_HEAD.length + 2 * RSA_BYTES + RSA_TAIL.length;
  return sized && key.startsWith(RSA_HEAD) && key.endsWith(RSA_TAIL) ? unhex(key) : null;
}

function questionFault(asked) {
  if (asked === null || typeof asked !== "object") return "The question is an object.";
  if (Object.keys(asked).sort().join() !== [...QUESTION].sort().join())
    return "The question has exactly its ten fields.";
  for (const name of ["venue", "purpose", "occasion", "origin"])
    if (typeof asked[name] !== "string" || !NAME.test(asked[name]))
      return `The ${name} of a question is 1 to 200 letters, digits and . _ : / -`;
  for (const [name, least] of Object.entries({ attempt: 1, count: 0, act_index: 0, size: 1 }))
    if (!whole(asked[name], least, INTEGER_LIMIT))
      return `The ${name} of a question is a whole number from ${least} on.`;
  for (const name of ["root", "checkpoint_root"])
    if (typeof asked[name] !== "string" || !HASH.test(asked[name])) return `The ${name} of a question is 32 bytes.`;
  return asked.act_index < asked.size ? null : "The act that seals the root stands in the log that is shown.";
}

/* What makes a proof unreadable, as a sentence; null where it can be read. */
export function fault(proof) {
  if (proof === null || typeof proof !== "object" || Array.isArray(proof)) return "A proof is a JSON object.";
  if (proof.version !== 2) return "This check reads proofs of version 2.";
  if (proof.algorithm !== ALGORITHM) return `This check knows one algorithm: ${ALGORITHM}.`;
  for (const name of ["venue", "purpose", "occasion", "device"])
    if (!isText(proof[name]) || !proof[name]) return `${name} is a text of 1 to 200 printable ASCII characters.`;
  if (!isText(proof.beacon)) return "beacon is a text, or empty.";
  if (!isText(proof.witness?.name) || !proof.witness.name)
    return "witness is an object with its name and its key, rsa.";
  if (!keyOf(proof.witness.rsa)) return "The witness’s key is an RSA key of 3072 bits, written as a PEM file.";
  for (const name of ["commitment", "master", "ticket_root"])
    if (typeof proof[name] !== "string" || !HASH.test(proof[name]))
      return `${name} is written as 64 small hexadecimal digits.`;
  if (!whole(proof.attempt, 1, INTEGER_LIMIT) || !whole(proof.ticket_count, 0, INTEGER_LIMIT))
    return "Attempts and tickets are counted.";
  if (!["witness", "dice", "beacon"].includes(proof.how)) return "Nobody knows how this was answered.";
  if (typeof proof.said !== "string" || !BYTES.test(proof.said)) return "said is written as small hexadecimal digits.";
  return questionFault(proof.question) ?? roundFault(proof) ?? drawnFault(proof);
}

function roundFault({ beacon, beacon_round: heard }) {
  if (Boolean(beacon) !== (heard !== null && heard !== undefined))
    return "A round of the beacon is part of the draw exactly where the promise names a beacon.";
  if (!beacon) return null;
  const read = whole(heard.round, 1, INTEGER_LIMIT) && whole(heard.at, 1, INTEGER_LIMIT) && BYTES.test(heard.signature);
  return read ? null : "beacon_round is an object with round, signature and at.";
}

function drawnFault({ pool, numbers }) {
  if (!whole(pool, 1, 2 ** 32)) return "The pool is a whole number from 1 to 4294967296.";
  if (!Array.isArray(numbers) || !numbers.every((number) => whole(number, 1, pool)))
    return `The numbers are a list of whole numbers from 1 to ${pool}.`;
  const once = numbers.length && new Set(numbers).size === numbers.length;
  return once ? null : "At least one number is drawn, and none twice.";
}

const messageOf = (asked) =>
  pack(
    "meterhouse/witness/2",
    ...QUESTION.map((name) => (name === "root" || name === "checkpoint_root" ? unhex(asked[name]) : asked[name])),
  );

/* The fields of a packed list; null where it is none. */
export function unpack(bytes) {
  const fields = [];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let at = 0; at < bytes.length; ) {
    if (bytes.length - at < 4) return null;
    const size = view.getUint32(at);
    if (bytes.length - at - 4 < size) return null;
    fields.push(bytes.slice(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return fields;
}

async function isSigned(rsa, message, signature) {
  if (signature.length !== RSA_BYTES) return false;
  const way = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("spki", rsa, way, false, ["verify"]);
  return crypto.subtle.verify(way, key, signature, message);
}

async function secondParty(proof, message) {
  const said = unhex(proof.said);
  if (proof.how === "witness") {
    const ok = await isSigned(keyOf(proof.witness.rsa), message, said);
    return step(
      "witness",
      ok,
      ok
        ? `The witness ${proof.witness.name} has signed this question, and there is only this one signature of it: ` +
            "nobody could choose it, and the house could not know it before it asked."
        : `This is not the signature of the witness ${proof.witness.name} under this question.`,
      [`What is signed: ${hex(message)}`, `The signature: ${proof.said}`],
    );
  }
  const [tag, ...fields] = (unpack(said) ?? []).map((field) => new TextDecoder("latin1").decode(field));
  const away = "No witness took part in this attempt: it was away.";
  if (proof.how === "dice") {
    const thrown = tag === "meterhouse/dice/2" && fields.length === 1 && /^[1-6]{50,}$/.test(fields[0]);
    const words = `${away} An inspector threw dice in its place, after the tickets were sealed.`;
    return step("unwitnessed", thrown, thrown ? words : "What stands in the witness’s place are no throws of dice.", [
      `Thrown: ${fields[0]}`,
    ]);
  }
  const named = tag === "meterhouse/beacon/2" && fields.length === 2 && fields[0].length === 8 && fields[1];
  return step(
    "unwitnessed",
    Boolean(named),
    named
      ? `${away} An inspector named a public round of drand that was still to come. Compare it with what drand publishes.`
      : "What stands in the witness’s place is no round of a beacon.",
    [proof.said],
  );
}

function beaconStep({ beacon, beacon_round: heard }) {
  const rule = /^drand-quicknet\+([0-9]+)$/.exec(beacon);
  const delay = rule ? Number(rule[1]) : 0;
  if (delay < 10 || delay > 3600)
    return step("beacon", false, `The promise names a beacon that nobody knows: ${beacon}.`);
  const due = Math.floor((heard.at + delay - FIRST_ROUND_AT) / 3) + 2;
  return step(
    "beacon",
    heard.round === due,
    heard.round === due
      ? `Round ${due} of the public beacon takes part, as was promised. Compare its signature with what drand publishes.`
      : `The promise means round ${due} of the public beacon; in this proof it is round ${heard.round}.`,
    [`Signature of the round: ${heard.signature}`],
  );
}

/* The steps of the check: [{name, ok, words, details}]. Sound only if every step is ok. */
export async function check(proof, { commitment, root } = {}) {
  const wrong = fault(proof);
  if (wrong) return [step("form", false, wrong)];
  const steps = [step("form", true, "The proof can be read: every part is there and has the right form.")];
  const same = (name, noted, proven) => {
    const ok = noted.trim().toLowerCase() === proven;
    const words = ok ? "It is exactly what was published then." : "It is not what was published then.";
    steps.push(step(name, ok, words, [`Published then: ${noted}`, `In this proof:  ${proven}`]));
  };
  if (commitment) same("published commitment", commitment, proof.commitment);
  if (root) same("published ticket root", root, proof.ticket_root);
  steps.push(await commitmentStep(proof), questionStep(proof));
  const message = messageOf(proof.question);
  steps.push(await secondParty(proof, message));
  if (proof.beacon) steps.push(beaconStep(proof));
  steps.push(await numbersStep(proof, message));
  return steps;
}

async function commitmentStep(proof) {
  const key = await sha256(keyOf(proof.witness.rsa));
  const promise = [proof.venue, proof.purpose, proof.occasion, proof.device, key, proof.beacon];
  const promised = pack("meterhouse/commitment/2", ALGORITHM, ...promise, unhex(proof.master));
  const computed = hex(await sha256(promised)),
    ok = computed === proof.commitment;
  return step(
    "commitment",
    ok,
    ok
      ? "The revealed secret, the device and the witness’s key hash to exactly the promise made before: the house kept it."
      : "The revealed secret does not hash to the promise: this is not what was promised.",
    [`What is hashed: ${hex(promised)}`, `Its SHA-256:    ${computed}`, `The promise:    ${proof.commitment}`],
  );
}

function questionStep({ question, ...proof }) {
  const pairs = [
    ["venue", question.venue, proof.venue],
    ["purpose", question.purpose, proof.purpose],
    ["occasion", question.occasion, proof.occasion],
    ["attempt", question.attempt, proof.attempt],
    ["ticket root", question.root, proof.ticket_root],
    ["number of tickets", question.count, proof.ticket_count],
  ];
  const other = pairs.filter(([, asked, ours]) => asked !== ours).map(([what]) => what);
  return step(
    "question",
    !other.length,
    other.length
      ? `The question is about another draw: its ${other.join(", ")} is not this one’s.`
      : `It is about attempt ${proof.attempt} at this draw and its ${proof.ticket_count} sealed tickets, under the log’s head of ${question.size} rows.`,
    pairs.map(([what, asked]) => `${what}: ${asked}`),
  );
}

async function numbersStep(proof, message) {
  const { venue, purpose, occasion, attempt } = proof.question;
  const seed = await hmac(unhex(proof.master), pack("meterhouse/seed/2", venue, purpose, occasion, attempt));
  const nonce = (await sha256(pack("meterhouse/nonce/2", venue, purpose, occasion, attempt))).slice(0, 16);
  const round = proof.beacon_round;
  const heard = proof.beacon ? pack("meterhouse/beacon/2", round.round, unhex(round.signature)) : new Uint8Array(0);
  const bound = pack(ALGORITHM, message, proof.how, unhex(proof.said), heard);
  const drawn = await picks(await Generator.from(seed, nonce, bound), proof.pool, proof.numbers.length);
  const first = drawn.findIndex((pick, at) => pick.number !== proof.numbers[at]);
  return step(
    "numbers",
    first < 0,
    first < 0
      ? `The house’s secret and what was said to it give exactly these ${drawn.length} of ${proof.pool} numbers, in this order.`
      : "The house’s secret and what was said to it give other numbers: " +
          `number ${first + 1} should be ${drawn[first].number}, the proof says ${proof.numbers[first]}.`,
    [
      `Seed of the attempt: ${hex(seed)}`,
      `Nonce: ${hex(nonce)}`,
      `Bound to: ${hex(bound)}`,
      ...drawn.map((pick, at) => pickInWords(at + 1, pick)),
    ],
  );
}
