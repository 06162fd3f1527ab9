/* The page /verify/: fetches what the house published, checks it here, and says so step by step. */
import { check, checkEntry, holds } from "./proof.js";

const form = document.querySelector("#ask"), paste = document.querySelector("#paste"), out = document.querySelector("#result");
const TITLES = {
  form: ["Can it be read?", "A proof must be complete before it can be checked."],
  "published commitment": ["Is it the promise made before the draw?", "The house published a promise (a commitment) when the game opened, in the sealed log."],
  "published ticket root": ["Are they the tickets that were sold?", "With the first number no ticket could be added or changed any more: all of them have one fingerprint."],
  commitment: ["Was the promise kept?", "The secret seed of the draw was fixed by the promise. It is revealed at the end."],
  numbers: ["Do the numbers follow?", "Seed and tickets together give the numbers by a public recipe. Your browser has just drawn them again."],
  entry: ["Was my ticket in?", "Your ticket is one leaf of the tree whose root the numbers depend on."],
};

const make = (name, words, ...classes) => {
  const element = document.createElement(name);
  if (words) element.textContent = words;
  element.classList.add(...classes);
  return element;
};
const fours = (text) => text.replace(/[0-9a-f]{32,}/g, (digits) => digits.match(/.{1,4}/g).join(" "));

function say(kind, heading, words) {
  out.replaceChildren();
  const verdict = make("div", "", "verdict", `is-${kind}`);
  verdict.append(make("h2", heading), make("p", words));
  out.append(verdict);
  out.dataset.verdict = kind;
}

function show(steps, about, numbers) {
  const sound = holds(steps);
  const failed = steps.filter((step) => !step.ok).length;
  if (sound) say("good", "Everything is right", `${about}. All ${steps.length} steps were computed in your own browser just now.`);
  else say("stopped", "This does not hold", `${about}. ${failed === 1 ? "One step fails" : `${failed} steps fail`}: this proof is forged or damaged. Keep it, and show it to an inspector.`);
  if (numbers?.length) {
    const balls = make("ol", "", "balls");
    balls.setAttribute("aria-label", "Numbers in the order drawn");
    balls.append(...numbers.slice(0, 200).map((number) => make("li", String(number))));
    out.append(balls);
  }
  const list = make("ol", "", "steps");
  for (const step of steps) {
    const item = make("li", "", step.ok ? "is-good" : "is-stopped");
    item.dataset.step = step.name;
    const [title, why] = TITLES[step.name];
    item.append(make("span", step.ok ? "✓" : "✗", "mark"), make("h3", title), make("p", why, "soft"));
    item.append(make("p", `${step.ok ? "Right" : "Wrong"}. ${step.words}`, "words"));
    if (step.details.length) {
      const more = make("details");
      const working = make("ol", "", "working");
      working.append(...step.details.map((line) => make("li", fours(line))));
      more.append(make("summary", "Show me the arithmetic"), working);
      item.append(more);
    }
    list.append(item);
  }
  out.append(list);
  out.focus();
}

async function fetched(address, body) {
  const answer = await fetch(address, body && { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  const document_ = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(document_.detail || "The house does not answer as it should. Try again in a moment.");
  return document_;
}

const GOING = { opened: "is open for sale", closed: "is closed and waits for its draw", drawn: "is drawn and being settled" };

async function ask() {
  const number = form.elements.game.value.trim(), serial = form.elements.serial.value.trim(), code = form.elements.code.value.trim();
  if (!/^\d{1,15}$/.test(number)) return say("attention", "Which game?", "Write the number of the game: it stands on the board and on your ticket.");
  if (!serial !== !code) return say("attention", "Serial and security code", "To check a ticket write both, as printed on it. To check only the draw leave both empty.");
  say("quiet", "Checking", "Fetching what was published, then computing it here.");
  try {
    const told = await fetched(`/verify/games/${number}.json`);
    if (told.status === "invalidated") return say("attention", `Game ${number} was declared invalid`, "It has no result, and stakes are given back.");
    if (!told.proof) {
      if (told.device === "mechanical") return say("attention", `Game ${number} is drawn with balls`, `Its twenty balls are the official record${told.numbers.length ? `: ${told.numbers.join(", ")}` : ""}. There is no seed to check.`);
      return say("attention", `Game ${number} ${GOING[told.status] || "is not settled yet"}`, `The promise is ${told.promised.commitment}. Note it, and come back when the game is settled: then the seed is revealed.`);
    }
    const steps = await check(told.proof, { commitment: told.promised?.commitment, root: told.sealed?.ticket_root });
    if (serial) steps.push(...(await checkEntry((await fetched("/verify/ticket.json", { game: Number(number), serial, security_code: code })).entry, told.proof)).slice(-1));
    show(steps, `Game ${number}${serial ? ` and ticket ${serial}` : ""}`, told.proof.numbers);
  } catch (problem) {
    say("attention", "This cannot be checked now", problem.message);
  }
}

if (!crypto.subtle) say("stopped", "Your browser will not compute here", "Browsers hash only on pages that came over https, or from this machine itself. Open this page with https.");
form.addEventListener("submit", (event) => { event.preventDefault(); ask(); });
paste.addEventListener("submit", async (event) => {
  event.preventDefault();
  let given;
  try { given = JSON.parse(paste.elements.proof.value); } catch { return say("attention", "This is no proof", "A proof is JSON: paste all of it, from { to }."); }
  const proof = given?.proof ?? given, entry = given?.entry;
  const noted = paste.elements.noted.value.trim();
  const steps = await check(proof, { commitment: noted || undefined });
  if (entry && steps[0].ok) steps.push(...(await checkEntry(entry, proof)).slice(-1));
  show(steps, typeof proof?.game === "string" ? `${proof.purpose} ${proof.game}` : "The pasted proof", steps[0].ok ? proof.numbers : []);
});

/* A receipt's QR code brings ?game=…, &serial=… and &code=… in the fragment, which browsers send to nobody. */
const brought = new URLSearchParams(`${location.search.slice(1)}&${location.hash.slice(1)}`);
for (const name of ["game", "serial", "code"]) if (brought.get(name)) form.elements[name].value = brought.get(name);
if (brought.get("game")) ask();
