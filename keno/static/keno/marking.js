// The ticket being marked: groups, plays, stake, games. It prices nothing and allows nothing: the server quotes it, and
// refuses what cannot be sold. Ways are counted here only to show which plays the groups make.

const SPOTS_LIMIT = 15;

export class Marking {
  constructor() {
    this.clear();
  }

  clear() {
    this.stake = "1.00"; // one player's stake is never the next one's
    this.groups = [[]];
    this.pick = null; // a number of spots, or "mystery"
    this.setBet = null; // {code, name}
    this.plays = new Map(); // spots → stake, of a way ticket
    this.chosen = false; // until the writer chooses, all the groups together are played
    this.games = 1;
    this.schedule = "standard";
    this.jackpot = false;
    this.tender = []; // empty: exact cash
    this.restAsVoucher = false;
    this.taken = null; // a runner's order, and what it asked for
    this.player = null; // whose card it is sold on
  }

  // The runner's order that this still is: marked otherwise, it is a sale of its own, and the order waits on.
  get order() {
    return this.taken && this.taken.asked === JSON.stringify(this.request()) ? this.taken : null;
  }

  get marked() {
    return this.groups.flat();
  }
  get filled() {
    return this.groups.filter((group) => group.length);
  }
  get isWay() {
    return this.filled.length > 1;
  }
  get isEmpty() {
    return !this.marked.length && this.pick === null && !this.setBet;
  }

  groupOf(number) {
    return this.groups.findIndex((group) => group.includes(number));
  }

  toggle(number) {
    this.pick = this.setBet = null;
    const at = this.groupOf(number);
    if (at >= 0) this.groups[at] = this.groups[at].filter((each) => each !== number);
    else this.groups.at(-1).push(number);
    this.#settlePlays();
  }

  takeLast() {
    while (this.groups.length > 1 && !this.groups.at(-1).length) this.groups.pop();
    this.groups.at(-1).pop();
    this.#settlePlays();
  }

  newGroup() {
    if (this.groups.at(-1).length) this.groups.push([]);
  }

  kings() {
    if (this.marked.length > 1) this.groups = this.marked.map((number) => [number]);
    this.#settlePlays();
  }

  quickPick(spots) {
    this.groups = [[]];
    this.plays.clear();
    this.setBet = null;
    this.pick = spots;
  }

  takeSetBet(bet) {
    this.groups = [[]];
    this.plays.clear();
    this.pick = null;
    this.setBet = bet;
  }

  togglePlay(spots) {
    if (!this.isWay || !this.ways().has(spots)) return false;
    if (!this.chosen) this.plays.clear();
    this.chosen = true;
    if (this.plays.has(spots)) this.plays.delete(spots);
    else this.plays.set(spots, this.stake);
    return true;
  }

  setStake(stake) {
    this.stake = stake;
    for (const spots of this.plays.keys()) this.plays.set(spots, stake);
  }

  // How many ways each number of spots has: the coefficients of the product of (1 + x^size) over the groups.
  ways() {
    const counts = new Array(SPOTS_LIMIT + 1).fill(0);
    counts[0] = 1;
    for (const group of this.filled) {
      for (let spots = SPOTS_LIMIT; spots >= group.length; spots--) counts[spots] += counts[spots - group.length];
    }
    return new Map([...counts.entries()].filter(([spots, count]) => spots && count));
  }

  #settlePlays() {
    if (!this.isWay || !this.chosen) this.plays.clear();
    if (!this.isWay) {
      this.chosen = false;
      return;
    }
    const possible = this.ways();
    for (const spots of this.plays.keys()) if (!possible.has(spots)) this.plays.delete(spots);
    if (!this.chosen && possible.size) this.plays.set(Math.max(...possible.keys()), this.stake);
  }

  // As POST keno/quote and keno/tickets take it; null while there is nothing to ask for.
  request() {
    const common = { games: this.games, schedule: this.schedule, jackpot: this.jackpot };
    if (this.setBet) return { set_bet: this.setBet.code, stake: this.stake, ...common };
    if (this.pick !== null)
      return { quick_pick: this.pick === "mystery" ? {} : { spots: this.pick }, stake: this.stake, ...common };
    if (!this.marked.length) return null;
    if (!this.isWay) return { numbers: this.filled[0], stake: this.stake, ...common };
    return {
      groups: this.filled,
      plays: [...this.plays].sort(([a], [b]) => a - b).map(([spots, stake]) => ({ spots, stake })),
      ...common,
    };
  }

  // A past ticket again, as GET keno/tickets/…/replay gives it.
  load({ numbers, groups, plays, stake, games, schedule, jackpot }) {
    this.clear();
    this.groups = groups ? groups.map((group) => [...group]) : [[...numbers]];
    for (const play of plays || []) this.plays.set(play.spots, play.stake);
    this.chosen = this.plays.size > 0;
    if (stake) this.stake = stake;
    Object.assign(this, { games, schedule, jackpot });
  }

  // What was asked for once, as orders and favourites keep it. A set bet has its name from the list of them.
  #take(request, name = "") {
    this.load({ ...request, numbers: request.numbers || [] });
    if (request.quick_pick) this.quickPick(request.spots || "mystery");
    else if (request.set_bet) this.takeSetBet({ code: request.set_bet, name: name || request.set_bet });
  }

  // A player's usual ticket, sold on his card.
  takeFavourite(request, card) {
    this.#take(request);
    this.player = card;
  }

  // A runner's order, as GET keno/orders/… gives it.
  takeOrder({ id, note, request }, name = "") {
    this.#take(request, name);
    this.taken = { id, note, asked: JSON.stringify(this.request()) };
  }
}
