// What the terminal shows of its state. It decides nothing and asks nothing.

import { inMinutes } from "../web/clock.js";
import { cents, dollars, el, every, icon, money, one, refusal } from "../web/dom.js";
import { clock, grid, marking, numbers, paper, root, rules, state, venue } from "./desk.js";
import { inFours } from "./forms.js";
import { draft } from "./receipt.js";
import { picked } from "./state.js";

export function showHouse() {
  const { house, away } = state;
  const [words, tone, sign] = state.connection;
  const shown = one("[data-state]");
  if (shown.textContent !== words) {
    shown.className = `state ${tone}`;
    shown.replaceChildren(icon(sign), el("span", {}, words));
  }
  root.classList.toggle("away", Boolean(away));
  if (!house) return showSell();
  one("[data-shift-says]").textContent = house.shift ? `Shift ${house.shift.id}` : "Open shift";
  for (const [spots, amount] of Object.entries(house.jackpots)) {
    const [whole, part] = amount.split(".");
    one(`[data-jackpot="${spots}"]`)?.replaceChildren(whole, el("small", {}, `.${part}`));
  }
  const last = state.lastDrawn;
  one("[data-last]").hidden = !last;
  if (last) {
    one("[data-last-says]").textContent = last.says;
    one("[data-last-numbers]").textContent = last.numbers;
  }
  showClock();
  showSell();
}

// The seconds left of the game on sale; null where none is.
export function showClock() {
  const game = state.house?.game;
  if (clock.known) one("[data-clock]").textContent = atVenue(clock.now());
  const says = one("[data-cutoff]");
  one("[data-game]").textContent = game ? `Game ${game.number}` : "No game";
  if (!game) {
    says.textContent = "no gaming day ahead";
    return null;
  }
  if (game.status !== "open") {
    says.textContent = `opens in ${inMinutes(clock.secondsUntil(game.opens_at))}`;
    return null;
  }
  const left = clock.secondsUntil(game.closes_at);
  const whole = (Date.parse(game.closes_at) - Date.parse(game.opens_at)) / 1000;
  one("[data-ring]").setAttribute("stroke-dashoffset", String(100 - (100 * Math.max(0, left)) / whole));
  says.textContent = left > 0 ? `closes in ${inMinutes(left)}` : "closing";
  says.classList.toggle("soon", left < 15);
  return left;
}

/* Always the venue's clock: a terminal may believe to be anywhere. */
const zone = new Intl.DateTimeFormat("en-AU", {
  timeZone: root.dataset.zone,
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
});
export const atVenue = (moment) => zone.format(new Date(moment));

export function showTicket() {
  if (state.typed !== one("[data-entry]").textContent) one("[data-entry]").textContent = state.typed;
  const way = marking.isWay;
  for (const button of numbers) {
    const group = marking.groupOf(Number(button.dataset.n));
    const css = group < 0 ? "n" : `n on g${group % 8}`;
    if (button.className !== css) button.className = css;
    button.setAttribute("aria-pressed", String(group >= 0));
    button.dataset.group = way && group >= 0 ? String.fromCharCode(65 + (group % 26)) : "";
  }
  grid.classList.toggle("picking", marking.pick !== null || Boolean(marking.setBet));
  one("[data-picked]").textContent = picked(marking);
  one("[data-hint]").classList.toggle("said", Boolean(state.said && !state.typed));
  one("[data-hint]").textContent = state.hint(marking);
  pressed("[data-pick]", (button) => String(marking.pick) === button.dataset.pick);
  pressed("[data-stake]", (button) => marking.stake === button.dataset.stake);
  pressed("[data-games]", (button) => String(marking.games) === button.dataset.games);
  pressed('[data-do="jackpot"]', () => marking.jackpot);
  one("[data-schedule]").value = marking.schedule;
  showPlays();
  paper.dataset.stamp = state.stamp;
  if (!state.sold) draft(paper, { marking, quote: state.quote, game: state.house?.game, venue });
  showSum();
}

const pressed = (selector, test) => {
  for (const button of every(selector)) button.setAttribute("aria-pressed", String(test(button)));
};

function showPlays() {
  one("[data-plays]").hidden = !marking.isWay;
  if (!marking.isWay) return;
  const list = one("[data-play-list]");
  list.replaceChildren(
    ...[...marking.ways()].map(([spots, count]) => {
      const stake = marking.plays.has(spots) ? ` · $${marking.plays.get(spots)}` : "";
      const ways = `${count.toLocaleString("en-AU")} ${count === 1 ? "way" : "ways"}`;
      return el(
        "button",
        { type: "button", "aria-pressed": String(marking.plays.has(spots)), "data-play": String(spots) },
        `${spots}s`,
        el("span.soft", {}, ` ${ways}${stake}`),
      );
    }),
  );
}

export function showSum() {
  const { refused } = state;
  const { says, total, given, change } = state.sums(marking);
  one("[data-sum]").classList.toggle("handed", Boolean(state.handed));
  one("[data-total-says]").textContent = says;
  one("[data-total]").replaceChildren(...money(total).childNodes);
  one("[data-given-row]").hidden = given === null;
  if (given !== null) one("[data-given]").replaceChildren(...money(given).childNodes);
  one("[data-change-row]").hidden = change === null;
  if (change !== null) {
    one("[data-change-says]").textContent = state.changeSays(change, marking);
    one("[data-change]").replaceChildren(...money(Math.abs(change)).childNodes);
    one("[data-change-row]").classList.toggle("missing", change < 0);
  }
  const box = one("[data-refused]");
  box.hidden = !refused;
  box.replaceChildren(...(refused ? [refusal(refused, rules)] : []));
  showSell();
}

function showSell() {
  const button = one('[data-do="sell"]');
  button.disabled = !state.maySell;
  one("[data-sell-says]").textContent = state.sellSays;
  button.classList.toggle("busy", state.busy);
}

export function backToGrid() {
  if (!one("dialog[open]")) numbers[state.at - 1].focus({ preventScroll: true });
}

export function walk(step) {
  const next = state.at + step;
  if (next < 1 || next > 80) return;
  numbers[state.at - 1].tabIndex = -1;
  state.at = next;
  numbers[next - 1].tabIndex = 0;
  numbers[next - 1].focus();
}

// A voucher's codes have to be copied onto paper: they stay until they are put away.
export function showVoucher(voucher) {
  const codes = `${inFours(voucher.code)}, code ${inFours(voucher.security_code)}`;
  const says = el("p", {}, `Keno voucher of ${dollars(cents(voucher.amount))}: `, el("span.mono", {}, codes));
  const away = el("button.bare", { type: "button", "data-dismiss": "", "aria-label": "Dismiss" }, icon("close"));
  one(".toasts").replaceChildren(el("div.toast", {}, icon("tick"), says, away));
}
