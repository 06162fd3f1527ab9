/* What a receipt's QR code carries, checked in your own browser: docs/proof/paper.md in JavaScript. Pure: what the house
   says now is handed in. */

import { hex, join, sha256 } from "./proof.js";
import { unpack } from "./two-party.js";

const FIELDS = {
  origin: "text",
  leaf: 32,
  commitment: 32,
  size: "number",
  root: 32,
  at: "number",
  receipt_key: 4,
  witness_key: 4,
  witness: "text",
};
const NONE = "0".repeat(64);
const utf8 = new TextEncoder();
const step = (name, ok, words, details = []) => ({ name, ok, words, details });

const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const read64 = (text) => {
  try {
    return fromBase64(text);
  } catch {
    return null;
  }
};

/* {statement, signature, origin, leaf, …} from the text, or an address that has it; null where there is none. */
export function readPaper(text) {
  const found = /(?:^|[#&])(?:paper=)?mh1\.([A-Za-z0-9_-]{1,2000})$/.exec(String(text).trim().split("&serial=")[0]);
  const raw = found && read64(found[1].replaceAll("-", "+").replaceAll("_", "/"));
  if (!raw || raw.length < 65) return null;
  const statement = raw.slice(0, -64),
    [tag, ...fields] = unpack(statement) ?? [];
  const names = Object.keys(FIELDS);
  if (!tag || new TextDecoder().decode(tag) !== "meterhouse/paper/1" || fields.length !== names.length) return null;
  const paper = { statement, signature: raw.slice(-64) };
  for (const [at, name] of names.entries()) {
    const kind = FIELDS[name],
      field = fields[at];
    if (kind === "text") paper[name] = new TextDecoder().decode(field);
    else if (field.length !== (kind === "number" ? 8 : kind)) return null;
    else paper[name] = kind === "number" ? Number(BigInt(`0x${hex(field)}`)) : hex(field);
  }
  return paper;
}

/* A line of /log/keys: name+hash+base64. The hash is the key's id, computed here. */
export async function readKey(line) {
  const [, name, encoded] = /^([^+]+)\+[^+]+\+(.+)$/.exec(line) ?? []; // base64 may have a plus of its own
  const raw = encoded && read64(encoded);
  if (raw?.length !== 33) return null;
  const id = (await sha256(join(utf8.encode(`${name}\n`), raw))).slice(0, 4);
  return { name, id: hex(id), public: raw.slice(1) };
}

async function verify(key, message, signature) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, signature, message);
}

/* Signed by a receipt key that the house names? Where the browser has no Ed25519, what the house says of it. */
export async function signatureStep(paper, lines, server) {
  const keys = (await Promise.all(lines.map(readKey))).filter((key) => key?.name.startsWith("meterhouse.receipts/"));
  const key = keys.find((one) => one.id === paper.receipt_key);
  const name = "paper signature";
  if (!key) return step(name, false, "The house names no key that could have signed this receipt.");
  const print = hex(await sha256(key.public)).slice(0, 32);
  const details = [`Compare with what is printed under the code: ${print}`];
  try {
    const ok = await verify(key.public, paper.statement, paper.signature);
    const words = ok
      ? "The house has signed this receipt."
      : "This is not the house’s signature: the receipt is forged.";
    return step(name, ok, words, details);
  } catch {
    const words = server
      ? "The house says that it has signed this receipt. Your browser cannot check such signatures itself: this is the house’s own word."
      : "The house says that it has not signed this receipt: it is forged.";
    return step(name, server === true, words, details);
  }
}

const half = (number) => Math.floor(number / 2),
  odd = (number) => number % 2 === 1;
const node = (left, right) => sha256(join(Uint8Array.of(1), left, right));

/* RFC 6962 (RFC 9162, 2.1.4.2): whether a log of *old* rows with this root is the beginning of one of *now* rows. */
export async function isContinued({ old, oldRoot, now, root, path }) {
  if (old === now) return path.length === 0 && oldRoot === root;
  if (old === 0) return path.length === 0;
  if (old > now) return false;
  const parts = path.map(fromBase64);
  if (Number.isInteger(Math.log2(old)))
    parts.unshift(Uint8Array.from(oldRoot.match(/../g), (pair) => parseInt(pair, 16)));
  if (!parts.length) return false;
  let first = old - 1,
    second = now - 1;
  while (odd(first)) [first, second] = [half(first), half(second)];
  let [was, is] = [parts[0], parts[0]];
  for (const part of parts.slice(1)) {
    if (second === 0) return false;
    if (odd(first) || first === second) {
      [was, is] = [await node(part, was), await node(part, is)];
      while (first !== 0 && !odd(first)) [first, second] = [half(first), half(second)];
    } else is = await node(is, part);
    [first, second] = [half(first), half(second)];
  }
  return second === 0 && hex(was) === oldRoot && hex(is) === root;
}

/* {origin, size, root} of a checkpoint as /log/checkpoint has it. */
export function readHead(note) {
  const [origin, size, root] = note.split("\n");
  const raw = root && read64(root);
  return raw?.length === 32 && /^[0-9]{1,15}$/.test(size) ? { origin, size: Number(size), root: hex(raw) } : null;
}

const REWRITTEN =
  "History was rewritten: the log of the house does not continue the one that is on your receipt. Keep the receipt, and show it to an inspector.";

/* The head on the paper is part of the log as it is now. *prove* fetches the proof between two sizes. */
export async function headStep(paper, head, prove) {
  const name = "paper head";
  const details = [`On the receipt: ${paper.size} rows, root ${paper.root}`];
  if (!head) return step(name, false, "The house shows no head of its log.", details);
  details.push(`Now: ${head.size} rows, root ${head.root}`, `The log: ${head.origin}`);
  if (head.origin !== paper.origin)
    return step(
      name,
      false,
      "The house shows another log than the one on your receipt. Keep it, and show it to an inspector.",
      [...details, `On the receipt: ${paper.origin}`],
    );
  if (head.size < paper.size) return step(name, false, REWRITTEN, details);
  const asked = { old: paper.size, oldRoot: paper.root, now: head.size, root: head.root };
  const path = paper.size && paper.size < head.size ? await prove(paper.size, head.size) : [];
  const ok = await isContinued({ ...asked, path }).catch(() => false);
  const words =
    head.size === paper.size
      ? `The log has ${head.size} rows, as when this was printed, and nothing was changed.`
      : `The log has grown from ${paper.size} rows to ${head.size} since this was printed, and nothing before was changed.`;
  return step(name, ok, ok ? words : REWRITTEN, details);
}

/* The promise on the paper is the one on record of its first game. */
export function commitmentStep(paper, onRecord) {
  const name = "paper commitment";
  if (paper.commitment === NONE && !onRecord)
    return step(name, true, "No promise was made for the first game of this ticket: it was drawn with balls.");
  const ok = paper.commitment === onRecord;
  return step(
    name,
    ok,
    ok
      ? "It is the promise on record of its first game."
      : "It is not the promise on record: it was exchanged. Keep the receipt, and show it to an inspector.",
    [`On the receipt: ${paper.commitment}`, `On record:      ${onRecord ?? "none"}`],
  );
}

/* What the house proves to be in the draw is the ticket that this paper is about. */
export function leafStep(paper, leaf) {
  const ok = paper.leaf === leaf;
  return step(
    "paper leaf",
    ok,
    ok
      ? "The ticket on record is exactly the one that was signed when it was sold."
      : "The ticket on record is not the one that was signed when it was sold. Keep the receipt, and show it to an inspector.",
    [`On the receipt: ${paper.leaf}`, `On record:      ${leaf ?? "none"}`],
  );
}
