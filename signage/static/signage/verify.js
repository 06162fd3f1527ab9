/* The page /verify/: fetches what the house published, checks it here, and says so step by step. */
import { commitmentStep, headStep, leafStep, readHead, readPaper, signatureStep } from "./paper.js";
import { prizeStep } from "./prizes.js";
import { checkMembership, hex, holds, leafHash } from "./proof.js";
import { check } from "./two-party.js";
import { opening, say, show, showGames } from "./verify-shown.js";
import { measured } from "./won.js";
import { gamesInWords, historyInWords, readReceipt } from "./words.js";

const form = document.querySelector("#ask"),
  paste = document.querySelector("#paste");
async function fetched(address, body) {
  const answer = await fetch(
    address,
    body && { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } },
  );
  const document_ = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(document_.detail || "The house does not answer as it should. Try again in a moment.");
  return document_;
}

async function text(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("The house does not answer as it should. Try again in a moment.");
  return answer.text();
}

/* What the receipt's code carries, against what the house says now. */
async function checkPaper(code, serial) {
  const paper = readPaper(code);
  if (!paper) return [{ name: "form", ok: false, words: "The receipt’s code cannot be read.", details: [] }];
  const [said, keys, note] = await Promise.all([
    fetched("/verify/paper.json", { serial, paper: code }),
    text("/log/keys"),
    text("/log/checkpoint"),
  ]);
  const prove = (old, now) => fetched(`/log/proof/consistency?old=${old}&new=${now}`);
  return [
    await signatureStep(paper, keys.trim().split("\n"), said.signed),
    leafStep(paper, said.leaf),
    commitmentStep(paper, said.commitment),
    await headStep(paper, readHead(note), prove),
  ];
}

const GOING = {
  opened: "is open for sale",
  closed: "is closed and waits for its draw",
  drawing: "is being drawn",
  drawn: "is drawn and being settled",
};

/* What the ticket won in a settled game, computed from what is printed on it. Nothing where its paper is not at hand, or
   is not what was sealed. */
function prizeSteps(number, published, { entry }, steps, won) {
  const said = won?.games.find((one) => one.game === Number(number) && one.status === "settled");
  if (!said || !published.totals || !entry?.entry || !holds(steps)) return [];
  const numbers = published.proof?.numbers ?? published.numbers;
  return [prizeStep(JSON.parse(entry.entry), won.schedule, numbers, published.totals, said)];
}

/* One game: what was promised, sold and drawn; and the ticket in it, where there is one. */
async function checkGame(number, ticket, won) {
  const published = await fetched(`/verify/games/${number}.json`);
  if (published.status === "invalidated")
    return {
      heading: `Game ${number} was declared invalid`,
      words: "It has no result, and stakes are given back.",
      first: historyInWords(published),
    };
  if (!published.proof) {
    if (published.device === "mechanical" && published.sealed && ticket)
      return checkAmongBalls(number, published, ticket, won);
    if (published.device === "mechanical")
      return {
        heading: `Game ${number} is drawn with balls`,
        words: `Its twenty balls are the official record${published.numbers.length ? `: ${published.numbers.join(", ")}` : ""}. There is no seed to check.`,
        numbers: published.numbers,
        first: historyInWords(published),
      };
    return {
      heading: `Game ${number} ${GOING[published.status] || "is not settled yet"}`,
      words: `The promise is ${published.promised.commitment}. Note it, and come back when the game is settled: then the seed is revealed.`,
      first: historyInWords(published),
    };
  }
  const steps = await check(published.proof, {
    commitment: published.promised?.commitment,
    root: published.sealed?.ticket_root,
  });
  for (const given of published.attempts ?? []) if (given.void && given.proof) steps.push(await voidStep(given));
  const found = ticket && (await placed(number, ticket));
  if (found) {
    const place = (await checkMembership(found.entry, published.proof)).slice(-1);
    steps.push(...place, ...prizeSteps(number, published, found, place, won));
  }
  const first = historyInWords(published);
  return { game: number, steps, numbers: published.proof.numbers, first, leaf: found && (await leafOf(found.entry)) };
}

/* What a void attempt would have given, computed here. */
async function voidStep({ attempt, proof }) {
  const steps = await check(proof),
    ok = holds(steps);
  const words = ok
    ? `Attempt ${attempt} would have given exactly the numbers that were published when it was declared void.`
    : `Attempt ${attempt} would not have given the numbers that were published when it was declared void.`;
  return { name: "void", ok, words, details: steps.flatMap((step) => [step.words, ...step.details]) };
}

const leafOf = async ({ entry, leaf }) => leaf ?? hex(await leafHash(entry));

/* Where the ticket stands among those of a game: known already, or asked for with its security code. */
const placed = (number, ticket) =>
  ticket.entry ? ticket : fetched("/verify/ticket.json", { game: Number(number), ...ticket });

/* A game drawn with balls has no seed. What can be computed is that the ticket was among those sealed before the first. */
async function checkAmongBalls(number, published, ticket, won) {
  const found = await placed(number, ticket),
    { entry, ticket_root: named } = found;
  const { ticket_root: sealed } = published.sealed,
    same = named === sealed;
  const root = {
    name: "published ticket root",
    ok: same,
    details: [`Published then: ${sealed}`, `For this ticket: ${named}`],
    words: same
      ? "It is exactly what was published with the first ball."
      : "It is not what was published with the first ball.",
  };
  const steps = (await checkMembership(entry, published.sealed)).map((step) => ({
    ...step,
    why:
      step.name === "entry" ? "Your ticket is one leaf of the tree that was sealed before the first ball." : undefined,
  }));
  return {
    game: number,
    steps: [steps[0], root, ...steps.slice(1), ...prizeSteps(number, published, found, steps, won)],
    numbers: published.numbers,
    first: historyInWords(published),
    note: ", drawn with balls: they are the official record, and there is no seed to check",
  };
}

/* What whoever holds the ticket reads first, by the numbers that were checked here. */
const openedBy = (won, checked) => (won ? [opening(measured(won, checked))] : []);

/* A serial without a game: every game it has played in. With the security code what is printed on it is checked too. */
async function checkTicket(serial, code, paper, won) {
  const found = await fetched("/verify/ticket.json", { serial });
  if (found.plays_to < found.first_game)
    return say("attention", `Ticket ${found.serial} was cancelled`, "It plays in no game.", openedBy(won, []));
  if (!found.games.length)
    return say(
      "attention",
      `Ticket ${found.serial} has not played yet`,
      `It plays in ${gamesInWords(found)}. Come back when the first is settled.`,
      openedBy(won, []),
    );
  const checked = [];
  for (const { game, entry, ticket_root } of found.games) {
    const one = await checkGame(game, code ? { serial, security_code: code } : { entry, ticket_root }, won);
    checked.push({ game, ...one });
  }
  const rest =
    found.played > found.games.length
      ? ` These are the latest ${found.games.length} of the ${found.played} it has played; name a game to check an earlier one.`
      : "";
  const first = [...openedBy(won, checked), ...checked.flatMap((one) => one.first ?? [])];
  if (checked.length === 1 && checked[0].steps)
    return show(
      [...checked[0].steps, ...paper],
      `Game ${checked[0].game} and ticket ${found.serial}${checked[0].note ?? ""}`,
      checked[0].numbers,
      first,
    );
  return showGames(
    checked,
    `Ticket ${found.serial} plays in ${gamesInWords(found)}; ${found.played} ${found.played === 1 ? "is" : "are"} settled.${rest}`,
    paper,
    first,
    won?.groups,
  );
}

/* What was scanned last: its paper counts as long as nobody types another serial. */
let receipt = { serial: "", paper: "" };

function fill(given) {
  receipt = { serial: given.serial, paper: given.paper };
  for (const name of ["game", "serial", "code"]) form.elements[name].value = given[name];
}

async function ask() {
  const scanned = readReceipt(form.elements.serial.value.trim());
  if (scanned) fill(scanned);
  const [number, serial, code] = ["game", "serial", "code"].map((name) => form.elements[name].value.trim());
  if (!number && !serial)
    return say(
      "attention",
      "Which ticket, or which game?",
      "Write the serial of your ticket, or the number of the game: it stands on the board and on your ticket.",
    );
  if (number && !/^\d{1,15}$/.test(number))
    return say("attention", "Which game?", "Write the number of the game: it stands on the board and on your ticket.");
  if (code && !serial)
    return say(
      "attention",
      "Which ticket?",
      "The security code belongs to a serial: write that too, as printed on the ticket.",
    );
  say("quiet", "Checking", "Fetching what was published, then computing it here.");
  try {
    const paper = receipt.paper && receipt.serial === serial ? await checkPaper(receipt.paper, serial) : [];
    if (!paper.every((step) => step.ok)) return show(paper, `The receipt of ticket ${serial}`);
    const won = code ? await fetched("/verify/won.json", { serial, security_code: code }) : null;
    if (!number) return await checkTicket(serial, code, paper, won);
    let ticket = null;
    if (serial)
      ticket = code
        ? { serial, security_code: code }
        : (await fetched("/verify/ticket.json", { serial, game: Number(number) })).games[0];
    const one = await checkGame(number, ticket, won);
    const first = [...openedBy(won, [{ game: number, ...one }]), ...(one.first ?? [])];
    if (one.steps)
      show(
        [...one.steps, ...paper],
        `Game ${number}${serial ? ` and ticket ${serial}` : ""}${one.note ?? ""}`,
        one.numbers,
        first,
      );
    else if (paper.length) show(paper, `${one.heading}. ${one.words} The receipt of ticket ${serial}`, [], first);
    else say("attention", one.heading, one.words, first);
  } catch (problem) {
    say("attention", "This cannot be checked now", problem.message);
  }
}

/* A picture of the receipt, where the browser can read a QR code: it stays in this browser. */
if ("BarcodeDetector" in window) {
  const scan = document.querySelector("#scan");
  scan.hidden = false;
  scan.querySelector("input").addEventListener("change", async ({ target }) => {
    const picture = await createImageBitmap(target.files[0]).catch(() => null);
    const found = picture ? await new BarcodeDetector({ formats: ["qr_code"] }).detect(picture).catch(() => []) : [];
    const text = found.map((one) => one.rawValue).find(readReceipt);
    if (!text)
      return say(
        "attention",
        "No receipt’s QR code is in this picture",
        "Take it again, closer and in good light, or write the serial.",
      );
    form.elements.serial.value = text;
    ask();
  });
}

if (!crypto.subtle)
  say(
    "stopped",
    "Your browser will not compute here",
    "Browsers hash only on pages that came over https, or from this machine itself. Open this page with https.",
  );
form.addEventListener("submit", (event) => {
  event.preventDefault();
  ask();
});
paste.addEventListener("submit", async (event) => {
  event.preventDefault();
  let given;
  try {
    given = JSON.parse(paste.elements.proof.value);
  } catch {
    return say("attention", "This is no proof", "A proof is JSON: paste all of it, from { to }.");
  }
  const proof = given?.proof ?? given,
    entry = given?.entry;
  const noted = paste.elements.noted.value.trim();
  const steps = await check(proof, { commitment: noted || undefined });
  if (entry && steps[0].ok) steps.push(...(await checkMembership(entry, proof)).slice(-1));
  const game = proof?.occasion;
  show(
    steps,
    typeof game === "string" ? `${proof.purpose} ${game}` : "The pasted proof",
    steps[0].ok ? proof.numbers : [],
  );
});

/* A link from a QR code brings ?game=…, and serial and code in the fragment, which browsers send to nobody. */
const brought = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
fill(Object.fromEntries(["game", "serial", "code", "paper"].map((name) => [name, brought.get(name) ?? ""])));
if (brought.get("game") || brought.get("serial")) ask();
