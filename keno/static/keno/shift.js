// The writer's shift at the counter: opened with a float, closed on what was counted, blind.

import { newKey, once } from "../web/call.js";
import { cents, dollars, el, icon, money, one, refusal, wire } from "../web/dom.js";
import { field, pair, pressOnce } from "./forms.js";
import { atVenue } from "./show.js";

export class Shift {
  constructor({ rules, shifted, said }) {
    Object.assign(this, { rules, shifted, said });
    this.dialog = one("#shift");
    this.body = one("[data-shift]");
  }

  open(shift) {
    this.body.replaceChildren(shift ? this.#closing(shift) : this.#opening());
    if (!this.dialog.open) this.dialog.showModal();
    one("input", this.body)?.select();
  }

  #opening() {
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "shift-title" }, "Open your shift"),
      el("p", {}, "Every dollar that comes in or goes out belongs to a shift. Count the float before you begin."),
      field("shift-float", "Float in the drawer", {
        name: "float",
        inputMode: "decimal",
        value: "500.00",
        required: true,
      }),
      el(
        "div.actions",
        {},
        el("button", { type: "button", "data-shut": "" }, "Not now"),
        el("button.primary", { type: "submit" }, "Open shift"),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const amount = cents(new FormData(form).get("float"));
      if (Number.isNaN(amount)) return this.#wrong(form, "Write the float like 500.00.");
      await pressOnce(
        form,
        async () => {
          this.shifted(await once("keno/shifts", { opening_float: wire(amount) }, { key: newKey() }));
          this.dialog.close();
          this.said(`Shift open with ${dollars(amount)}.`);
        },
        (error) => this.#wrong(form, error),
      );
    });
    return form;
  }

  #closing(shift) {
    const since = atVenue(shift.opened_at);
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "shift-title" }, `Close shift ${shift.id}`),
      el("p", {}, `Open since ${since}. Count the drawer first; what the books expect is told afterwards.`),
      el(
        "div.beside",
        {},
        field("shift-cash", "Cash counted", {
          name: "cash",
          inputMode: "decimal",
          required: true,
          autocomplete: "off",
        }),
        field("shift-chips", "Chips counted", {
          name: "chips",
          inputMode: "decimal",
          value: "0.00",
          autocomplete: "off",
        }),
      ),
      el(
        "div.actions",
        {},
        el("button", { type: "button", on: { click: () => this.#cash(shift) } }, "Cash brought or taken"),
        el("button", { type: "button", "data-shut": "" }, "Not yet"),
        el("button.primary", { type: "submit" }, "Close shift"),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const given = new FormData(form);
      const [cash, chips] = [cents(given.get("cash")), cents(given.get("chips") || "0")];
      if (Number.isNaN(cash) || Number.isNaN(chips)) return this.#wrong(form, "Write what you counted like 812.50.");
      await pressOnce(
        form,
        async () => {
          const done = await once(
            `keno/shifts/${shift.id}/close`,
            { counted_cash: wire(cash), counted_chips: wire(chips) },
            { key: newKey() },
          );
          this.shifted(null);
          this.#closed(done);
        },
        (error) => this.#wrong(form, error),
      );
    });
    return form;
  }

  // Cash comes and goes between two people: what the writer says here moves it once a supervisor says the same.
  #cash(shift) {
    const way = el(
      "select",
      { id: "cash-way", name: "way" },
      el("option", { value: "fill" }, "Brought to the drawer"),
      el("option", { value: "drop" }, "Taken to the cage"),
    );
    const form = el(
      "form",
      { method: "dialog" },
      el("h2", { id: "shift-title" }, "Cash brought or taken"),
      el("p", {}, "You and the supervisor each say how much. It is booked when both have said the same."),
      el(
        "div.beside",
        {},
        el("div.field", {}, el("label", { for: "cash-way" }, "What"), way),
        field("cash-amount", "Amount", { name: "amount", inputMode: "decimal", required: true, autocomplete: "off" }),
      ),
      el(
        "div.actions",
        {},
        el("button", { type: "button", on: { click: () => this.open(shift) } }, "Cancel"),
        el("button.primary", { type: "submit" }, "Say so"),
      ),
    );
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const amount = cents(new FormData(form).get("amount"));
      if (Number.isNaN(amount)) return this.#wrong(form, "Write the amount like 2000.00.");
      await pressOnce(
        form,
        async () => {
          const path = `keno/shifts/${shift.id}/${way.value}`;
          const moved = await once(path, { amount: wire(amount) }, { key: newKey() });
          this.dialog.close();
          this.said(`${dollars(amount)}: ${moved.waits ? "waits for the supervisor to say the same" : "booked"}.`);
        },
        (error) => this.#wrong(form, error),
      );
    });
    this.body.replaceChildren(form);
    one("input", form).focus();
  }

  #closed({ shift, cash_over: cash, chips_over: chips }) {
    const over = (amount) =>
      el(
        `span.word.${cents(amount) ? "is-attention" : "is-good"}`,
        {},
        icon(cents(amount) ? "alert" : "tick"),
        cents(amount) === 0 ? "agrees" : `${dollars(Math.abs(cents(amount)))} ${cents(amount) > 0 ? "over" : "short"}`,
      );
    this.body.replaceChildren(
      el("h2", { id: "shift-title" }, `Shift ${shift.id} is closed`),
      el(
        "dl.pairs",
        {},
        ...pair("Cash counted", money(cents(shift.counted_cash))),
        ...pair("Cash expected", money(cents(shift.expected_cash))),
        ...pair("Cash", over(cash)),
        ...pair("Chips", over(chips)),
      ),
      el("div.actions", {}, el("button.primary", { type: "button", "data-shut": "" }, "Done")),
    );
    one(".primary", this.body).focus();
  }

  #wrong(form, error) {
    one(".banner", form)?.remove();
    form
      .querySelector("h2")
      .after(
        error instanceof Error
          ? refusal(error, this.rules)
          : el("div.banner.is-stopped", { role: "alert" }, icon("cross"), el("div", {}, el("p", {}, error))),
      );
  }
}
