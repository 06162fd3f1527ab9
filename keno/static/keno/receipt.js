// The receipt on the screen: before the sale as it will print, after it as the server laid it out.

import { el } from "../web/dom.js";

const letter = (place) =>
  (place >= 26 ? String.fromCharCode(64 + Math.floor(place / 26)) : "") + String.fromCharCode(65 + (place % 26));
const two = (numbers) =>
  [...numbers]
    .sort((a, b) => a - b)
    .map((number) => String(number).padStart(2, "0"))
    .join(" ");
const MARKED = /^(Numbers|Group [A-Z]+)$/; // large, as they are printed
const SCHEDULES = { "special-1": "Special 1", "special-2": "Special 2", "special-3": "Special 3" };

function title(marking, toGo) {
  const kind = marking.setBet
    ? `Set bet, ${marking.setBet.code}`
    : marking.pick === "mystery"
      ? "Mystery quick pick"
      : marking.pick
        ? "Quick pick"
        : marking.isWay
          ? "Way ticket"
          : "Standard";
  return [kind, SCHEDULES[marking.schedule], marking.jackpot && "Jackpot", toGo && "Keno To Go"]
    .filter(Boolean)
    .join(", ");
}

export function draft(paper, { marking, quote, game, venue }) {
  const rows = [];
  if (!marking.isEmpty) {
    if (marking.order)
      rows.push(["Order", `${marking.order.id}${marking.order.note ? `, ${marking.order.note}` : ""}`]);
    rows.push(["Ticket", title(marking, quote?.keno_to_go)]);
    if (marking.setBet) rows.push(["Numbers", marking.setBet.name]);
    else if (marking.pick !== null)
      rows.push([
        "Numbers",
        marking.pick === "mystery" ? "as many as the draw of lots says" : `${"·· ".repeat(marking.pick).trim()}`,
      ]);
    else if (marking.isWay)
      rows.push(...marking.filled.map((group, place) => [`Group ${letter(place)}`, two(group), `g${place % 8}`]));
    else rows.push(["Numbers", two(marking.marked)]);
    const plays = quote?.plays || [];
    for (const play of marking.pick === "mystery" ? [] : plays)
      rows.push([
        `Play ${play.spots}`,
        `${play.ways === 1 ? "1 way" : `${play.ways.toLocaleString("en-AU")} ways`} at $${play.stake}`,
      ]);
    if (quote && marking.pick !== "mystery") rows.push(["Ways", quote.ways.toLocaleString("en-AU")]);
    if (game) {
      const free = quote && quote.games > quote.charged_games ? `, ${quote.games - quote.charged_games} free` : "";
      const last = game.number + marking.games - 1;
      rows.push([
        "Games",
        marking.games === 1 ? `Game ${game.number}` : `Games ${game.number} to ${last} (${marking.games} games${free})`,
      ]);
    }
    if (quote) rows.push(["Price", `$${quote.price}`]);
    rows.push(["Serial", "given when sold"], ["Security", "given when sold"]);
  }
  lay(paper, { venue, rows, note: marking.isEmpty ? "" : "Not sold yet" });
  if (marking.isEmpty) paper.append(el("p.nothing", {}, "Mark numbers, or take a quick pick."));
}

// What `print` answered: the particulars in their order, and the QR code out of the page that goes to the printer.
export function receipt(paper, printed, { venue, note = "" }) {
  // Only the code is taken out of that page: its style sheet is the printer's, and this page allows no other's.
  const page = new TextDecoder().decode(Uint8Array.from(atob(printed.content), (c) => c.charCodeAt(0)));
  const [drawing] = /<svg[\s\S]*<\/svg>/.exec(page) || [];
  lay(paper, {
    venue,
    rows: printed.lines.map(({ name, text }) => [name, text]),
    note: printed.duplicate ? "DUPLICATE" : note,
    sold: true,
  });
  if (drawing)
    paper.append(
      el(
        "div.code",
        {},
        document.importNode(new DOMParser().parseFromString(drawing, "image/svg+xml").documentElement, true),
      ),
    );
  paper.append(el("p.foot", {}, "Check your ticket now. The record in the computer decides."));
}

function lay(paper, { venue, rows, note, sold = false }) {
  paper.classList.toggle("sold", sold);
  paper.replaceChildren(
    el("h2", {}, venue, el("br"), "KENO"),
    ...(note ? [el("p.note", {}, note)] : []),
    el(
      "dl",
      {},
      rows.flatMap(([name, text, css]) => [
        el("dt", {}, name),
        el(["dd", css, MARKED.test(name) && "marked"].filter(Boolean).join("."), {}, text),
      ]),
    ),
  );
}
