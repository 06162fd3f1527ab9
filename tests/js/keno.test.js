// The writer's terminal without its page: the ticket being marked, and what the terminal says of it.
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { Marking } from "../../keno/static/keno/marking.js";
import { picked, TerminalState } from "../../keno/static/keno/state.js";
import * as money from "../../web/static/web/money.js";

const HOUSE = { shift: { id: 7 }, game: { number: 12, closes_at: "2026-11-16T10:03:00Z" }, jackpots: {} };
let marking;
let state;

beforeEach(() => {
  marking = new Marking();
  state = new TerminalState(money);
});

test("groups make ways, and until the writer chooses all of them together are played", () => {
  for (const number of [1, 2]) marking.toggle(number);
  marking.newGroup();
  for (const number of [11, 12, 13]) marking.toggle(number);
  assert.deepEqual(
    [...marking.ways()],
    [
      [2, 1],
      [3, 1],
      [5, 1],
    ],
  );
  assert.deepEqual(marking.request().plays, [{ spots: 5, stake: "1.00" }]);
  assert.equal(marking.togglePlay(4), false);
  marking.togglePlay(2);
  marking.setStake("0.50");
  assert.deepEqual(marking.request().plays, [{ spots: 2, stake: "0.50" }]);
  assert.equal(picked(marking), "5 numbers in 2 groups");
});

test("a number marked twice is taken off, and the last one first", () => {
  for (const number of [4, 8, 15, 4]) marking.toggle(number);
  assert.deepEqual(marking.request().numbers, [8, 15]);
  marking.takeLast();
  assert.deepEqual(marking.marked, [8]);
  marking.takeLast();
  assert.equal(marking.request(), null);
});

test("nothing is offered for sale before the server has spoken, without a price, or while it is away", () => {
  assert.deepEqual(state.connection[0], "Connecting");
  assert.equal(state.maySell, false);
  state.house = { ...HOUSE, shift: null };
  assert.deepEqual([state.sellSays, state.maySell], ["Open your shift", true]);
  state.house = HOUSE;
  assert.deepEqual([state.sellSays, state.maySell], ["Sell", false]);
  state.quote = { price: "6.00" };
  assert.deepEqual([state.sellSays, state.maySell], ["Sell $6.00", true]);
  state.away = 1;
  assert.deepEqual([state.sellSays, state.maySell, state.connection[2]], ["Server away", false, "cross"]);
});

test("what was given is counted once every line has its amount", () => {
  state.quote = { price: "6.00" };
  assert.deepEqual(state.sums(marking), { says: "Total", total: 600, given: null, change: null });
  marking.tender = [{ type: "cash", amount: "5.00" }];
  assert.equal(state.sums(marking).change, -100);
  assert.equal(state.changeSays(-100, marking), "Missing");
  marking.tender.push({ type: "chips", amount: "2.50" });
  assert.equal(state.sums(marking).change, 150);
  marking.tender.push({ type: "cash" }); // as much as is missing
  assert.equal(state.sums(marking).given, null);
  state.sold = { price: "6.00", change: "0.00" };
  assert.deepEqual(state.sums(marking), { says: "Sold for", total: 600, given: null, change: null });
});

test("an order is issued as it was asked for; marked otherwise it is a sale of its own", () => {
  state.house = HOUSE;
  const request = { numbers: [4, 8], stake: "2.00", games: 1, schedule: "standard", jackpot: false };
  marking.takeOrder({ id: 5, note: "Table 12", request });
  assert.deepEqual(state.sale(marking, "k"), {
    key: "k",
    path: "keno/orders/5/issue",
    body: {},
    closes: HOUSE.game.closes_at,
  });
  marking.toggle(15);
  marking.restAsVoucher = true;
  const sale = state.sale(marking, "k");
  assert.deepEqual([sale.path, sale.body.numbers, sale.body.rest], ["keno/tickets", [4, 8, 15], "keno-voucher"]);
});

test("what goes over the counter stands in the total's place; a cancelled ticket is not called sold", () => {
  state.sold = { serial: "A", price: "6.00", change: "0.00" };
  assert.deepEqual([state.sellSays, state.sums({ tender: [] }).says], ["Sold", "Sold for"]);
  Object.assign(state, { stamp: "Cancelled", handed: { says: "Money back", amount: 600 } });
  assert.equal(state.sellSays, "Cancelled");
  assert.deepEqual(state.sums({ tender: [] }), { says: "Money back", total: 600, given: null, change: null });
  state.put();
  assert.deepEqual([state.sold, state.stamp, state.handed], [null, "", null]);
});
