// Runner orders at the counter: taken by their number or from the list, and issued like any sale, with any tender.

import { ask, Refused } from "../web/call.js";
import { el, one, refusal } from "../web/dom.js";

export class Orders {
  constructor({ marking, changed, rules }) {
    Object.assign(this, { marking, changed, rules });
    this.dialog = one("#orders");
    this.list = one("[data-order-list]");
    this.wrong = one("[data-order-wrong]");
    one("[data-order]").addEventListener("submit", (event) => {
      event.preventDefault();
      const number = one("#order-number").value.trim();
      if (/^\d{1,15}$/.test(number)) this.#telling(async () => this.#take(await ask(`keno/orders/${number}`)));
    });
  }

  async open() {
    one("#order-number").value = "";
    this.list.replaceChildren();
    this.#telling(async () => {
      const { results } = await ask("keno/orders?status=waiting&limit=20");
      this.list.replaceChildren(
        ...(results.length
          ? results.map((order) => this.#row(order))
          : [el("li", {}, el("div.soft", {}, "No order waits for a ticket."))]),
      );
    });
    this.dialog.showModal();
    one("#order-number").focus();
  }

  #row(order) {
    return el(
      "li",
      {},
      el(
        "div",
        {},
        `Order ${order.id}${order.note ? `, ${order.note}` : ""}`,
        el("span.second", {}, said(order.request)),
      ),
      el(
        "button.small",
        {
          type: "button",
          "aria-label": `Take order ${order.id}`,
          on: { click: () => this.#telling(() => this.#take(order)) },
        },
        "Take",
      ),
    );
  }

  async #take(order) {
    if (order.status !== "waiting")
      throw new Refused(
        { title: "Over", detail: `Order ${order.id} is ${order.status}.`, clause: "act-keno:4.8" },
        409,
      );
    const bets = order.request.set_bet ? (await ask("keno/set-bets")).results : [];
    this.marking.takeOrder(order, bets.find((bet) => bet.code === order.request.set_bet)?.name);
    this.dialog.close();
    this.changed();
  }

  async #telling(work) {
    this.wrong.replaceChildren();
    try {
      await work();
    } catch (error) {
      this.wrong.replaceChildren(
        refusal(
          error instanceof Refused
            ? error
            : { title: "Server away", message: "The server does not answer. Try again in a moment.", clause: "" },
          this.rules,
        ),
      );
    }
  }
}

function said({ numbers, groups, plays, quick_pick: picked, spots, set_bet: bet, stake, games }) {
  const what = bet
    ? `Set bet ${bet}`
    : picked
      ? spots
        ? `Quick pick of ${spots}`
        : "Mystery quick pick"
      : (groups || [numbers]).map((group) => group.join(" ")).join(" | ");
  const staked = plays ? plays.map((play) => `${play.spots}s at $${play.stake}`).join(", ") : `at $${stake}`;
  return `${what}, ${staked}${games > 1 ? `, ${games} games` : ""}`;
}
