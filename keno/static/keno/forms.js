// What the forms at the counter share: a labelled field, a pair of a list, a button that is pressed once.

import { Refused } from "../web/call.js";
import { el, one } from "../web/dom.js";

export const pair = (name, value) => [el("dt", {}, name), el("dd", {}, value)];
export const inFours = (text) => text.match(/.{1,4}/g).join("-");

export function field(id, label, properties) {
  return el("div.field", {}, el("label", { for: id }, label), el("input", { id, ...properties }));
}

// A button is pressed once; a refusal goes back on the form.
export async function pressOnce(form, work, refused) {
  if (form.dataset.busy) return;
  form.dataset.busy = "1";
  one("[type=submit]", form)?.classList.add("busy");
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    refused(error);
  } finally {
    delete form.dataset.busy;
    one("[type=submit]", form)?.classList.remove("busy");
  }
}
