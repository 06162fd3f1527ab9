// The search over any page: Ctrl-K or / opens it, arrows walk what was found, Enter opens it. The server looks; what it
// finds comes as a list of links, the same as the search page has.
import { step } from "./walk.js";

const PAUSE_MS = 120;
const dialog = document.getElementById("palette");
const field = dialog?.querySelector("input");
const found = dialog?.querySelector("[data-found]");
let asked = 0,
  answered = null,
  timer = null;

const links = () => [...found.querySelectorAll("a")];

async function look() {
  const mine = ++asked,
    query = field.value;
  const answer = await fetch(`${dialog.dataset.palette}?${new URLSearchParams({ q: query })}`, {
    headers: { "X-Palette": "1" },
  }).catch(() => null);
  if (mine !== asked) return; // an older question
  if (!answer?.ok) return;
  found.innerHTML = await answer.text();
  answered = query;
  mark(0);
}

function mark(at) {
  links().forEach((link, place) => {
    link.toggleAttribute("data-marked", place === at);
    if (place === at) link.scrollIntoView({ block: "nearest" });
  });
}

// Somebody who types quicker than the server answers gets what he typed; the search page says that there is nothing.
async function go() {
  clearTimeout(timer);
  if (answered !== field.value) await look();
  const link = found.querySelector("a[data-marked]");
  if (answered === field.value && link) link.click();
  else location.assign(`${dialog.dataset.palette}?${new URLSearchParams({ q: field.value })}`);
}

export function openPalette() {
  if (!dialog || dialog.open) return;
  dialog.showModal();
  field.select();
  look();
}

if (dialog) {
  field.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(look, PAUSE_MS);
  });
  field.addEventListener("keydown", (event) => {
    const all = links(),
      here = all.findIndex((link) => link.hasAttribute("data-marked"));
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      mark(step(here, event.key === "ArrowDown" ? 1 : -1, all.length));
    }
    if (event.key === "Enter") {
      event.preventDefault();
      go();
    }
  });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close(); // beside it
  });
  addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      openPalette();
    }
  });
  for (const opener of document.querySelectorAll("[data-search]"))
    opener.addEventListener("click", (event) => {
      event.preventDefault(); // without scripts it leads to the search page
      openPalette();
    });
}
