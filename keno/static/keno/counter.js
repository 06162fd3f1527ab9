// What a scanned ticket can do at the counter (pay, cancel, play again), and Keno vouchers.

import { ask, newKey, once, Refused } from "../web/call.js";
import { cents, dollars, el, icon, money, one, refusal, wire } from "../web/dom.js";
import { field, inFours, pair, pressOnce } from "./forms.js";

const IDENTITY = [
  ["name", "Name"],
  ["born", "Born"],
  ["address", "Address"],
  ["document", "Document"],
  ["document_number", "Its number"],
];
const ASKED = "identity-needed"; // what the counter answers where it wants to know who the customer is
const STATES = {
  "in-play": ["In play", "is-good", "live"],
  won: ["Won", "is-good", "tick"],
  refund: ["Refund due", "is-attention", "wait"],
  lost: ["No prize", "is-quiet", "off"],
  paid: ["Paid", "is-quiet", "tick"],
  cancelled: ["Cancelled", "is-stopped", "cross"],
  voided: ["Void", "is-stopped", "cross"],
};

function identityFields(prefix) {
  const asked = IDENTITY.map(([name, label]) =>
    field(`${prefix}-${name}`, label, {
      name: `identity.${name}`,
      type: name === "born" ? "date" : "text",
      required: true,
    }),
  );
  return el("fieldset.field", {}, el("legend", {}, "Who the customer is"), el("div.beside", {}, asked));
}

function identityIn(given) {
  if (!given.has("identity.name")) return {};
  return { identity: Object.fromEntries(IDENTITY.map(([name]) => [name, given.get(`identity.${name}`)])) };
}

export class Counter {
  constructor({ terminal, changed, print, replay, said, handed }) {
    Object.assign(this, { terminal, changed, print, replay, said, handed });
    this.rules = terminal.dataset.rules;
    this.dialog = one("#ticket");
    this.body = one("[data-ticket]");
  }

  // ── A ticket, found by its serial: scanned with its code, or the code is asked for before anything is told ──────────
  async open({ serial, code = "" }) {
    const found = await this.#find(serial);
    if (found.voucher) this.#showVoucher(found.voucher, code);
    else if (code || found.ticket.owing !== null) await this.#lookUp(found.ticket, code);
    else this.#askForCode(found.ticket);
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

  async #lookUp(ticket, code) {
    try {
      const path = `keno/tickets/${encodeURIComponent(ticket.serial)}`;
      this.#show(code ? await ask(`${path}/look-up`, { method: "POST", body: { security_code: code } }) : ticket, code);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.#askForCode(ticket, error);
    }
  }

  #askForCode(ticket, refused = null) {
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "ticket-title" }, "Ticket ", el("span.mono", {}, inFours(ticket.serial))),
      ...(refused ? [refusal(refused, this.rules)] : []),
      field("look-up-code", "Security code", {
        name: "security_code",
        required: true,
        autocomplete: "off",
        className: "mono",
        "data-first": "",
      }),
      el(
        "p.soft",
        {},
        "The code on the paper shows that the player holds it. Without it nothing is paid or cancelled.",
      ),
      el(
        "div.actions",
        {},
        el("button", { type: "button", on: { click: () => this.#again(ticket) } }, "Play again"),
        el("button", { type: "button", "data-shut": "" }, "Cancel"),
        el("button.primary", { type: "submit" }, "Look it up"),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const code = new FormData(form).get("security_code").trim();
      await pressOnce(
        form,
        () => this.#lookUp(ticket, code),
        (error) => this.#askForCode(ticket, error),
      );
      one("[data-first]", this.body)?.focus();
    });
    this.body.replaceChildren(form);
  }

  #show(ticket, code, refused = null) {
    const [says, tone, sign] = STATES[ticket.status] || [ticket.status, "is-quiet", "off"];
    const owing = cents(ticket.owing);
    const pays = owing > 0 && "mayPay" in this.terminal.dataset;
    const cancels = ticket.still_playing && ticket.cancelled_from === null && "mayCancel" in this.terminal.dataset;
    const groups = ticket.groups || [ticket.numbers];
    this.body.replaceChildren(
      ...[
        el(
          "div.head",
          {},
          el(
            "div",
            {},
            el("h2", { id: "ticket-title" }, "Ticket ", el("span.mono", {}, inFours(ticket.serial))),
            el("p", {}, el(`span.word.${tone}`, {}, icon(sign), says)),
          ),
          el("button.bare", { type: "button", "data-shut": "", "aria-label": "Close" }, icon("close")),
        ),
        ...(refused ? [refusal(refused, this.rules)] : []),
        el(
          "dl.pairs",
          {},
          ...pair(
            "Games",
            ticket.games === 1 ? String(ticket.first_game) : `${ticket.first_game} to ${ticket.last_game}`,
          ),
          ...pair("Numbers", groups.map((group) => group.join(" ")).join("  |  ")),
          ...pair("Plays", ticket.plays.map((play) => `${play.ways} × ${play.spots} at $${play.stake}`).join(", ")),
          ...pair("Price", money(cents(ticket.price))),
          ...pair("Won", money(cents(ticket.won))),
          ...pair("Paid", money(cents(ticket.paid))),
        ),
        this.#results(ticket),
        pays ? this.#payForm(ticket, code, owing, refused) : null,
        el(
          "div.actions",
          {},
          el("button", { type: "button", on: { click: () => this.#again(ticket) } }, "Play again"),
          cancels
            ? el(
                "button.danger",
                { type: "button", on: { click: () => this.#confirmCancel(ticket, code) } },
                "Cancel unplayed games",
              )
            : null,
        ),
      ].filter(Boolean),
    );
  }

  #results(ticket) {
    if (!ticket.results.length) return null;
    const marked = new Set((ticket.groups || [ticket.numbers]).flat());
    const rows = ticket.results
      .slice(-8)
      .map((game) =>
        el(
          "tr",
          {},
          el("td", {}, String(game.game)),
          el(
            "td.drawn",
            {},
            game.drawn.length
              ? [...game.drawn]
                  .sort((a, b) => a - b)
                  .map((number) => el(marked.has(number) ? "b" : "span", {}, String(number)))
              : el("span.soft", {}, game.status),
          ),
          el(
            "td.right",
            {},
            cents(game.prize) || cents(game.refund) ? money(cents(game.prize) + cents(game.refund)) : "–",
          ),
        ),
      );
    return el(
      "div.sheet",
      {},
      el(
        "table",
        {},
        el(
          "thead",
          {},
          el("tr", {}, el("th", {}, "Game"), el("th", {}, "Drawn, yours in bold"), el("th.right", {}, "Prize")),
        ),
        el("tbody", {}, rows),
      ),
    );
  }

  #payForm(ticket, code, owing, refused) {
    const wantsIdentity = owing >= 1_000_000 || refused?.code === ASKED;
    const codeField = field("pay-code", "Security code", {
      name: "security_code",
      value: code,
      required: true,
      autocomplete: "off",
      className: "mono",
      ...(code ? {} : { "data-first": "" }),
    });
    const method = el(
      "select",
      { id: "pay-method", name: "method" },
      ["cash:Cash", "cheque:Cheque (a major prize)", "mix:Cash and cheque"].map((each) =>
        el("option", { value: each.split(":")[0] }, each.split(":")[1]),
      ),
    );
    const cheque = el(
      "div.beside",
      { hidden: true },
      field("pay-cheque", "By cheque", { name: "cheque", inputMode: "decimal" }),
      field("pay-cheque-number", "Cheque number", { name: "cheque_number" }),
    );
    method.addEventListener("change", () => {
      cheque.hidden = !["cheque", "mix"].includes(method.value);
      cheque.firstChild.hidden = method.value !== "mix";
    });
    const form = el(
      "form.pay",
      { method: "dialog" },
      el("div.beside", {}, codeField, el("div.field", {}, el("label", { for: "pay-method" }, "How"), method)),
      cheque,
      wantsIdentity ? identityFields("pay") : null,
      el(
        "div.actions",
        {},
        el("button.primary", { type: "submit", ...(code ? { "data-first": "" } : {}) }, `Pay ${dollars(owing)}`),
      ),
    );
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#pay(ticket, new FormData(form), form);
    });
    return form;
  }

  async #pay(ticket, given, form) {
    const body = { security_code: given.get("security_code").trim(), method: given.get("method") };
    if (body.method === "mix") body.cheque = wire(cents(given.get("cheque")) || 0);
    if (["cheque", "mix"].includes(body.method)) body.cheque_number = given.get("cheque_number").trim();
    Object.assign(body, identityIn(given));
    await pressOnce(
      form,
      async () => {
        const paid = await once(`keno/tickets/${ticket.serial}/pay`, body, { key: newKey() });
        const kept = paid.continuation ? " Keep the paper: the player goes on with the new one." : "";
        this.said(`Paid ${dollars(cents(paid.paid))} on ${inFours(ticket.serial)}.${kept}`, paid.voucher);
        this.handed({ says: "Pay out", amount: cents(paid.paid), serial: ticket.serial, stamp: "Paid" });
        this.dialog.close();
        if (paid.continuation) await this.print(ticket.serial);
        this.changed();
      },
      (error) => this.#show(ticket, body.security_code, error),
    );
  }

  #confirmCancel(ticket, code, refused = null) {
    const left = ticket.last_game - ticket.first_game + 1;
    const games = left === 1 ? "1 game" : `${left} games`;
    const unplayed = `the unplayed games of ticket ${inFours(ticket.serial)}`;
    const form = el(
      "form",
      { method: "dialog" },
      el(
        "p.sentence",
        {},
        `Cancel ${unplayed} (${games}, sold for ${dollars(cents(ticket.price))}) and hand back what was paid for them?`,
      ),
      ...(refused ? [refusal(refused, this.rules)] : []),
      refused?.code === ASKED ? identityFields("cancel") : null,
      el(
        "div.actions",
        {},
        el("button", { type: "button", on: { click: () => this.#show(ticket, code) } }, "Keep the ticket"),
        el("button.danger", { type: "submit", "data-first": "" }, "Cancel the ticket"),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      await pressOnce(
        form,
        async () => {
          const body = { security_code: code, ...identityIn(new FormData(form)) };
          const done = await once(`keno/tickets/${ticket.serial}/cancel`, body, { key: newKey() });
          const gone = done.cancelled_games === 1 ? "1 game" : `${done.cancelled_games} games`;
          this.said(`Cancelled ${gone}. Hand back ${dollars(cents(done.cash))}.`, done.voucher);
          this.handed({ says: "Money back", amount: cents(done.cash), serial: ticket.serial, stamp: "Cancelled" });
          this.dialog.close();
          this.changed();
        },
        (error) => (error.code === ASKED ? this.#confirmCancel(ticket, code, error) : this.#show(ticket, code, error)),
      );
    });
    this.body.replaceChildren(el("h2", { id: "ticket-title" }, "Cancel"), form);
    one("[data-first]", form).focus();
  }

  async #again(ticket) {
    try {
      this.replay(await ask(`keno/tickets/${ticket.serial}/replay`));
      this.dialog.close();
    } catch (error) {
      if (ticket.owing === null) this.#askForCode(ticket, error);
      else this.#show(ticket, "", error);
    }
  }

  #showVoucher(voucher, code, refused = null) {
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "ticket-title" }, "Keno voucher ", el("span.mono", {}, inFours(voucher.code))),
      ...(refused ? [refusal(refused, this.rules)] : []),
      voucher.spent_at
        ? el("p", {}, "This voucher has been spent.")
        : field("redeem-code", "Security code", {
            name: "security_code",
            value: code,
            required: true,
            className: "mono",
            autocomplete: "off",
            "data-first": "",
          }),
      !voucher.spent_at && (cents(voucher.amount) >= 1_000_000 || refused?.code === ASKED)
        ? identityFields("redeem")
        : null,
      el(
        "div.actions",
        {},
        el("button", { type: "button", "data-shut": "" }, "Cancel"),
        voucher.spent_at
          ? null
          : el("button.primary", { type: "submit" }, `Pay ${dollars(cents(voucher.amount))} in cash`),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const typed = new FormData(form);
      const given = typed.get("security_code").trim();
      const body = { security_code: given, ...identityIn(typed) };
      await pressOnce(
        form,
        async () => {
          await once(`keno/vouchers/${voucher.code}/redeem`, body, { key: newKey() });
          this.said(`Paid ${dollars(cents(voucher.amount))} for the voucher.`);
          this.handed({ says: "Pay out", amount: cents(voucher.amount) });
          this.dialog.close();
        },
        (error) => this.#showVoucher(voucher, given, error),
      );
    });
    this.body.replaceChildren(form);
  }
}
