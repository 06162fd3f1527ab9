/* What scripts say, in the language of the page. They say it in English; here it is recognised as it reaches the page,
   before it is painted, by the catalogue that the page brings (window.said: web/languages/scripts.py). An English page
   has neither. */

import { figures } from "./german.js";

const SEPARATORS = [/(\n)/, /(?<=[.!?])( )/, /(; )/, /(: )/, /( · )/, /(, )/];
const ATTRIBUTES = ["aria-label", "title", "placeholder", "alt", "data-says"];
const SILENT = "script, style, textarea, [data-typed]";
const LENGTH_LIMIT = 2000;
const KNOWN_LIMIT = 2000;

/* A function from what is said in English to what is said here; what nobody has said before stays, but for its figures. */
export function sayer({ whole, patterns }) {
  const known = new Map();
  const tried = patterns.map(([pattern, places, says]) => [new RegExp(pattern), places, says]);
  const sentence = (text) => {
    if (Object.hasOwn(whole, text)) return whole[text];
    for (const [pattern, places, says] of tried) {
      const found = pattern.exec(text);
      if (!found) continue;
      const values = Object.fromEntries(places.map((place, at) => [place, say(found[at + 1])]));
      return figures(says.replace(/\{#?(\d+)\}/g, (_, place) => values[place]));
    }
    return null;
  };
  const apart = (text) => {
    for (const separator of SEPARATORS) {
      const parts = text.split(separator);
      if (parts.length > 1) return parts.map(say).join("");
    }
    return figures(text);
  };
  function say(text) {
    const core = text.trim();
    if (core.length > LENGTH_LIMIT || !/[\p{L}\p{N}]/u.test(core)) return text;
    if (!known.has(core)) {
      if (known.size >= KNOWN_LIMIT) known.clear();
      known.set(core, sentence(core) ?? apart(core));
    }
    return text.replace(core, () => known.get(core));
  }
  return say;
}

function text(node, say) {
  if (node.parentElement?.closest(SILENT)) return;
  const said = say(node.data);
  if (said !== node.data) node.data = said;
}

function attribute(element, name, say) {
  const value = element.getAttribute(name);
  const said = value && say(value);
  if (said && said !== value) element.setAttribute(name, said);
}

function everything(node, say) {
  if (node.nodeType === Node.TEXT_NODE) return text(node, say);
  if (node.nodeType !== Node.ELEMENT_NODE) return;
  for (const element of [node, ...node.querySelectorAll(ATTRIBUTES.map((name) => `[${name}]`).join())])
    for (const name of ATTRIBUTES) attribute(element, name, say);
  const texts = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) text(texts.currentNode, say);
}

function listen(say) {
  new MutationObserver((changes) => {
    for (const { type, target, addedNodes, attributeName } of changes) {
      if (type === "characterData") text(target, say);
      else if (type === "attributes") attribute(target, attributeName, say);
      else for (const node of addedNodes) everything(node, say);
    }
  }).observe(document.documentElement, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
    attributeFilter: ATTRIBUTES,
  });
}

if (globalThis.document && window.said) {
  globalThis.figuresSpoken = figures; // for what is shown digit by digit
  listen(sayer(window.said));
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    detail.headers["X-Language"] = document.documentElement.lang;
  });
  /* What the house refuses a script, it refuses in the language of the page. */
  const fetched = window.fetch;
  window.fetch = (address, options = {}) => {
    const headers = new Headers(options.headers);
    headers.set("Accept-Language", document.documentElement.lang);
    return fetched(address, { ...options, headers });
  };
}
