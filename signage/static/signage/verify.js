/* The page /verify/: fetches what the house published, checks it here, and says so step by step. */
import { check, checkEntry, checkMembership, holds } from "./proof.js";
import { fours, gamesInWords, readReceipt } from "./words.js";

const form = document.querySelector("#ask"),
  paste = document.querySelector("#paste"),
  out = document.querySelector("#result");
const TITLES = {
  form: ["Can it be read?", "A proof must be complete before it can be checked."],
  "published commitment": [
    "Is it the promise made before the draw?",
    "The house published a promise (a commitment) when the game opened, in the sealed log.",
  ],
  "published ticket root": [
    "Are they the tickets that were sold?",
    "With the first number no ticket could be added or changed any more: all of them have one fingerprint.",
  ],
  commitment: [
    "Was the promise kept?",
    "The secret seed of the draw was fixed by the promise. It is revealed at the end.",
  ],
  numbers: [
    "Do the numbers follow?",
    "Seed and tickets together give the numbers by a public recipe. Your browser has just drawn them again.",
  ],
  entry: ["Was my ticket in?", "Your ticket is one leaf of the tree whose root the numbers depend on."],
};

const make = (name, words, ...classes) => {
  const element = document.createElement(name);
  if (words) element.textContent = words;
  element.classList.add(...classes);
  return element;
};

function say(kind, heading, words) {
  out.replaceChildren();
  const verdict = make("div", "", "verdict", `is-${kind}`);
  verdict.append(make("h2", heading), make("p", words));
  out.append(verdict);
  out.dataset.verdict = kind;
}

/* The steps with their ticks; the arithmetic behind each opens on request. */
function told(steps) {
  const list = make("ol", "", "steps");
  for (const step of steps) {
    const item = make("li", "", step.ok ? "is-good" : "is-stopped");
    item.dataset.step = step.name;
    const [title, why] = TITLES[step.name];
    item.append(make("span", step.ok ? "✓" : "✗", "mark"), make("h3", title), make("p", step.why ?? why, "soft"));
    item.append(make("p", `${step.ok ? "Right" : "Wrong"}. ${step.words}`, "words"));
    if (step.details.length) {
      const more = make("details"),
        working = make("ol", "", "working");
      working.append(...step.details.map((line) => make("li", fours(line))));
      more.append(make("summary", "Show me the arithmetic"), working);
      item.append(more);
    }
    list.append(item);
  }
  return list;
}

function ballsOf(numbers) {
  const balls = make("ol", "", "balls");
  balls.setAttribute("aria-label", "Numbers in the order drawn");
  balls.append(...numbers.slice(0, 200).map((number) => make("li", String(number))));
  return balls;
}

function show(steps, about, numbers) {
  const failed = steps.filter((step) => !step.ok).length;
  if (holds(steps))
    say(
      "good",
      "Everything is right",
      `${about}. All ${steps.length} steps were computed in your own browser just now.`,
    );
  else
    say(
      "stopped",
      "This does not hold",
      `${about}. ${failed === 1 ? "One step fails" : `${failed} steps fail`}: this proof is forged or damaged. Keep it, and show it to an inspector.`,
    );
  if (numbers?.length) out.append(ballsOf(numbers));
  out.append(told(steps));
  out.focus();
}

/* Several games of one ticket: each opens to its own steps. */
function showGames(checked, about) {
  const wrong = checked.filter((one) => one.steps && !holds(one.steps)).map((one) => one.game);
  if (wrong.length)
    say(
      "stopped",
      "This does not hold",
      `${about} Game ${wrong.join(", ")} fails: this proof is forged or damaged. Keep it, and show it to an inspector.`,
    );
  else if (!checked.some((one) => one.steps)) say("attention", "There is no seed to check", about);
  else say("good", "Everything is right", `${about} Every step was computed in your own browser just now.`);
  const list = make("ol", "", "games");
  for (const { game, steps, numbers, words } of checked) {
    const sound = !steps || holds(steps),
      item = make("li", "", sound ? "is-good" : "is-stopped");
    item.dataset.game = game;
    const more = make("details"),
      summary = make("summary");
    summary.append(
      make("span", !steps ? "–" : sound ? "✓" : "✗", "mark"),
      make("b", `Game ${game}`),
      make("span", words || steps.at(-1).words, "soft"),
    );
    more.append(summary);
    if (numbers?.length) more.append(ballsOf(numbers));
    if (steps) more.append(told(steps));
    item.append(more);
    list.append(item);
  }
  out.append(list);
  out.focus();
}

async function fetched(address, body) {
  const answer = await fetch(
    address,
    body && { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } },
  );
  const document_ = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(document_.detail || "The house does not answer as it should. Try again in a moment.");
  return document_;
}

const GOING = {
  opened: "is open for sale",
  closed: "is closed and waits for its draw",
  drawing: "is being drawn",
  drawn: "is drawn and being settled",
};

/* One game: what was promised, sold and drawn; and the ticket in it, where there is one. */
async function checkGame(number, ticket) {
  const published = await fetched(`/verify/games/${number}.json`);
  if (published.status === "invalidated")
    return { heading: `Game ${number} was declared invalid`, words: "It has no result, and stakes are given back." };
  if (!published.proof) {
    if (published.device === "mechanical" && published.sealed && ticket)
      return checkAmongBalls(number, published, ticket);
    if (published.device === "mechanical")
      return {
        heading: `Game ${number} is drawn with balls`,
        words: `Its twenty balls are the official record${published.numbers.length ? `: ${published.numbers.join(", ")}` : ""}. There is no seed to check.`,
      };
    return {
      heading: `Game ${number} ${GOING[published.status] || "is not settled yet"}`,
      words: `The promise is ${published.promised.commitment}. Note it, and come back when the game is settled: then the seed is revealed.`,
    };
  }
  const steps = await check(published.proof, {
    commitment: published.promised?.commitment,
    root: published.sealed?.ticket_root,
  });
  if (ticket) {
    const { entry } = await placed(number, ticket);
    steps.push(...(await checkEntry(entry, published.proof)).slice(-1));
  }
  return { game: number, steps, numbers: published.proof.numbers };
}

/* Where the ticket stands among those of a game: known already, or asked for with its security code. */
const placed = (number, ticket) =>
  ticket.entry ? ticket : fetched("/verify/ticket.json", { game: Number(number), ...ticket });

/* A game drawn with balls has no seed. What can be computed is that the ticket was among those sealed before the first. */
async function checkAmongBalls(number, published, ticket) {
  const { entry, ticket_root: named } = await placed(number, ticket);
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
    steps: [steps[0], root, ...steps.slice(1)],
    numbers: published.numbers,
    note: ", drawn with balls: they are the official record, and there is no seed to check",
  };
}

/* A serial without a game: every game it has played in. With the security code what is printed on it is checked too. */
async function checkTicket(serial, code) {
  const found = await fetched("/verify/ticket.json", { serial });
  if (found.plays_to < found.first_game)
    return say("attention", `Ticket ${found.serial} was cancelled`, "It plays in no game.");
  if (!found.games.length)
    return say(
      "attention",
      `Ticket ${found.serial} has not played yet`,
      `It plays in ${gamesInWords(found)}. Come back when the first is settled.`,
    );
  const checked = [];
  for (const { game, entry, ticket_root } of found.games) {
    const one = await checkGame(game, code ? { serial, security_code: code } : { entry, ticket_root });
    checked.push({ game, ...one });
  }
  const rest =
    found.played > found.games.length
      ? ` These are the latest ${found.games.length} of the ${found.played} it has played; name a game to check an earlier one.`
      : "";
  if (checked.length === 1 && checked[0].steps)
    return show(
      checked[0].steps,
      `Game ${checked[0].game} and ticket ${found.serial}${checked[0].note ?? ""}`,
      checked[0].numbers,
    );
  return showGames(
    checked,
    `Ticket ${found.serial} plays in ${gamesInWords(found)}; ${found.played} ${found.played === 1 ? "is" : "are"} settled.${rest}`,
  );
}

async function ask() {
  const scanned = readReceipt(form.elements.serial.value.trim());
  if (scanned) for (const [name, value] of Object.entries(scanned)) form.elements[name].value = value;
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
    if (!number) return await checkTicket(serial, code);
    let ticket = null;
    if (serial)
      ticket = code
        ? { serial, security_code: code }
        : (await fetched("/verify/ticket.json", { serial, game: Number(number) })).games[0];
    const one = await checkGame(number, ticket);
    if (one.steps)
      show(one.steps, `Game ${number}${serial ? ` and ticket ${serial}` : ""}${one.note ?? ""}`, one.numbers);
    else say("attention", one.heading, one.words);
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
  if (entry && steps[0].ok) steps.push(...(await checkEntry(entry, proof)).slice(-1));
  show(
    steps,
    typeof proof?.game === "string" ? `${proof.purpose} ${proof.game}` : "The pasted proof",
    steps[0].ok ? proof.numbers : [],
  );
});

/* A link from a QR code brings ?game=…, and serial and code in the fragment, which browsers send to nobody. */
const brought = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
for (const name of ["game", "serial", "code"]) if (brought.get(name)) form.elements[name].value = brought.get(name);
if (brought.get("game") || brought.get("serial")) ask();
