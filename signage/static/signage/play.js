/* The entry form: marked here, priced by the house, shown as a code. Nothing is stored, here or there. */

import { Marking } from "../keno/marking.js";
import { below, markedInWords, oddsInWords, pickNumbers, pricedInWords } from "./play-words.js";

const WAIT_MS = 150; // after the last tap
const one = (selector) => document.querySelector(selector);
const every = (selector) => [...document.querySelectorAll(selector)];

const form = one("#play");
const marking = new Marking();
let turn = 0;
let waiting = null;
let priced = null;

function paragraph(text, name = "") {
  const made = document.createElement("p");
  made.textContent = text;
  made.className = name;
  return made;
}

function say(tone, heading, ...lines) {
  const panel = one("#priced");
  const title = document.createElement("h2");
  title.textContent = heading;
  panel.className = `verdict ${tone}`;
  panel.replaceChildren(title, ...lines);
}

function showMarked() {
  for (const button of every(".n")) {
    const group = marking.groupOf(Number(button.dataset.n));
    button.setAttribute("aria-pressed", String(group >= 0));
    if (group >= 0 && marking.isWay) button.dataset.group = String(group + 1);
    else delete button.dataset.group;
  }
  one("#marked").textContent = markedInWords(marking);
  showWays();
}

function showWays() {
  const field = one("#ways");
  if (!field) return;
  field.hidden = !marking.isWay;
  const chips = [...marking.ways()].map(([spots, count]) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.dataset.play = String(spots);
    chip.textContent = `${count} × ${spots}`;
    chip.setAttribute("aria-pressed", String(marking.plays.has(spots)));
    return chip;
  });
  one("#ways .chips").replaceChildren(...chips);
}

function changed() {
  showMarked();
  clearTimeout(waiting);
  const asked = ++turn;
  priced = null;
  one("#show").disabled = true;
  const entry = marking.request();
  if (!entry) return say("is-quiet", "Price", paragraph("Mark your numbers first."));
  waiting = setTimeout(() => price(entry, asked), WAIT_MS);
}

async function price(entry, asked) {
  let answer;
  let found;
  try {
    const sent = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(entry) };
    answer = await fetch(form.dataset.price, { ...sent, cache: "no-store" });
    found = await answer.json();
  } catch {
    if (asked === turn) say("is-attention", "No answer", paragraph("Try again in a moment, or use a paper form."));
    return;
  }
  if (asked !== turn) return; // marked otherwise since
  if (!answer.ok) return say("is-attention", "Not like this", paragraph(found.detail || "It cannot be sold."));
  priced = found;
  const said = pricedInWords(found);
  const odds = found.plays.map((play) => paragraph(oddsInWords(play), "soft"));
  say("is-good", "Price", paragraph(said.price, "price"), paragraph(said.played), ...odds);
  one("#show").disabled = false;
}

const doing = {
  group() {
    marking.newGroup();
    one("#marked").textContent = "The next numbers are a group of their own.";
  },
  clear() {
    const { stake, games, schedule, jackpot } = marking;
    marking.clear();
    Object.assign(marking, { stake, games, schedule, jackpot });
    changed();
  },
  back() {
    one("#code").close();
  },
};

document.addEventListener("click", (event) => {
  const { n, play, do: what } = event.target.closest("button")?.dataset ?? {};
  if (n) marking.toggle(Number(n));
  else if (play) marking.togglePlay(Number(play));
  else if (what) return doing[what]();
  else return;
  changed();
});
one("#pick").addEventListener("change", (event) => {
  if (!event.target.value) return;
  marking.groups = [pickNumbers(Number(event.target.value), below)];
  marking.plays.clear();
  event.target.value = "";
  changed();
});
one("#stake").addEventListener("change", (event) => {
  marking.setStake(event.target.value);
  changed();
});
for (const name of ["games", "schedule"])
  one(`#${name}`).addEventListener("change", (event) => {
    marking[name] = name === "games" ? Number(event.target.value) : event.target.value;
    changed();
  });
one("#jackpot").addEventListener("change", (event) => {
  marking.jackpot = event.target.checked;
  changed();
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  if (!priced) return;
  one("#code img").src = priced.picture;
  one("[data-code]").textContent = priced.code;
  one("[data-total]").textContent = `${pricedInWords(priced).price} to pay at the counter.`;
  one("#code").showModal();
});
form.dataset.ready = "1";
