// What a receipt's QR code carries, checked as the page does. The papers are made here, with keys of this test.
import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { test } from "node:test";
import {
  commitmentStep,
  headStep,
  isContinued,
  leafStep,
  readHead,
  readKey,
  readPaper,
  signatureStep,
} from "../../signage/static/signage/paper.js";
import { hex, pack } from "../../signage/static/signage/proof.js";

const bytes = (size, fill) => new Uint8Array(size).fill(fill);
const hash = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const raw = publicKey.export({ type: "spki", format: "der" }).subarray(-32);
const NAME = "meterhouse.receipts/0123";
const typed = Buffer.concat([Buffer.from([1]), raw]);
const id = hash(Buffer.from(`${NAME}\n`), typed).subarray(0, 4);
const LINES = [
  `meterhouse.log/0123+00000000+${typed.toString("base64")}`,
  `${NAME}+${id.toString("hex")}+${typed.toString("base64")}`,
];

/* A tree of so many leaves, by the book: its root, and proofs between sizes (RFC 6962, 2.1). */
const leaves = Array.from({ length: 40 }, (_, at) => hash(Buffer.from([0, at])));
const split = (count) => 2 ** Math.ceil(Math.log2(count) - 1);
const root = (list) =>
  list.length === 1
    ? list[0]
    : hash(Buffer.from([1]), root(list.slice(0, split(list.length))), root(list.slice(split(list.length))));
function subproof(old, list, whole) {
  if (old === list.length) return whole ? [] : [root(list)];
  const k = split(list.length);
  return old <= k
    ? [...subproof(old, list.slice(0, k), whole), root(list.slice(k))]
    : [...subproof(old - k, list.slice(k), false), root(list.slice(0, k))];
}
const prove = (old, now) => subproof(old, leaves.slice(0, now), true).map((each) => each.toString("base64"));
const at = (size) => root(leaves.slice(0, size)).toString("hex");

function paperOf({ size = 5, rootOf = at(size), key = privateKey, ...other } = {}) {
  const said = {
    origin: "meterhouse.log/0123",
    leaf: bytes(32, 7),
    commitment: bytes(32, 8),
    witness: "http://w",
    ...other,
  };
  const statement = pack(
    "meterhouse/paper/1",
    said.origin,
    said.leaf,
    said.commitment,
    size,
    Buffer.from(rootOf, "hex"),
    1763337802,
    id,
    bytes(4, 9),
    said.witness,
  );
  return `mh1.${Buffer.concat([statement, sign(null, statement, key)]).toString("base64url")}`;
}
const headAt = (size) => ({ origin: "meterhouse.log/0123", size, root: at(size) });

test("the text is read wherever it stands", () => {
  const text = paperOf();
  for (const where of [text, `https://x/verify/?game=1#serial=7K&code=3F&paper=${text}`, `https://x/verify/#${text}`]) {
    const paper = readPaper(where);
    assert.equal(paper.origin, "meterhouse.log/0123");
    assert.deepEqual([paper.size, paper.leaf, paper.root], [5, "07".repeat(32), at(5)]);
  }
  for (const wrong of ["", "mh1.", "mh1.AAAA", `${text}AAAA`, text.slice(0, 60), "https://x/verify/#serial=7K&code=3F"])
    assert.equal(readPaper(wrong), null, wrong);
});

test("the house's signature is checked here", async () => {
  assert.equal((await readKey(LINES[1])).id, id.toString("hex"));
  assert.equal((await signatureStep(readPaper(paperOf()), LINES, false)).ok, true);
  const forger = generateKeyPairSync("ed25519").privateKey;
  const forged = await signatureStep(readPaper(paperOf({ key: forger })), LINES, true); // whatever the house says
  assert.equal(forged.ok, false);
  assert.match(forged.words, /forged/);
  assert.equal((await signatureStep(readPaper(paperOf()), LINES.slice(0, 1), true)).ok, false);
});

test("a browser without such signatures takes the house's word, and says so", async () => {
  const { importKey } = crypto.subtle;
  crypto.subtle.importKey = () => Promise.reject(new DOMException("no", "NotSupportedError"));
  try {
    const said = await signatureStep(readPaper(paperOf()), LINES, true);
    assert.equal(said.ok, true);
    assert.match(said.words, /own word/);
    assert.equal((await signatureStep(readPaper(paperOf()), LINES, false)).ok, false);
  } finally {
    crypto.subtle.importKey = importKey;
  }
});

test("every smaller log is the beginning of every larger one, and of no other", async () => {
  for (let now = 1; now <= 40; now++)
    for (let old = 1; old <= now; old++) {
      const asked = { old, oldRoot: at(old), now, root: at(now), path: prove(old, now) };
      assert.equal(await isContinued(asked), true, `${old} ${now}`);
      assert.equal(await isContinued({ ...asked, oldRoot: "00".repeat(32) }), false);
      assert.equal(await isContinued({ ...asked, root: "00".repeat(32) }), false);
      if (asked.path.length) assert.equal(await isContinued({ ...asked, path: asked.path.slice(1) }), false);
    }
});

test("a rewritten log, a shorter one and another one are each told in a sentence", async () => {
  const paper = readPaper(paperOf());
  const fine = await headStep(paper, headAt(12), prove);
  assert.equal(fine.ok, true);
  const other = readPaper(paperOf({ rootOf: at(6) }));
  assert.match((await headStep(other, headAt(12), prove)).words, /^History was rewritten/);
  assert.match((await headStep(paper, headAt(4), prove)).words, /^History was rewritten/);
  assert.match((await headStep(paper, { ...headAt(12), origin: "x" }, prove)).words, /another log/);
  assert.equal((await headStep(paper, null, prove)).ok, false);
  assert.equal((await headStep(paper, headAt(5), () => assert.fail("not asked"))).ok, true);
  assert.equal((await headStep(readPaper(paperOf({ size: 0, rootOf: hex(bytes(32, 0)) })), headAt(5), prove)).ok, true);
  assert.equal((await headStep(paper, headAt(12), async () => ["%%%"])).ok, false);
});

test("promise and ticket are those on record", () => {
  const paper = readPaper(paperOf());
  assert.equal(commitmentStep(paper, "08".repeat(32)).ok, true);
  assert.match(commitmentStep(paper, "09".repeat(32)).words, /exchanged/);
  assert.equal(commitmentStep(paper, null).ok, false);
  assert.equal(commitmentStep(readPaper(paperOf({ commitment: bytes(32, 0) })), null).ok, true);
  assert.equal(leafStep(paper, "07".repeat(32)).ok, true);
  assert.equal(leafStep(paper, "06".repeat(32)).ok, false);
});

test("a head is read from a checkpoint", () => {
  const note = `meterhouse.log/0123\n12\n${Buffer.from(at(12), "hex").toString("base64")}\nseal 3\n\n— x y\n`;
  assert.deepEqual(readHead(note), headAt(12));
  for (const wrong of ["", "a\nb\nc", "a\n12\nAAAA"]) assert.equal(readHead(wrong), null);
});
