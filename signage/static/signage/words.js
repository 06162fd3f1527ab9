/* How the boards and the check page write things, and read what a receipt holds. Pure: no page is needed. */

const inThrees = (digits, between) => String(digits).replace(/\B(?=(\d{3})+$)/g, between);

/* 48 213: which game; 1,380,688: how many. */
export const gameName = (number) => inThrees(number, "\u202f");
export const counted = (number) => inThrees(number, ",");

/* "48213.50" as the feed has it: $48,213.50. */
export function money(amount) {
  const [dollars, cents] = amount.split(".");
  return `$${inThrees(dollars, ",")}.${cents}`;
}

/* Long hexadecimal texts, so that eyes can compare them. */
export const fours = (text) => text.replace(/[0-9a-f]{32,}/g, (digits) => digits.match(/.{1,4}/g).join(" "));

export const gamesInWords = ({ first_game: first, plays_to: last }) =>
  first === last ? `game ${first}` : `games ${first} to ${last}`;

/* An attempt that nobody was asked about, such as one with balls. */
const stoppedInWords = ({ attempt, cause, numbers }) =>
  `Attempt ${attempt} was declared void${cause ? `: ${cause}` : ""}. Drawn until then: ${numbers?.join(", ") || "nothing"}.`;

/* What happened to a draw's attempts that a player should know before anything else. */
export function historyInWords({ attempts = [], void: stopped = [], resettled = null }) {
  const told = attempts.some((one) => one.void) ? [] : stopped.map(stoppedInWords);
  if (resettled)
    told.push(
      `This game was settled again, because its balls had been recorded wrongly: ${resettled.why} ` +
        `Recorded were ${resettled.recorded.join(", ")}. Drawn were ${resettled.numbers.join(", ")}.`,
    );
  for (const { attempt, waits, unwitnessed, void: gone } of attempts) {
    if (unwitnessed) {
      const way = unwitnessed.how === "dice" ? "threw dice" : "named a public round";
      told.push(`Attempt ${attempt}: no witness took part. An inspector ${way} in its place: ${unwitnessed.why}`);
    }
    if (gone)
      told.push(
        `Attempt ${attempt} was declared void: ${gone.cause}. These numbers would have come: ${gone.numbers.join(", ") || "none"}.`,
      );
    else if (waits) told.push(`Attempt ${attempt} waits: the witness has not answered yet.`);
  }
  return told;
}

/* Who else has signed a checkpoint, as far as a player should know: nothing where somebody on another machine has. */
export function cosignedInWords(note) {
  const signers = (note || "").split("\n").filter((line) => line.startsWith("— "));
  const witness = signers[1]?.split(" ")[1];
  if (!witness) return "no witness";
  return witness.startsWith("same-machine.") ? "same-machine witness" : "";
}

/* What the receipt's QR code holds, or the address it leads to; null where the text is neither. */
export function readReceipt(text) {
  const code = /^keno:([^:]+):([^:]+):(\d+)-(\d+)$/i.exec(text);
  if (code) return { serial: code[1], code: code[2], game: code[3] === code[4] ? code[3] : "" };
  if (!/[?#].*serial=/.test(text)) return null;
  const [, query, fragment] = /^[^?#]*\??([^#]*)#?(.*)$/.exec(text);
  const given = new URLSearchParams(`${query}&${fragment}`);
  return Object.fromEntries(["game", "serial", "code", "paper"].map((name) => [name, given.get(name) || ""]));
}
