// What is handed over for a ticket: cash, or lines of cash, chips, vouchers and winning tickets (4.6).

import { cents, dollars, el, one, wire } from "../web/dom.js";
import { scanned } from "../web/scan.js";
import { marking } from "./desk.js";
import { showSum } from "./show.js";

export function giveCash(amount) {
  marking.tender = [{ type: "cash", amount: wire(amount) }];
  showSum();
}

export function showTender() {
  const lines = marking.tender.length ? marking.tender : [{ type: "cash" }];
  one("[data-tender-lines]").replaceChildren(...lines.map(row));
}

function row(line, place) {
  const takeOff = () => {
    marking.tender.splice(place, 1);
    showTender();
    showSum();
  };
  return el(
    "li",
    {},
    el(
      "div",
      {},
      `${line.type.replace("-", " ")}${line.reference ? ` ${line.reference}` : ""}`,
      el("span.second", {}, line.amount ? dollars(cents(line.amount)) : "what is missing"),
    ),
    marking.tender.length ? el("button.small", { type: "button", on: { click: takeOff } }, "Take off") : "",
  );
}

function typedPaper(text) {
  const [serial, code] = text.split(":").map((part) => part.trim());
  return serial && code ? { serial, code } : null;
}

export function addTender(form) {
  const type = form.elements.type.value;
  const line = { type };
  const amount = form.elements.amount.value.trim();
  if (amount) {
    if (Number.isNaN(cents(amount))) return form.elements.amount.focus();
    line.amount = wire(cents(amount));
  }
  const reference = form.elements.reference.value.trim();
  if (!["cash", "chips"].includes(type)) {
    const paper = ["ticket", "keno-voucher"].includes(type);
    const code = scanned(reference) || (paper && typedPaper(reference)) || null;
    // A ticket or a Keno voucher buys something only with its security code: a serial is no possession.
    if (!reference || (paper && !code)) return form.elements.reference.focus();
    line.reference = code ? code.serial : reference;
    if (code) line.security_code = code.code;
  }
  marking.tender.push(line);
  form.elements.amount.value = form.elements.reference.value = "";
  showTender();
  showSum();
}
