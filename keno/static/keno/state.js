// What the terminal knows, and what it says of it. No page here: node tests it. *money* is web/money.js, handed in
// because the tree and the server have it at different places.

export class TerminalState {
  constructor(money) {
    this.money = money;
    Object.assign(this, { house: null, quote: null, refused: null, typed: "", said: "", sold: null });
    this.put();
    this.busy = false;
    this.away = null; // since when the server has not answered
    this.at = 1; // the number that the hands are at
  }

  // The next ticket begins: the last one, its stamp, and what was handed over for it are put away.
  put() {
    Object.assign(this, { sold: null, stamp: "", handed: null });
  }

  get hasNoShift() {
    return Boolean(this.house && !this.house.shift);
  }

  // Words, tone and sign of the connection.
  get connection() {
    if (this.away) return ["Server away: nothing can be sold", "is-stopped", "cross"];
    if (!this.house) return ["Connecting", "is-quiet", "wait"];
    return this.house.shift ? ["Live", "is-good", "live"] : ["No shift open", "is-attention", "alert"];
  }

  get sellSays() {
    if (this.busy) return "Selling";
    if (this.away) return "Server away";
    if (this.hasNoShift) return "Open your shift";
    if (this.sold) return this.stamp || "Sold";
    return this.quote ? `Sell ${this.money.dollars(this.money.cents(this.quote.price))}` : "Sell";
  }

  // The button sells, or opens the shift that a sale needs first.
  get maySell() {
    const ready = this.quote && !this.busy && !this.away && !this.sold;
    return Boolean(ready || (this.hasNoShift && !this.away));
  }

  get lastDrawn() {
    const last = this.house?.last;
    if (!last) return null;
    const how = last.status === "drawing" ? `drawing, ${last.drawn.length} of 20` : "drawn";
    return { says: `Game ${last.number} ${how}`, numbers: [...last.drawn].sort((a, b) => a - b).join(" ") };
  }

  hint(marking) {
    if (this.typed) return "Space marks · Q picks · S stake · G games · T given";
    if (this.said) return this.said;
    return marking.isEmpty ? "Type a number, or 6 F2 Q Enter" : "";
  }

  // What the ticket costs, what was given for it, and what goes back; null for what is not known or not asked for.
  sums(marking) {
    const { sold, quote } = this;
    const { cents } = this.money;
    if (this.handed) return { says: this.handed.says, total: this.handed.amount, given: null, change: null };
    if (sold) return { says: "Sold for", total: cents(sold.price), given: null, change: cents(sold.change) || null };
    const total = quote ? cents(quote.price) : 0;
    const open = marking.tender.some((line) => !line.amount); // as much as is missing
    const given =
      marking.tender.length && !open ? marking.tender.reduce((sum, line) => sum + cents(line.amount), 0) : null;
    return { says: "Total", total, given, change: given === null || !quote ? null : given - total };
  }

  changeSays(change, marking) {
    if (change < 0) return "Missing";
    return marking.restAsVoucher && !this.sold ? "As a voucher" : "Change";
  }

  // What is sent to sell the ticket, under its key; null while nothing is marked.
  sale(marking, key) {
    const request = marking.request();
    if (!request) return null;
    const { order } = marking;
    const path = order ? `keno/orders/${order.id}/issue` : "keno/tickets";
    const body = order ? {} : { ...request };
    if (marking.player && !order) body.player = marking.player;
    if (marking.tender.length) body.tender = marking.tender;
    if (marking.restAsVoucher) body.rest = "keno-voucher";
    return { key, path, body, closes: this.house?.game?.closes_at };
  }
}

// What is picked, in words.
export function picked(marking) {
  const count = marking.marked.length;
  if (marking.setBet) return marking.setBet.name;
  if (marking.pick === "mystery") return "Mystery quick pick";
  if (marking.pick) return `Quick pick of ${marking.pick}: picked by the server when sold`;
  if (marking.isWay) return `${count} numbers in ${marking.filled.length} groups`;
  return count ? `${count} marked` : "";
}
