// A player's usual tickets at the counter: found by the card, taken like a marked form, sold on that card.

import { ask, Refused } from "../web/call.js";
import { el, one, refusal } from "../web/dom.js";

export class Favourites {
  constructor({ marking, changed, said, rules }) {
    Object.assign(this, { marking, changed, said, rules });
    this.dialog = one("#favourites");
    this.list = one("[data-favourite-list]");
    this.wrong = one("[data-favourite-wrong]");
    this.card = one("#favourite-card");
    this.name = one("#favourite-name");
    one("[data-favourites]").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#telling(() => this.#look());
    });
    one("[data-favourite-keep]").addEventListener("click", () => this.#telling(() => this.#keep()));
  }

  open(card = "") {
    this.card.value = card || this.marking.player || "";
    this.name.value = "";
    this.list.replaceChildren();
    this.wrong.replaceChildren();
    if (!this.dialog.open) this.dialog.showModal();
    this.card.focus();
    if (this.card.value) this.#telling(() => this.#look());
  }

  async #look() {
    const card = this.card.value.trim();
    const { results } = await ask("keno/favourites/look-up", { method: "POST", body: { card } });
    this.list.replaceChildren(
      ...(results.length
        ? results.map((each) => this.#row(each, card))
        : [el("li", {}, el("div.soft", {}, "No usual ticket is kept for this card."))]),
    );
    one("[data-take]", this.list)?.focus();
  }

  #row({ id, name, request, price, refused }, card) {
    const take = () => {
      this.marking.takeFavourite(request, card);
      this.dialog.close();
      this.changed();
      this.said(`${name}, on card ${card}: read it back to the player, then sell it.`);
    };
    const forget = () =>
      this.#telling(async () => {
        await ask(`keno/favourites/${id}/forget`, { method: "POST", body: { card } });
        await this.#look();
      });
    return el(
      "li",
      {},
      el("div", {}, name, el("span.second", {}, price === null ? refused : `$${price} now`)),
      el("button.small.danger", { type: "button", "aria-label": `Forget ${name}`, on: { click: forget } }, "Forget"),
      price === null
        ? null
        : el(
            "button.small",
            { type: "button", "data-take": "", "aria-label": `Take ${name}`, on: { click: take } },
            "Take",
          ),
    );
  }

  async #keep() {
    const body = { card: this.card.value.trim(), name: this.name.value.trim(), ...this.marking.request() };
    const kept = await ask("keno/favourites", { method: "POST", body });
    this.name.value = "";
    this.marking.player = body.card;
    this.said(`Kept as ${kept.name}.`);
    await this.#look();
  }

  async #telling(work) {
    this.wrong.replaceChildren();
    try {
      await work();
    } catch (error) {
      const away = { title: "Server away", message: "The server does not answer. Try again in a moment.", clause: "" };
      this.wrong.replaceChildren(refusal(error instanceof Refused ? error : away, this.rules));
    }
  }
}
