// The little the pages do by themselves. No rule lives here: the server decides, this only helps the hands.
import { leave, signInAgain } from "./again.js";
import { daysLeft, minutesLeft } from "./countdown.js";
import "./palette.js";
import { heard } from "./shortcuts.js";

const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const typing = (target) => target.closest?.("input, select, textarea, [contenteditable]");

// ── Light or dark, remembered in a cookie so that the server draws the right one at once ──────────────────
function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it before any script runs
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=lax`;
}

// ── Keys: every element that has data-keys can be reached by them, and the ? sheet is read off the page ───
let pressed = { keys: "", at: 0 };

function showKeys() {
  const list = document.querySelector("[data-key-list]");
  list.replaceChildren();
  const says = new Map([
    ["?", "This help"],
    ["j  k", "Next or previous row"],
    ["Enter", "The primary action"],
  ]);
  for (const element of all("[data-keys]"))
    says.set(element.dataset.keys, element.dataset.says || element.textContent.trim());
  for (const [keys, words] of says) {
    const term = document.createElement("dt");
    for (const key of keys.split(/\s+/)) {
      const cap = document.createElement("kbd");
      cap.textContent = key;
      term.append(cap, " ");
    }
    const meaning = document.createElement("dd");
    meaning.textContent = words;
    list.append(term, meaning);
  }
  document.getElementById("keys").showModal();
}

function moveRow(step) {
  const rows = all("tbody tr a, .rows li a.button").filter(
    (link, i, links) => i === 0 || link.closest("tr, li") !== links[i - 1].closest("tr, li"),
  );
  if (!rows.length) return;
  const here = rows.findIndex((link) => link.closest("tr, li").contains(document.activeElement));
  rows[Math.min(Math.max(here + step, 0), rows.length - 1)].focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target) || document.querySelector("dialog[open]"))
    return;
  if (event.key === "?") {
    event.preventDefault();
    showKeys();
    return;
  }
  pressed = heard(pressed, event.key, Date.now());
  const target =
    all("[data-keys]").find((element) => element.dataset.keys === pressed.keys) ||
    all("[data-keys]").find((element) => element.dataset.keys === event.key);
  if (!target) {
    if (event.key === "j" || event.key === "k") moveRow(event.key === "j" ? 1 : -1);
    return;
  }
  event.preventDefault();
  pressed.keys = "";
  if (typing(target)) {
    target.focus();
    target.select?.();
  } else target.click();
});

// ── Clicks ────────────────────────────────────────────────────────────────────────────────────────────────
const CLICKED = [
  ["[data-theme-switch]", switchTheme],
  [
    "[data-open]",
    (found) => (found.dataset.open === "keys" ? showKeys() : document.getElementById(found.dataset.open)?.showModal()),
  ],
  ["[data-shut]", (found) => found.closest("dialog").close()],
  ["[data-dismiss]", (found) => found.closest(".toast").remove()],
  ["[data-rail]", () => document.getElementById("rail").classList.toggle("open")],
  [
    "[data-fill]",
    (found) => {
      const form = document.querySelector("form[data-sign-in]");
      form.elements.username.value = found.dataset.fill;
      form.elements.password.value = found.dataset.password;
      form.querySelector("button.primary").focus();
    },
  ],
  [
    "[data-code]",
    (found) => {
      const field = document.querySelector("input[name=code]");
      field.value = found.dataset.code;
      field.form.querySelector("button.primary").focus();
    },
  ],
  [
    "[data-copy]",
    (found) => {
      navigator.clipboard?.writeText(found.dataset.copy);
      found.textContent = "Copied";
    },
  ],
  ["[data-print]", () => window.print()],
];

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  for (const [selector, answer] of CLICKED) {
    const found = on(selector);
    if (found) {
      answer(found);
      return;
    }
  }
  if (!on("#rail")) document.getElementById("rail")?.classList.remove("open");
});

// A confirmation that has to be typed opens its button only when the words are there.
document.addEventListener("input", (event) => {
  const wanted = event.target.dataset.typed;
  if (wanted !== undefined)
    event.target.form.querySelector("[data-when-typed]").disabled = event.target.value.trim() !== wanted;
});

// A form is sent once: the second press of an impatient hand does nothing.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || form.target === "_blank") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  event.submitter?.classList.add("busy");
  freeWhenHandedOver(form);
});
addEventListener("pageshow", () => all("form[data-sent]").forEach(free));

function free(form) {
  delete form.dataset.sent;
  for (const button of all(".busy", form)) button.classList.remove("busy");
}

// Answered by a file, the page stays where it is: no other event says so, but the server leaves a cookie with the file.
const handedOver = () => /(?:^|; )handed-over=(\w+)/.exec(document.cookie)?.[1];
function freeWhenHandedOver(form) {
  const before = handedOver();
  const watching = setInterval(() => {
    if (!form.isConnected || !form.dataset.sent) return clearInterval(watching);
    if (!handedOver() || handedOver() === before) return;
    clearInterval(watching);
    free(form);
    form.reset();
    form.closest("dialog")?.close();
  }, 200);
}

// A choice in a table's tools is applied at once.
document.addEventListener("change", (event) => event.target.closest("[data-at-once]")?.form.requestSubmit());

// ── Clocks: counted from the server's own time, so that a terminal with a wrong clock still shows the truth ──
const since = new WeakMap(); // when each clock came onto the page: one that is swapped in later begins later
function left(element, whole) {
  if (!since.has(element)) since.set(element, performance.now());
  return Math.max(0, Number(whole) - Math.floor((performance.now() - since.get(element)) / 1000));
}
function tick() {
  for (const element of all("[data-seconds]")) {
    const seconds = left(element, element.dataset.seconds);
    element.textContent = seconds ? minutesLeft(seconds) : element.dataset.over || "0:00";
    if (!seconds && element.dataset.overTone) element.classList.add(element.dataset.overTone);
  }
  for (const element of all("[data-hours]")) element.textContent = daysLeft(left(element, element.dataset.hours));
}
setInterval(tick, 1000);
document.addEventListener("htmx:afterSwap", tick);
tick();

// ── Idle: a minute's warning, then the door. The clock restarts with every page and every "stay" ──────────
const idle = Number(document.body.dataset.idle || 0);
if (idle) {
  let until = Date.now() + idle * 1000;
  const dialog = document.getElementById("idle");
  const active = () => {
    until = Date.now() + idle * 1000;
  };
  const timedOut = async () => {
    until = Infinity;
    dialog.close();
    await leave();
    await signInAgain();
  };
  setInterval(() => {
    const left = Math.round((until - Date.now()) / 1000);
    if (left <= 0) return timedOut();
    if (left <= 60) {
      dialog.querySelector("[data-idle-left]").textContent = left === 1 ? "1 second" : `${left} seconds`;
      if (!dialog.open) dialog.showModal();
    }
  }, 1000);
  dialog.querySelector("[data-idle-stay]").addEventListener("click", async () => {
    const answer = await fetch(document.body.dataset.stay, { headers: { Accept: "application/json" } });
    dialog.close();
    if (!answer.ok) await signInAgain();
    active();
  });
  // A page that works without being loaded anew (a terminal) says when somebody did something the server heard of.
  document.addEventListener("meterhouse:active", active);
}

// ── When the server is away, say so instead of failing silently ───────────────────────────────────────────
function away(words) {
  let note = document.getElementById("away");
  if (!words) return note?.remove();
  if (note) return;
  note = document.createElement("div");
  note.id = "away";
  note.className = "toast is-stopped";
  note.append(Object.assign(document.createElement("p"), { textContent: words }));
  document.querySelector(".toasts").append(note);
}
document.addEventListener("htmx:sendError", () =>
  away("The server does not answer. What you see may be old; it will catch up by itself."),
);
document.addEventListener("htmx:afterRequest", (event) => {
  if (event.detail.successful) away("");
});
// A session that ended meanwhile answers 401 to a refresh.
document.addEventListener("htmx:responseError", (event) => {
  if (event.detail.xhr.status === 401) signInAgain();
});

// What was shown once stays once: a reload asks for the plain page instead of doing the act again.
const address = document.querySelector("[data-address]")?.dataset.address;
if (address) history.replaceState(null, "", address);

setTimeout(() => {
  for (const toast of all(".toast:not(.is-stopped)")) toast.remove();
}, 8000);
document.querySelector("[data-show]")?.showModal();
