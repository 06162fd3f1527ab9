/* What every check of a draw is made of, in your own browser: docs/proof/README.md in JavaScript, with nothing but
   WebCrypto. Every function is pure; nothing here talks to the house. */

const utf8 = new TextEncoder();
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const unhex = (text) => Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));

export function join(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const sha256 = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));

export async function hmac(key, message) {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, message));
}

function bigEndian(number, size) {
  const bytes = new Uint8Array(size);
  let rest = BigInt(number);
  for (let at = size - 1; at >= 0; at--) {
    bytes[at] = Number(rest & 255n);
    rest >>= 8n;
  }
  return bytes;
}

/* Every field as its length in 4 bytes and then its bytes; text is ASCII, a whole number is 8 bytes. */
export function pack(...fields) {
  const parts = [];
  for (const field of fields) {
    const raw =
      typeof field === "string" ? utf8.encode(field) : typeof field === "number" ? bigEndian(field, 8) : field;
    parts.push(bigEndian(raw.length, 4), raw);
  }
  return join(...parts);
}

/* HMAC_DRBG with SHA-256 (NIST SP 800-90A, 10.1.2), in blocks of 64 bytes. */
export class Generator {
  static async from(entropy, nonce, personalisation) {
    const made = new Generator();
    made.key = new Uint8Array(32);
    made.value = new Uint8Array(32).fill(1);
    await made.update(join(entropy, nonce, personalisation));
    made.left = new Uint8Array(0);
    return made;
  }
  async update(provided) {
    for (const mark of provided.length ? [0, 1] : [0]) {
      this.key = await hmac(this.key, join(this.value, Uint8Array.of(mark), provided));
      this.value = await hmac(this.key, this.value);
    }
  }
  async block() {
    const first = await hmac(this.key, this.value);
    const second = await hmac(this.key, first);
    this.value = second;
    await this.update(new Uint8Array(0));
    return join(first, second);
  }
  async take(count) {
    while (this.left.length < count) this.left = join(this.left, await this.block());
    const taken = this.left.slice(0, count);
    this.left = this.left.slice(count);
    return taken;
  }
}

/* The numbers in the order drawn, each with how it came about. Only exchanged places are remembered. */
export async function picks(stream, pool, count) {
  const moved = new Map(),
    drawn = [];
  for (let place = 0; place < count; place++) {
    const left = pool - place,
      bits = left > 1 ? (left - 1).toString(2).length : 0,
      read = [];
    let value = 0;
    if (bits) {
      do {
        const bytes = await stream.take(Math.ceil(bits / 8));
        read.push(hex(bytes));
        value = bytes.reduce((sum, byte) => sum * 256 + byte, 0) % 2 ** bits;
      } while (value >= left);
    }
    const chosen = place + value;
    const number = (moved.has(chosen) ? moved.get(chosen) : chosen) + 1;
    moved.set(chosen, moved.has(place) ? moved.get(place) : place);
    drawn.push({ number, left, bits, value, read });
  }
  return drawn;
}

export function pickInWords(place, pick) {
  if (!pick.read.length) return `Number ${place}: only ${pick.number} is left.`;
  const thrown = pick.read.length > 1 ? `, after ${pick.read.length - 1} thrown away as too large` : "";
  return (
    `Number ${place}: bytes ${pick.read.join(" ")}; the low ${pick.bits} bits of the last read are ${pick.value}, ` +
    `below ${pick.left}${thrown}; place ${pick.value + 1} of the ${pick.left} left holds ${pick.number}.`
  );
}

export const HASH = /^[0-9a-f]{64}$/;
export const whole = (value, least, most) => Number.isSafeInteger(value) && value >= least && value <= most;

export const leafHash = (text) => sha256(join(Uint8Array.of(0), utf8.encode(text)));
const nodeHash = (left, right) => sha256(join(Uint8Array.of(1), left, right));

/* RFC 6962: the path from an entry up to the root, and the working, hash by hash. */
export async function climb(leaf, index, count, path) {
  let at = index,
    last = count - 1,
    here = leaf;
  const working = [`The entry's own hash: ${hex(leaf)}`];
  if (index >= count) return { root: null, working };
  for (const part of path) {
    if (last === 0) return { root: null, working };
    const sibling = unhex(part);
    if (at % 2 === 1 || at === last) {
      here = await nodeHash(sibling, here);
      working.push(`with ${part} on its left: ${hex(here)}`);
      while (at % 2 === 0 && at !== 0) {
        at = Math.floor(at / 2);
        last = Math.floor(last / 2);
      }
    } else {
      here = await nodeHash(here, sibling);
      working.push(`with ${part} on its right: ${hex(here)}`);
    }
    at = Math.floor(at / 2);
    last = Math.floor(last / 2);
  }
  return { root: last === 0 ? hex(here) : null, working };
}

const unreadable = (words) => [{ name: "form", ok: false, words, details: [] }];

/* Whether an entry took part: all that is needed of the draw is the root over its tickets, and how many they are. */
export async function checkMembership(entry, { ticket_root: sealed, ticket_count: count }) {
  if (typeof sealed !== "string" || !HASH.test(sealed))
    return unreadable("ticket_root is written as 64 small hexadecimal digits.");
  if (!whole(count, 0, Number.MAX_SAFE_INTEGER)) return unreadable("ticket_count is a whole number.");
  if (entry === null || typeof entry !== "object" || entry.version !== 1)
    return unreadable("This check reads entries of version 1.");
  const hashOnly = !("entry" in entry) && "leaf" in entry; // for a serial alone: the text is for who has the security code
  if (
    hashOnly
      ? typeof entry.leaf !== "string" || !HASH.test(entry.leaf)
      : typeof entry.entry !== "string" || entry.entry.isWellFormed?.() === false
  )
    return unreadable(
      hashOnly ? "leaf is written as 64 small hexadecimal digits." : "The entry is a well-formed text.",
    );
  if (entry.ticket_count !== count) return unreadable(`The entry's proof is not about this draw's ${count} entries.`);
  if (!whole(entry.index, 0, Number.MAX_SAFE_INTEGER)) return unreadable("The index is a whole number.");
  if (!Array.isArray(entry.path) || !entry.path.every((part) => typeof part === "string" && HASH.test(part)))
    return unreadable("The path is a list of hashes of 64 hexadecimal digits each.");
  const leaf = hashOnly ? unhex(entry.leaf) : await leafHash(entry.entry);
  const { root, working } = await climb(leaf, entry.index, entry.ticket_count, entry.path);
  const inside = root === sealed,
    place = `entry ${entry.index + 1} of ${entry.ticket_count}`;
  return [
    { name: "form", ok: true, words: "The entry's proof can be read.", details: [] },
    {
      name: "entry",
      ok: inside,
      details: [...(hashOnly ? [] : [`The entry: ${entry.entry}`]), ...working, `The ticket root: ${sealed}`],
      words: inside
        ? hashOnly
          ? `This ticket took part in this draw as ${place}. With its security code your browser also checks what is printed on it.`
          : `Your ticket took part in this draw as ${place}, exactly as written.`
        : `As written, this ticket did not take part in this draw as ${place}: it does not lead to the ticket root.`,
    },
  ];
}

export const holds = (steps) => steps.length > 0 && steps.every((step) => step.ok);
