/* How /verify/ shows what was found: what comes first, a verdict, the steps with their ticks, the games. */
import { holds } from "./proof.js";
import { boardOf, gameShown, resultOf, wordOf } from "./won.js";
import { fours, gameName } from "./words.js";

const out = document.querySelector("#result");
const TITLES = {
  form: ["Can it be read?", "A proof must be complete before it can be checked."],
  "published commitment": [
    "Is it the promise made before the draw?",
    "The house published a promise (a commitment) when the game opened, in the sealed log.",
  ],
  "published ticket root": [
    "Are they the tickets that were sold?",
    "Before the first number the tickets were sealed: none could be added or changed any more, and all have one fingerprint.",
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
  question: [
    "Was the witness asked about this draw?",
    "The house asks once, after the tickets are sealed, and the log shows it.",
  ],
  witness: [
    "Did the witness take part?",
    "A second party, with a key of its own, signs the question. The house cannot know the signature before, and there is only one.",
  ],
  unwitnessed: [
    "Who took the witness’s place?",
    "The witness was away. An inspector may go on, and it is marked for ever.",
  ],
  beacon: [
    "Did the public beacon take part?",
    "A public round of randomness, which nobody could know before, goes into the numbers.",
  ],
  prize: [
    "Is the prize right?",
    "Your numbers, the numbers drawn and the pay table give it. Your browser has just computed it.",
  ],
  void: [
    "Is it what would have come?",
    "A void attempt gives its numbers away, so that everybody sees what was given up.",
  ],
  "paper signature": ["Is this receipt the house’s?", "Its code is signed by the house’s receipt key."],
  "paper leaf": [
    "Is it the ticket on record?",
    "What is printed on a receipt has one hash, which was signed when it was sold.",
  ],
  "paper commitment": [
    "Is it still the same promise?",
    "Your receipt carries the promise that was made for your first game.",
  ],
  "paper head": ["Is the history still the same?", "Your receipt carries the head of the log when it was printed."],
};

const make = (name, words, ...classes) => {
  const element = document.createElement(name);
  if (words) element.textContent = words;
  element.classList.add(...classes);
  return element;
};

/* *first*: what a player should know before anything else: what he won, what went wrong on the way. Only what does not
   hold comes before that. */
export function say(kind, heading, words, first = []) {
  const told = first.map((line) => (line instanceof Element ? line : make("p", line, "first")));
  const verdict = make("div", "", "verdict", `is-${kind}`);
  verdict.append(make("h2", heading), make("p", words));
  out.replaceChildren(...(kind === "stopped" ? [verdict, ...told] : [...told, verdict]));
  out.dataset.verdict = kind;
  out.parentElement.classList.toggle("is-told", kind === "stopped" || first.some(isOpening));
}

const isOpening = (line) => line instanceof Element;
const cellOf = ({ number, mine, drawn }) => {
  const cell = make("li", String(number), ...(mine ? ["mine"] : []), ...(drawn ? ["drawn"] : []));
  if (mine || drawn)
    cell.setAttribute(
      "aria-label",
      `${number}, ${mine ? "yours" : ""}${mine && drawn ? ", " : ""}${drawn ? "drawn" : ""}`,
    );
  return cell;
};

/* His numbers on the board, two blocks of 10 by 4 as on every ticket. */
function boardShown(groups, game) {
  const figure = make("figure", "", "board-of-game");
  for (const [at, numbers] of boardOf(groups, game?.drawn ?? []).entries()) {
    const block = make("ol", "", "numbers");
    block.setAttribute("aria-label", at ? "41 to 80" : "1 to 40");
    block.append(...numbers.map(cellOf));
    figure.append(block);
  }
  const words = game
    ? `Game ${gameName(game.game)}. Framed: your numbers. Filled: drawn. Gold: yours and drawn.`
    : "Framed: your numbers.";
  figure.append(make("figcaption", words, "soft"));
  return figure;
}

/* What the page opens with for whoever holds the ticket. */
export function opening(told) {
  const { kind, heading, lines } = resultOf(told);
  const section = make("section", "", "won", `is-${kind}`);
  section.append(make("h2", heading.replace(/ of (?=\d)/g, "\u00a0of\u00a0"))); // "4 of 6" stays on its line
  if (lines.length) {
    const list = make("ul");
    list.append(...lines.map((line) => make("li", line)));
    section.append(list);
  }
  section.append(boardShown(told.groups, gameShown(told)));
  const word = wordOf(told);
  if (word) section.append(make("p", word, "soft"));
  return section;
}

/* The proofs are folded below what was won as long as they hold. */
function proofs(steps, folded) {
  if (!folded) return told(steps);
  const more = make("details", "", "proofs");
  more.append(make("summary", `The proofs, ${steps.length} steps`), told(steps));
  return more;
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

const NOT_THE_PAPER = "Your receipt and the house’s record do not agree";
const WRONG_PAPER = (steps) => steps.find((step) => !step.ok && step.name.startsWith("paper"));
const NOT_THE_PRIZE = "The prize is not what your numbers win";
/* Where draw and place hold, and only the amount does not. */
const WRONG_PRIZE = (steps) => {
  const wrong = steps.filter((step) => !step.ok);
  return wrong.length === 1 && wrong[0].name === "prize" ? wrong[0] : null;
};
const KEEP = "Keep the ticket, and show it to an inspector.";

export function show(steps, about, numbers, first) {
  const failed = steps.filter((step) => !step.ok).length;
  if (holds(steps))
    say(
      "good",
      "Everything is right",
      `${about}. All ${steps.length} steps were computed in your own browser just now.`,
      first,
    );
  else if (WRONG_PAPER(steps)) say("stopped", NOT_THE_PAPER, WRONG_PAPER(steps).words, first);
  else if (WRONG_PRIZE(steps)) say("stopped", NOT_THE_PRIZE, `${WRONG_PRIZE(steps).words} ${KEEP}`, first);
  else
    say(
      "stopped",
      "This does not hold",
      `${about}. ${failed === 1 ? "One step fails" : `${failed} steps fail`}: this proof is forged or damaged. Keep it, and show it to an inspector.`,
      first,
    );
  if (numbers?.length) out.append(make("p", "In the order drawn", "soft"), ballsOf(numbers));
  out.append(proofs(steps, holds(steps) && first?.some(isOpening)));
  out.focus();
}

/* Several games of one ticket: each opens to its own steps, and to *groups*, his numbers, where he holds it. */
export function showGames(checked, about, paper, first, groups) {
  const bad = checked.filter((one) => one.steps && !holds(one.steps)),
    wrong = bad.map((one) => one.game);
  if (WRONG_PAPER(paper)) say("stopped", NOT_THE_PAPER, WRONG_PAPER(paper).words, first);
  else if (bad.length === 1 && WRONG_PRIZE(bad[0].steps))
    say("stopped", NOT_THE_PRIZE, `Game ${wrong[0]}: ${WRONG_PRIZE(bad[0].steps).words} ${KEEP}`, first);
  else if (wrong.length)
    say(
      "stopped",
      "This does not hold",
      `${about} Game ${wrong.join(", ")} fails: this proof is forged or damaged. Keep it, and show it to an inspector.`,
      first,
    );
  else if (!checked.some((one) => one.steps)) say("attention", "There is no seed to check", about, first);
  else say("good", "Everything is right", `${about} Every step was computed in your own browser just now.`, first);
  if (paper.length) out.append(make("h3", "Your receipt"), told(paper));
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
    if (numbers?.length && groups) more.append(boardShown(groups, { game, drawn: numbers }));
    if (numbers?.length) more.append(ballsOf(numbers));
    if (steps) more.append(told(steps));
    item.append(more);
    list.append(item);
  }
  out.append(list);
  out.focus();
}
