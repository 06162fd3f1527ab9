// A scanner types what it reads, far faster than a hand, and ends with Enter. On every receipt is the address where its
// player checks the draw, `https://…/verify/?game=…#serial=…&code=…&…` (`keno:SERIAL:CODE:FIRST-LAST` on older ones);
// the same anywhere on the page opens that ticket. `keno:play:…` is an entry form and `keno:card:…` a player's card,
// for the terminal. Typing into a field is left alone.

const PREFIXES = ["keno:", "http://", "https://"];
const begun = (text) => PREFIXES.some((prefix) => text.toLowerCase().startsWith(prefix));
const SLOWEST_MS = 1000; // between two characters; then it was a hand, or nothing came after all

export function scanner(found) {
  // told {serial, code}, {entry} or {card}, or null for a code that is none of ours
  let read = "";
  let at = 0;
  addEventListener(
    "keydown",
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select")) return;
      if (event.timeStamp - at > SLOWEST_MS) read = "";
      at = event.timeStamp;
      if (event.key === "Shift") return;
      if (event.key === "Enter" && begun(read)) {
        const ticket = scanned(read);
        read = "";
        event.preventDefault();
        event.stopImmediatePropagation();
        found(ticket);
        return;
      }
      const next = event.key.length === 1 ? (read + event.key).toLowerCase() : "";
      if (!next || !(begun(next) || PREFIXES.some((prefix) => prefix.startsWith(next)))) {
        read = "";
        return;
      }
      read += event.key;
      if (read.length < 2) return; // a k alone is a key like any other
      event.preventDefault();
      event.stopImmediatePropagation();
    },
    { capture: true },
  );
}

export function scanned(text) {
  if (/^keno:play:/i.test(text.trim())) return { entry: text.trim().toUpperCase() };
  const [, card] = /^keno:card:([0-9a-z-]{1,32})$/i.exec(text.trim()) || [];
  if (card) return { card: card.toUpperCase() };
  const [, serial, code] =
    /^(?:https?:\/\/\S+#serial=|keno:)([0-9a-z]+)(?:(?:&code=|:)([0-9a-z]+))?(?:&\S+|:[\d-]*)?$/i.exec(text.trim()) ||
    [];
  return serial ? { serial: serial.toUpperCase(), code: (code || "").toUpperCase() } : null; // a duplicate has no code
}
