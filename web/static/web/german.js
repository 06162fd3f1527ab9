/* Figures and moments as German writes them, made from how they are written in English: web/languages/german.py in
   JavaScript, held to it by one list of examples. Pure. */

const SPACE = "\u00a0";
const WEEKDAYS = { Mon: "Mo.", Tue: "Di.", Wed: "Mi.", Thu: "Do.", Fri: "Fr.", Sat: "Sa.", Sun: "So." };
const MONTHS = {
  Jan: "Jan.",
  Feb: "Feb.",
  Mar: "März",
  Apr: "Apr.",
  May: "Mai",
  Jun: "Juni",
  Jul: "Juli",
  Aug: "Aug.",
  Sep: "Sept.",
  Oct: "Okt.",
  Nov: "Nov.",
  Dec: "Dez.",
};
const UNITS = { day: "Tag", hour: "Stunde", minute: "Minute", second: "Sekunde" };
const units = Object.keys(UNITS).join("|");
const FIGURE = /(?<![\w.,:/#])([+−-]?)(\$?)(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(%?)(?![\w%]|[.,/]\d)/g;
const DAY = new RegExp(
  `\\b(?:(${Object.keys(WEEKDAYS).join("|")}) )?(\\d{1,2}) (${Object.keys(MONTHS).join("|")})\\b(?!\\.)`,
  "g",
);
const SPAN = new RegExp(`\\b(\\d+) (${units})(s?)\\b`, "g");
const AGO = new RegExp(`((?:\\b\\d+ (?:${units})s? ?)+)\\bago\\b`, "g");
const ODDS = /\b1 in (\d[\d,]*)(\.\d\d)?(?![\d,])/g;

const dots = (digits) => digits.replaceAll(",", ".");
const comma = (part = "") => part.replace(".", ",");
const span = (_, count, unit, s) => `${count} ${UNITS[unit]}${s ? (unit === "day" ? "e" : "n") : ""}`;
const before = (all, count, unit, s) => span(all, count, unit, s) + (unit === "day" && s ? "n" : "");

export function figures(text) {
  return text
    .replace(AGO, (_, spans) => `vor ${spans.replace(SPAN, before).trim()}`)
    .replace(ODDS, (_, whole, part) => `1 zu ${dots(whole)}${comma(part)}`)
    .replace(DAY, (_, weekday, day, month) => `${weekday ? `${WEEKDAYS[weekday]}, ` : ""}${day}. ${MONTHS[month]}`)
    .replace(SPAN, span)
    .replace(FIGURE, (all, sign, dollar, whole, part, percent) => {
      if (!dollar && !percent && !whole.includes(",")) return all;
      return `${sign}${dots(whole)}${comma(part)}${dollar ? `${SPACE}$` : percent ? `${SPACE}%` : ""}`;
    });
}
