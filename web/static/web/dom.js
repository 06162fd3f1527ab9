// Elements made by name: text is only ever text.

import { dollars } from "./money.js";

export { cents, dollars, wire } from "./money.js";

export const one = (selector, root = document) => root.querySelector(selector);
export const every = (selector, root = document) => [...root.querySelectorAll(selector)];

export function el(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const made = document.createElement(name || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (key === "on") for (const [event, handler] of Object.entries(value)) made.addEventListener(event, handler);
    else if (key.includes("-") || key === "for" || key === "role") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function icon(name, tone = "") {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  made.setAttribute("class", `icon ${tone}`);
  made.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#i-${name}`);
  made.append(use);
  return made;
}

export const money = (amount) => {
  const written = globalThis.figuresSpoken?.(dollars(amount)) ?? dollars(amount);
  const cents = written.search(/[.,]\d\d\D*$/);
  const behind = written.slice(cents + 3) || null;
  return el("span.money", {}, written.slice(0, cents), el("small", {}, written.slice(cents, cents + 3)), behind);
};

// A refusal in words, with the rule behind it.
export function refusal(error, rules) {
  const words = [el("p", {}, el("strong", {}, `${error.title}. `), error.message)];
  if (error.clause)
    words.push(
      el(
        "p",
        {},
        "The rule: ",
        el("a", { href: `${rules}#${error.clause}`, target: "_blank", rel: "noopener" }, error.clause),
        ".",
      ),
    );
  return el("div.banner.is-stopped", { role: "alert" }, icon("cross"), el("div", {}, words));
}
