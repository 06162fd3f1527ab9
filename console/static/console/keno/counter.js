// What a scanned ticket can do at the counter (pay, cancel, play again), Keno vouchers, and the writer's shift.

import { ask, newKey, once, Refused } from "../call.js";
import { cents, dollars, el, icon, money, one, refusal, wire } from "../dom.js";

const IDENTITY = [["name", "Name"], ["born", "Born"], ["address", "Address"], ["document", "Document"], ["document_number", "Its number"]];
const STATES = {
  "in-play": ["In play", "is-good", "live"], won: ["Won", "is-good", "tick"], lost: ["No prize", "is-quiet", "off"],
  paid: ["Paid", "is-quiet", "tick"], cancelled: ["Cancelled", "is-stopped", "cross"], voided: ["Void", "is-stopped", "cross"],
};

export class Counter {
  constructor({ terminal, changed, shifted, replay, said }) {
    Object.assign(this, { terminal, changed, shifted, replay, said });
    this.rules = terminal.dataset.rules;
    this.dialog = one("#ticket");
    this.body = one("[data-ticket]");
    this.shiftDialog = one("#shift");
    this.shiftBody = one("[data-shift]");
  }

  // ── A ticket, found by its serial or its code ──────────────────────────────────────────────────────────────────────
  async open({ serial, code = "" }) {
    const found = await this.#find(serial);
    if (found.voucher) this.#showVoucher(found.voucher, code);
    else this.#show(found.ticket, code);
    if (!this.dialog.open) this.dialog.showModal();
    (one("[data-first]", this.body) || one("button.primary", this.body) || one("[data-shut]", this.body)).focus();
  }

  async #find(serial) {
    try {
      return { ticket: await ask(`keno/tickets/${encodeURIComponent(serial)}`) };
    } catch (error) {
      if (!(error instanceof Refused && error.status === 404)) throw error;
      try {
        return { voucher: await ask(`keno/vouchers/${encodeURIComponent(serial)}`) };
      } catch {
        throw error;
      }
    }
  }

  #show(ticket, code, refused = null) {
    const [says, tone, sign] = STATES[ticket.status] || [ticket.status, "is-quiet", "off"];
    const owing = cents(ticket.owing);
    const pays = owing > 0 && "mayPay" in this.terminal.dataset;
    const cancels = ticket.still_playing && ticket.cancelled_from === null && "mayCancel" in this.terminal.dataset;
    const groups = ticket.groups || [ticket.numbers];
    this.body.replaceChildren(...[
      el("div.head", {}, el("div", {}, el("h2", { id: "ticket-title" }, "Ticket ", el("span.mono", {}, inFours(ticket.serial))), el("p", {}, el(`span.word.${tone}`, {}, icon(sign), says))), el("button.bare", { type: "button", "data-shut": "", "aria-label": "Close" }, icon("close"))),
      ...(refused ? [refusal(refused, this.rules)] : []),
      el("dl.pairs", {}, ...pair("Games", ticket.games === 1 ? String(ticket.first_game) : `${ticket.first_game} to ${ticket.last_game}`), ...pair("Numbers", groups.map((group) => group.join(" ")).join("  |  ")), ...pair("Plays", ticket.plays.map((play) => `${play.ways} × ${play.spots} at $${play.stake}`).join(", ")), ...pair("Price", money(cents(ticket.price))), ...pair("Won", money(cents(ticket.won))), ...pair("Paid", money(cents(ticket.paid)))),
      this.#results(ticket),
      pays ? this.#payForm(ticket, code, owing, refused) : null,
      el("div.actions", {}, el("button", { type: "button", on: { click: () => this.#again(ticket) } }, "Play again"), cancels ? el("button.danger", { type: "button", on: { click: () => this.#confirmCancel(ticket, code) } }, "Cancel unplayed games") : null),
    ].filter(Boolean));
  }

  #results(ticket) {
    if (!ticket.results.length) return null;
    const marked = new Set((ticket.groups || [ticket.numbers]).flat());
    const rows = ticket.results.slice(-8).map((game) => el("tr", {}, el("td", {}, String(game.game)), el("td.drawn", {}, game.drawn.length ? [...game.drawn].sort((a, b) => a - b).map((number) => el(marked.has(number) ? "b" : "span", {}, String(number))) : el("span.soft", {}, game.status)), el("td.right", {}, cents(game.prize) || cents(game.refund) ? money(cents(game.prize) + cents(game.refund)) : "–")));
    return el("div.sheet", {}, el("table", {}, el("thead", {}, el("tr", {}, el("th", {}, "Game"), el("th", {}, "Drawn, yours in bold"), el("th.right", {}, "Prize"))), el("tbody", {}, rows)));
  }

  #payForm(ticket, code, owing, refused) {
    const wantsIdentity = owing >= 1_000_000 || refused?.code === "identity-needed";
    const codeField = field("pay-code", "Security code", { name: "security_code", value: code, required: true, autocomplete: "off", className: "mono", ...(code ? {} : { "data-first": "" }) });
    const method = el("select", { id: "pay-method", name: "method" }, ["cash:Cash", "keno-voucher:Keno voucher", "cheque:Cheque (a major prize)", "mix:Cash and cheque"].map((each) => el("option", { value: each.split(":")[0] }, each.split(":")[1])));
    const cheque = el("div.beside", { hidden: true }, field("pay-cheque", "By cheque", { name: "cheque", inputMode: "decimal" }), field("pay-cheque-number", "Cheque number", { name: "cheque_number" }));
    method.addEventListener("change", () => {
      cheque.hidden = !["cheque", "mix"].includes(method.value);
      cheque.firstChild.hidden = method.value !== "mix";
    });
    const form = el("form.pay", { method: "dialog" },
      el("div.beside", {}, codeField, el("div.field", {}, el("label", { for: "pay-method" }, "How"), method)), cheque,
      wantsIdentity ? el("fieldset.field", {}, el("legend", {}, "Who the customer is"), el("div.beside", {}, IDENTITY.map(([name, label]) => field(`pay-${name}`, label, { name: `identity.${name}`, type: name === "born" ? "date" : "text", required: true })))) : null,
      el("div.actions", {}, el("button.primary", { type: "submit", ...(code ? { "data-first": "" } : {}) }, `Pay ${dollars(owing)}`)));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#pay(ticket, new FormData(form), owing, form);
    });
    return form;
  }

  async #pay(ticket, given, owing, form) {
    const body = { security_code: given.get("security_code").trim(), method: given.get("method") };
    if (body.method === "mix") body.cheque = wire(cents(given.get("cheque")) || 0);
    if (["cheque", "mix"].includes(body.method)) body.cheque_number = given.get("cheque_number").trim();
    if (given.has("identity.name")) body.identity = Object.fromEntries(IDENTITY.map(([name]) => [name, given.get(`identity.${name}`)]));
    await this.#doing(form, async () => {
      const paid = await once(`keno/tickets/${ticket.serial}/pay`, body, { key: newKey() });
      this.said(`Paid ${dollars(cents(paid.paid))} on ${inFours(ticket.serial)}.`, paid.voucher);
      this.dialog.close();
      this.changed();
    }, (error) => this.#show(ticket, body.security_code, error));
  }

  #confirmCancel(ticket, code) {
    const left = ticket.last_game - ticket.first_game + 1;
    const form = el("form", { method: "dialog" }, el("p.sentence", {}, `Cancel the unplayed games of ticket ${inFours(ticket.serial)} (${left === 1 ? "1 game" : `${left} games`}, sold for ${dollars(cents(ticket.price))}) and hand back what was paid for them?`), el("div.actions", {}, el("button", { type: "button", on: { click: () => this.#show(ticket, code) } }, "Leave it"), el("button.danger", { type: "submit", "data-first": "" }, "Cancel the ticket")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await this.#doing(form, async () => {
        const done = await once(`keno/tickets/${ticket.serial}/cancel`, {}, { key: newKey() });
        this.said(`Cancelled ${done.cancelled_games === 1 ? "1 game" : `${done.cancelled_games} games`}. Hand back ${dollars(cents(done.refund))}.`, done.voucher);
        this.dialog.close();
        this.changed();
      }, (error) => this.#show(ticket, code, error));
    });
    this.body.replaceChildren(el("h2", { id: "ticket-title" }, "Cancel"), form);
    one("[data-first]", form).focus();
  }

  async #again(ticket) {
    try {
      this.replay(await ask(`keno/tickets/${ticket.serial}/replay`));
      this.dialog.close();
    } catch (error) {
      this.#show(ticket, "", error);
    }
  }

  #showVoucher(voucher, code, refused = null) {
    const form = el("form", { method: "dialog" },
      el("h2", { id: "ticket-title" }, "Keno voucher ", el("span.mono", {}, inFours(voucher.code))),
      ...(refused ? [refusal(refused, this.rules)] : []),
      voucher.spent_at ? el("p", {}, "This voucher has been spent.") : field("redeem-code", "Security code", { name: "security_code", value: code, required: true, className: "mono", autocomplete: "off", "data-first": "" }),
      el("div.actions", {}, el("button", { type: "button", "data-shut": "" }, "Leave it"), voucher.spent_at ? null : el("button.primary", { type: "submit" }, `Pay ${dollars(cents(voucher.amount))} in cash`)));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const given = new FormData(form).get("security_code").trim();
      await this.#doing(form, async () => {
        await once(`keno/vouchers/${voucher.code}/redeem`, { security_code: given }, { key: newKey() });
        this.said(`Paid ${dollars(cents(voucher.amount))} for the voucher.`);
        this.dialog.close();
      }, (error) => this.#showVoucher(voucher, given, error));
    });
    this.body.replaceChildren(form);
  }

  // ── The shift ──────────────────────────────────────────────────────────────────────────────────────────────────────
  openShift(shift) {
    this.shiftBody.replaceChildren(shift ? this.#closing(shift) : this.#opening());
    if (!this.shiftDialog.open) this.shiftDialog.showModal();
    one("input", this.shiftBody)?.select();
  }

  #opening() {
    const form = el("form", { method: "dialog" }, el("h2", { id: "shift-title" }, "Open your shift"), el("p", {}, "Every dollar that comes in or goes out belongs to a shift. Count the float before you begin."), field("shift-float", "Float in the drawer", { name: "float", inputMode: "decimal", value: "500.00", required: true }), el("div.actions", {}, el("button", { type: "button", "data-shut": "" }, "Not now"), el("button.primary", { type: "submit" }, "Open shift")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const amount = cents(new FormData(form).get("float"));
      if (Number.isNaN(amount)) return this.#wrong(form, "Write the float like 500.00.");
      await this.#doing(form, async () => {
        this.shifted(await once("keno/shifts", { opening_float: wire(amount) }, { key: newKey() }));
        this.shiftDialog.close();
        this.said(`Shift open with ${dollars(amount)}.`);
      }, (error) => this.#wrong(form, error));
    });
    return form;
  }

  #closing(shift) {
    const form = el("form", { method: "dialog" }, el("h2", { id: "shift-title" }, `Close shift ${shift.id}`), el("p", {}, `Open since ${new Date(shift.opened_at).toLocaleTimeString("en-AU", { hour: "2-digit", minute: "2-digit", hour12: false })}. Count the drawer first; what the books expect is told afterwards.`), el("div.beside", {}, field("shift-cash", "Cash counted", { name: "cash", inputMode: "decimal", required: true, autocomplete: "off" }), field("shift-chips", "Chips counted", { name: "chips", inputMode: "decimal", value: "0.00", autocomplete: "off" })), el("div.actions", {}, el("button", { type: "button", "data-shut": "" }, "Not yet"), el("button.primary", { type: "submit" }, "Close shift")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const given = new FormData(form);
      const [cash, chips] = [cents(given.get("cash")), cents(given.get("chips") || "0")];
      if (Number.isNaN(cash) || Number.isNaN(chips)) return this.#wrong(form, "Write what you counted like 812.50.");
      await this.#doing(form, async () => {
        const done = await once(`keno/shifts/${shift.id}/close`, { counted_cash: wire(cash), counted_chips: wire(chips) }, { key: newKey() });
        this.shifted(null);
        this.#closed(done);
      }, (error) => this.#wrong(form, error));
    });
    return form;
  }

  #closed({ shift, cash_over: cash, chips_over: chips }) {
    const over = (amount) => el(`span.word.${cents(amount) ? "is-attention" : "is-good"}`, {}, icon(cents(amount) ? "alert" : "tick"), cents(amount) === 0 ? "agrees" : `${dollars(Math.abs(cents(amount)))} ${cents(amount) > 0 ? "over" : "short"}`);
    this.shiftBody.replaceChildren(
      el("h2", { id: "shift-title" }, `Shift ${shift.id} is closed`),
      el("dl.pairs", {}, ...pair("Cash counted", money(cents(shift.counted_cash))), ...pair("Cash expected", money(cents(shift.expected_cash))), ...pair("Cash", over(cash)), ...pair("Chips", over(chips))),
      el("div.actions", {}, el("button.primary", { type: "button", "data-shut": "" }, "Done")));
    one(".primary", this.shiftBody).focus();
  }

  #wrong(form, error) {
    one(".banner", form)?.remove();
    form.querySelector("h2").after(error instanceof Error ? refusal(error, this.rules) : el("div.banner.is-stopped", { role: "alert" }, icon("cross"), el("div", {}, el("p", {}, error))));
  }

  // A button is pressed once; a refusal goes back on the form.
  async #doing(form, work, refused) {
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
}

const pair = (name, value) => [el("dt", {}, name), el("dd", {}, value)];
export const inFours = (text) => text.match(/.{1,4}/g).join("-");

function field(id, label, properties) {
  return el("div.field", {}, el("label", { for: id }, label), el("input", { id, ...properties }));
}
