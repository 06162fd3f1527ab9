// What the terminal at a table knows, without its page: node --test tests/jackpot/
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { TableState } from "../../jackpot/static/jackpot/round.js";

const ROYAL = ["AS", "KS", "QS", "JS", "TS"];
const house = (more = {}) => ({
  status: "open",
  wager: "2.50",
  bonus: "250.00",
  levels: { prize: "50000.00" },
  ...more,
});
const round = {
  round: 7,
  accepted: [
    { box: 1, player: null },
    { box: 3, player: "P-1" },
  ],
  refused: [{ box: 4, detail: "No ante." }],
};
let state;

beforeEach(() => {
  state = new TableState({ handSize: 5, tiles: false, ruleSet: "caribbean-stud", boxCount: 7 });
});

test("before the server has spoken nothing can be started", () => {
  assert.equal(state.status.says, "Connecting");
  state.touch(1);
  assert.equal(state.mayGo, false);
  state.heard(house());
  assert.equal(state.mayGo, true);
});

test("wagers are offered box by box, taken back, and sent in the order of the boxes", () => {
  state.heard(house());
  for (const box of [4, 1, 4, 3, 9]) state.touch(box); // four is thought better of, nine is not there
  state.touch(3);
  state.touch(3);
  state.setCard("P-1");
  assert.equal(state.goSays, "Start the round, 2 wagers");
  assert.deepEqual(state.start(), { wagers: [{ box: 1 }, { box: 3, player: "P-1" }] });
  state.clear({ round });
  state.clear();
  state.sameBoxes();
  assert.deepEqual([...state.offers.keys()], [1, 3]);
});

test("every box at once keeps the cards that were set", () => {
  state.touch(2);
  state.setCard("P-2");
  state.everyBox();
  assert.equal(state.offers.size, 7);
  assert.equal(state.offers.get(2), "P-2");
});

test("no wagers where the jackpot is not open", () => {
  state.heard(house({ status: "suspended" }));
  state.touch(1);
  assert.equal(state.mayGo, false);
  assert.equal(state.stage, "No jackpot wagers at this table now.");
});

test("a hand half laid holds the round up; whole, it is sent", () => {
  state.heard(house({ round }));
  state.touch(2); // has no wager
  assert.equal(state.picking, false);
  state.touch(3);
  const asked = ROYAL.map((card) => state.lay(card, { takeBack: false }));
  assert.deepEqual(asked, [false, false, false, false, true]);
  state.lay("2C", { takeBack: false }); // a sixth has no place
  assert.deepEqual(state.hand(3), ROYAL);
  state.lay("TS", { takeBack: true });
  assert.equal(state.stage, "Box 3 has 4 of 5: lay the rest, or clear it.");
  assert.equal(state.mayGo, false);
  state.lay("TS", { takeBack: false });
  state.here = 1;
  state.fold();
  assert.deepEqual(state.finish(), { hands: [{ box: 3, cards: ROYAL }], folded: [1] });
  assert.deepEqual(state.evaluation(), {
    rules: "caribbean-stud",
    wagers: [1, 3],
    hands: [{ box: 3, cards: ROYAL }],
    folded: [1],
    bonus: "250.00",
    meter: "50000.00",
  });
});

test("several levels are sent by name", () => {
  state.heard(house({ round, levels: { minor: "1.00", major: "2.00" } }));
  state.touch(1);
  for (const card of ROYAL) state.lay(card, { takeBack: false });
  assert.deepEqual(state.evaluation().meters, { minor: "1.00", major: "2.00" });
  state.clearHand();
  assert.equal(state.evaluation(), null);
});

test("a card lies on one box only; of tiles there are two", () => {
  state.heard(house({ round }));
  state.touch(1);
  state.lay("AS", { takeBack: false });
  assert.deepEqual(state.piece("AS"), { pressed: true, disabled: false });
  state.touch(3);
  assert.deepEqual(state.piece("AS"), { pressed: false, disabled: true });

  const tiles = new TableState({ handSize: 4, tiles: true, ruleSet: "gee-jun", boxCount: 7 });
  tiles.heard(house({ round }));
  tiles.touch(1);
  tiles.lay("gee-jun", { takeBack: false });
  tiles.touch(3);
  assert.equal(tiles.piece("gee-jun", 1).disabled, false);
  assert.equal(tiles.piece("gee-jun", 2).disabled, true);
});

test("a box says what became of its wager", () => {
  state.heard(house({ round }));
  assert.deepEqual(state.box(3), { pressed: true, classes: ["accepted"], says: "Accepted, P-1", hand: "" });
  assert.deepEqual(state.box(4), { pressed: false, classes: ["refused"], says: "No ante.", hand: "" });
  state.touch(1);
  state.lay("TS", { takeBack: false });
  assert.deepEqual(state.box(1), { pressed: true, classes: ["accepted", "here"], says: "Accepted", hand: "10♠" });
});

test("a round that ended elsewhere is cleared, what was won stays", () => {
  state.heard(house({ round }));
  state.hits = [{ id: 5 }];
  state.heard(house({ round: null, waiting: [{ id: 5 }, { id: 6 }] }));
  assert.equal(state.round, null);
  assert.deepEqual(state.waiting, [{ id: 6 }]);
  assert.match(state.stage, /^Locked/);
});

test("while a call is under way nothing is touched and the server's word waits", () => {
  state.heard(house());
  state.busy = true;
  state.heard(house({ round }));
  state.touch(1);
  assert.deepEqual([state.round, state.offers.size, state.mayGo], [null, 0, false]);
});

test("a server that is away is said, from when it was lost, until it is heard again", () => {
  state.heard(house());
  state.lost(100);
  state.lost(200);
  assert.equal(state.away, 100);
  assert.equal(state.status.tone, "is-stopped");
  state.heard(house());
  assert.equal(state.status.says, "Live");
});
