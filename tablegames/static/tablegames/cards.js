// Cards tapped in at a disputed pot: each goes to the end of the line that was written in last, and comes back out when
// it is tapped again. What is typed and what is tapped are the same text.
const CARD = /(?<![^\s:])(JK|[2-9TJQKA][SHDC])(?!\S)/gi;

/** The cards that stand in a text. */
export function cardsIn(text) {
  return [...text.matchAll(CARD)].map((found) => found[1].toUpperCase());
}

/** The text with a card at the end of the line of the caret, and the caret behind it. */
export function put(text, caret, card) {
  const ends = text.indexOf("\n", caret);
  const at = ends < 0 ? text.length : ends;
  const before = text.slice(0, at);
  const gap = before === "" || /\s$/.test(before) ? "" : " ";
  return { text: `${before}${gap}${card}${text.slice(at)}`, caret: at + gap.length + card.length };
}

/** The text without this card. */
export function taken(text, card) {
  const without = (line) =>
    line
      .split(/\s+/)
      .filter((word) => word.toUpperCase() !== card)
      .join(" ");
  const lines = text.split("\n");
  return lines.map((line) => (cardsIn(line).includes(card) ? without(line) : line)).join("\n");
}

function begin(pad) {
  const fields = [...pad.form.elements].filter((field) => field.matches("textarea[name=players], input[name=board]"));
  let last = fields[0];
  const show = () => {
    const there = new Set(fields.flatMap((field) => cardsIn(field.value)));
    for (const button of pad.buttons) button.setAttribute("aria-pressed", String(there.has(button.dataset.card)));
  };
  for (const field of fields) {
    field.addEventListener("focus", () => {
      last = field;
    });
    field.addEventListener("input", show);
  }
  for (const button of pad.buttons) {
    button.addEventListener("click", () => {
      const { card } = button.dataset;
      const holds = fields.find((field) => cardsIn(field.value).includes(card));
      if (holds) holds.value = taken(holds.value, card);
      else {
        const { text, caret } = put(last.value, last.selectionEnd ?? last.value.length, card);
        last.value = text;
        last.setSelectionRange(caret, caret);
      }
      show();
    });
  }
  show();
}

if (typeof document !== "undefined") {
  const place = document.querySelector("[data-cards]");
  if (place) {
    place.hidden = false;
    begin({ form: place.closest("form"), buttons: [...place.querySelectorAll("[data-card]")] });
  }
}
