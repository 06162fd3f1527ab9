// The state of a table's terminal, apart from its page: wagers offered, the open round, hands laid, what was won.
// No element, no call, no clock in here: the page draws what this says, and node tests it.

export const label = (text) => (text ? text[0].toUpperCase() + text.slice(1).replaceAll("-", " ") : "");

// What a hit waits for, and who is on the way to this table.
export function waitsFor({ status, coming }) {
  if (status === "verified") return "to be paid";
  return coming ? `${coming} is coming` : "to be verified; nobody is on the way yet";
}

const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };
const STATUSES = {
  open: { says: "Live", tone: "is-good", sign: "live" },
  suspended: { says: "Jackpot suspended: play without it", tone: "is-attention", sign: "alert" },
  closed: { says: "Jackpot closed", tone: "is-quiet", sign: "off" },
};
const AWAY = { says: "Server away: nothing is lost, it goes on by itself", tone: "is-stopped", sign: "cross" };
const CONNECTING = { says: "Connecting", tone: "is-quiet", sign: "wait" };

const between = () => ({
  offers: new Map(), // box → player card, or ""
  round: null, // as the server has it
  hands: new Map(), // box → cards or tiles laid
  folded: new Set(),
  hits: null,
  preview: null,
  here: null, // the box that is being looked at
});

export class TableState {
  constructor({ handSize, tiles, ruleSet, boxCount }) {
    Object.assign(this, { handSize, tiles, ruleSet, boxCount });
    Object.assign(this, { house: null, away: null, busy: false, refused: null, before: [] });
    this.clear();
  }

  clear(kept = {}) {
    Object.assign(this, between(), kept);
  }

  // ── What the server says ──
  heard(house) {
    this.house = house;
    this.away = null;
    if (this.busy) return;
    if (house.round && this.round?.round !== house.round.round) this.clear({ round: house.round });
    else if (!house.round && this.round) this.clear({ hits: this.hits }); // ended elsewhere
  }

  lost(now) {
    this.away ??= now;
  }

  // ── What people do ──
  touch(box) {
    if (this.busy || box > this.boxCount) return;
    this.refused = null;
    if (this.round) {
      this.here = this.here === box || !this.accepted(box) ? null : box;
      return;
    }
    this.hits = null;
    this.here = box;
    if (!this.offers.delete(box)) this.offers.set(box, "");
  }

  everyBox() {
    this.hits = null;
    const boxes = Array.from({ length: this.boxCount }, (_, i) => i + 1);
    this.offers = new Map(boxes.map((box) => [box, this.offers.get(box) ?? ""]));
  }

  sameBoxes() {
    this.offers = new Map(this.before);
    this.hits = null;
  }

  setCard(text) {
    if (this.offers.has(this.here)) this.offers.set(this.here, text);
  }

  // Whether the hand is whole or empty now: then it is worth asking what it would win.
  lay(piece, { takeBack }) {
    const hand = [...this.hand(this.here)];
    const at = hand.lastIndexOf(piece);
    if (takeBack && at >= 0) hand.splice(at, 1);
    else if (hand.length < this.handSize) hand.push(piece);
    if (hand.length) this.hands.set(this.here, hand);
    else this.hands.delete(this.here);
    return hand.length === this.handSize || !hand.length;
  }

  fold() {
    if (!this.folded.delete(this.here)) this.folded.add(this.here);
  }

  clearHand() {
    this.hands.delete(this.here);
  }

  // ── What is sent ──
  start() {
    this.before = [...this.offers];
    const offered = [...this.before].sort(([a], [b]) => a - b);
    return { wagers: offered.map(([box, player]) => (player ? { box, player } : { box })) };
  }

  finish() {
    const whole = [...this.hands].filter(([, hand]) => hand.length === this.handSize);
    const kind = this.tiles ? "tiles" : "cards";
    return { hands: whole.map(([box, hand]) => ({ box, [kind]: hand })), folded: [...this.folded] };
  }

  // Null where nothing is laid that could win.
  evaluation() {
    const ended = this.finish();
    if (!ended.hands.length || !this.round) return null;
    const meters = this.house.levels;
    const [only, ...others] = Object.values(meters);
    return {
      rules: this.ruleSet,
      wagers: this.round.accepted.map((each) => each.box),
      ...ended,
      bonus: this.house.bonus,
      ...(others.length ? { meters } : { meter: only }),
    };
  }

  // ── What people see ──
  accepted(box) {
    return this.round?.accepted.find((each) => each.box === box);
  }

  hand(box) {
    return this.hands.get(box) ?? [];
  }

  get halfLaid() {
    return [...this.hands].find(([, hand]) => hand.length && hand.length < this.handSize)?.[0];
  }

  get picking() {
    return Boolean(this.round && this.here && this.accepted(this.here));
  }

  get status() {
    if (this.away) return AWAY;
    return this.house ? STATUSES[this.house.status] : CONNECTING;
  }

  get mayGo() {
    if (this.busy || this.away || !this.house) return false;
    return this.round ? !this.halfLaid : this.offers.size > 0 && this.house.status === "open";
  }

  get goSays() {
    if (this.busy) return "…";
    if (this.round) return "Finish the round";
    const count = this.offers.size;
    return count ? `Start the round, ${count} wager${count > 1 ? "s" : ""}` : "Start the round";
  }

  get stage() {
    if (this.busy) return "Asking the server…";
    if (this.round) {
      const half = this.halfLaid;
      if (half) return `Box ${half} has ${this.hand(half).length} of ${this.handSize}: lay the rest, or clear it.`;
      return `Round ${this.round.round}: lay the hands that may win, then finish.`;
    }
    if (this.hits?.length) return "Locked. A supervisor verifies, then a manager pays, in this order.";
    if (this.hits) return "Round finished, nothing won. Wagers for the next one.";
    if (this.house && this.house.status !== "open") return "No jackpot wagers at this table now.";
    return "Wagers: touch each box that has one.";
  }

  box(box) {
    const accepted = this.accepted(box);
    const refused = this.round?.refused.find((each) => each.box === box);
    const folded = this.folded.has(box);
    const classes = { accepted, refused, here: this.here === box, folded };
    return {
      pressed: this.offers.has(box) || Boolean(accepted),
      classes: Object.keys(classes).filter((name) => classes[name]),
      says: this.#boxSays(box, accepted, refused, folded),
      hand: this.hand(box)
        .map((piece) => this.short(piece))
        .join(" "),
    };
  }

  #boxSays(box, accepted, refused, folded) {
    if (refused) return refused.detail;
    if (accepted) return ["Accepted", accepted.player, folded && "folded"].filter(Boolean).join(", ");
    return this.offers.has(box) ? this.offers.get(box) || "Wager" : "";
  }

  // One deck or set at a table: what lies on another box cannot lie here; of tiles there are two alike.
  piece(piece, nth = 1) {
    const elsewhere = [...this.hands].filter(([box]) => box !== this.here).flatMap(([, laid]) => laid);
    const gone = elsewhere.filter((each) => each === piece).length;
    const pressed = this.hand(this.here).filter((each) => each === piece).length >= nth;
    return { pressed, disabled: !pressed && (this.tiles ? gone + nth > 2 : gone > 0) };
  }

  short(piece) {
    return this.tiles ? piece : `${piece[0] === "T" ? "10" : piece[0]}${SIGNS[piece[1]]}`;
  }

  get waiting() {
    return (this.house?.waiting ?? []).filter((each) => !this.hits?.some((hit) => hit.id === each.id));
  }
}
