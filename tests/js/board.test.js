// How an event changes a board. That it does the same as signage/state.py is shown in tests/signage/test_boards.py.
import assert from "node:assert/strict";
import { test } from "node:test";
import { apply } from "../../signage/static/signage/board.js";

const empty = () => ({ keno: { games: [] }, jackpots: [], promotions: [], checkpoint: null });

function fold(...events) {
  const board = empty();
  for (const [kind, data] of events) {
    apply(board, kind, data);
    apply(board, kind, data); // twice is once
  }
  return board;
}

test("a game is opened, drawn ball by ball and settled", () => {
  const board = fold(
    ["keno.opened", { game: 7, opens_at: "a", closes_at: "b", device: "rng", commitment: "c" }],
    ["keno.closed", { game: 7 }],
    ["keno.sealed", { game: 7, ticket_root: "r", ticket_count: 2 }],
    ["keno.locked", { game: 7, attempt: 1 }],
    ["keno.ball", { game: 7, attempt: 1, place: 1, number: 12 }],
    ["keno.ball", { game: 7, attempt: 1, place: 2, number: 80 }],
  );
  assert.deepEqual(board.keno.games[0].drawn, [12, 80]);
  assert.equal(board.keno.games[0].status, "drawing");
  const told = { game: 7, attempt: 1, device: "rng", cause: "malfunction", numbers: [12], would_be: [12, 80] };
  apply(board, "keno.voided", told);
  apply(board, "keno.voided", told);
  const [at] = board.keno.games;
  assert.deepEqual([at.status, at.attempt, at.drawn, at.commitment], ["sealed", 2, [], "c"]);
  assert.deepEqual(at.voids, [{ attempt: 1, cause: "malfunction", numbers: [12, 80] }]);
  apply(board, "keno.waits", { game: 7, attempt: 2 });
  assert.equal(at.waits, true);
  apply(board, "keno.ball", { game: 7, attempt: 2, place: 1, number: 3 });
  assert.equal(at.waits, false);
});

test("only the latest twenty games are kept", () => {
  const board = fold(...Array.from({ length: 30 }, (_, at) => ["keno.opened", { game: at + 1 }]));
  assert.deepEqual([board.keno.games.length, board.keno.games[0].number], [20, 11]);
});

test("a hit waits until it is paid, and one that is denied was never won", () => {
  const hit = { hit: 3, link: "CSP", table: "CSP-01", hand: "royal-flush", amount: "9.00", from_pool: "9.00", at: "x" };
  const board = fold(["jackpot.hit", { ...hit, status: "claimed" }]);
  assert.equal(board.jackpots[0].pending.length, 1);
  apply(board, "jackpot.hit-paid", { ...hit, status: "paid", at: "later" });
  assert.deepEqual([board.jackpots[0].pending, board.jackpots[0].last_win.at], [[], "x"]);
  apply(board, "jackpot.hit-denied", { ...hit, status: "denied" });
  assert.equal(board.jackpots[0].last_win, null);
  assert.deepEqual(fold(["jackpot.hit", { ...hit, from_pool: "0.00" }]).jackpots, []);
});

test("a table that is silent is a link down, and a table that moves stands at one link", () => {
  const board = fold(
    ["jackpot.table-joined", { table: "CSP-01", link: "CSP" }],
    ["jackpot.table-suspended", { table: "CSP-01", link_down: true }],
  );
  const seat = (code) => board.jackpots.find((one) => one.code === code).tables;
  assert.deepEqual(seat("CSP"), [{ code: "CSP-01", status: "suspended", link_down: true }]);
  apply(board, "jackpot.table-opened", { table: "CSP-01" });
  assert.deepEqual(seat("CSP"), [{ code: "CSP-01", status: "open", link_down: false }]);
  apply(board, "jackpot.table-moved", { table: "CSP-01", link: "BOOM" });
  assert.deepEqual([seat("CSP"), seat("BOOM")], [[], [{ code: "CSP-01", status: "open", link_down: false }]]);
});

test("a must-hit-by link says when it is undecided", () => {
  const decided = { code: "MYS", number: 2, before: "50.50", after: "51.00", ceiling: "60.00", falls: [], waiting: 1 };
  const board = fold(
    ["jackpot.meter-bounded", { code: "MYS", seed: "50.00", ceiling: "60.00" }],
    ["jackpot.undecided", { code: "MYS", number: 1 }],
    ["jackpot.movement-decided", decided],
  );
  assert.deepEqual([board.jackpots[0].must_hit_by, board.jackpots[0].undecided], ["60.00", true]);
  const fell = { point: "50.700001", amount: "50.70", start: "50.00", ceiling: "60.00" };
  apply(board, "jackpot.movement-decided", { ...decided, number: 3, falls: [fell], waiting: 0 });
  assert.deepEqual([board.jackpots[0].undecided, board.jackpots[0].last_fall], [false, { number: 3, ...fell }]);
  apply(board, "jackpot.meter-bounded", { code: "LEV", level: "mini", seed: "1.00", ceiling: "2.00" });
  apply(board, "jackpot.meter-bounded", { code: "LEV", level: "major", seed: "20.00", ceiling: "60.00" });
  const levels = board.jackpots.find((one) => one.code === "LEV");
  assert.deepEqual([levels.must_hit_by_levels, levels.must_hit_by], [{ mini: "2.00", major: "60.00" }, undefined]);
});

test("what no board knows changes nothing", () => {
  assert.deepEqual(fold(["staff.signed-in", {}]), empty());
});
