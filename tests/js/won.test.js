// What a ticket won, in words, and its numbers on the board. `node --test tests/js/`.
import assert from "node:assert/strict";
import { test } from "node:test";
import { boardOf, gameShown, measured, resultOf, wordOf } from "../../signage/static/signage/won.js";

const DRAWN = Array.from({ length: 20 }, (_, at) => 3 * (at + 1));
const game = (number, more = {}) => ({
  game: number,
  status: "settled",
  drawn: DRAWN,
  prize: "0.00",
  refund: "0.00",
  void: false,
  ways: [],
  ...more,
});
const WON = { prize: "8.00", ways: [{ spots: 6, matches: 4, count: 1 }] };
const OPEN = { status: "open", drawn: [] };
const ticket = (more = {}) => ({
  status: "won",
  held: false,
  won: "8.00",
  refunded: "0.00",
  paid: "0.00",
  owing: "8.00",
  still_playing: false,
  first_game: 48213,
  plays_to: 48213,
  groups: [[1, 2, 3, 6, 9, 12]],
  plays: [{ spots: 6, ways: 1 }],
  played: 1,
  games: [game(48213, WON)],
  ...more,
});
const none = { won: "0.00", owing: "0.00" };
const plain = (text) => text.replaceAll("\u202f", " ");
const heading = (more) => plain(resultOf(ticket(more)).heading);
const lines = (more) => resultOf(ticket(more)).lines.map(plain);

test("one game, one way", () => {
  assert.deepEqual(resultOf(ticket()), { kind: "won", heading: "You matched 4 of 6: $8.00 to collect", lines: [] });
  assert.equal(heading({ status: "paid", paid: "8.00", owing: "0.00" }), "You matched 4 of 6: $8.00, paid already");
  const lost = { ...none, status: "lost", groups: [[1, 2, 3, 4, 5, 7]], games: [game(48213)] };
  assert.equal(heading(lost), "You matched 1 of 6: nothing won");
  assert.equal(resultOf(ticket(lost)).kind, "quiet");
});

test("not drawn yet, being drawn, being settled", () => {
  const going = { ...none, status: "in-play", still_playing: true, played: 0 };
  assert.equal(heading({ ...going, games: [] }), "Game 48 213 has not been drawn yet");
  assert.equal(heading({ ...going, games: [game(48213, OPEN)] }), "Game 48 213 has not been drawn yet");
  assert.equal(
    heading({ ...going, games: [game(48213, { ...OPEN, status: "drawing" })] }),
    "Game 48 213 is being drawn now",
  );
  assert.equal(
    heading({ ...going, played: 1, games: [game(48213, { status: "drawn" })] }),
    "Game 48 213 is drawn, you matched 4 of 6: the prizes are being worked out",
  );
});

test("several games are a short list", () => {
  const games = [game(1, WON), game(2), game(3, { ...WON, prize: "16.00" }), game(4, OPEN)];
  const four = { first_game: 1, plays_to: 4, played: 3, games, still_playing: true, won: "24.00", owing: "24.00" };
  assert.equal(heading(four), "You won in 2 games: $24.00 to collect");
  assert.deepEqual(lines(four), [
    "Game 1: matched 4 of 6, $8.00.",
    "Game 3: matched 4 of 6, $16.00.",
    "It plays in games 1 to 4; 3 are drawn.",
  ]);
  assert.equal(lines({ ...four, paid: "8.00", owing: "16.00" })[0], "$8.00 was paid already.");
  assert.equal(gameShown(ticket(four)).game, 3);
  const lost = { ...none, status: "lost", first_game: 1, plays_to: 2, played: 2, games: [game(1), game(2)] };
  assert.equal(heading(lost), "Nothing won in 2 games");
  assert.equal(gameShown(ticket(lost)).game, 2);
  assert.equal(heading({ ...lost, status: "in-play", plays_to: 4 }), "Nothing won yet");
  const many = Array.from({ length: 15 }, (_, at) => game(at + 1, WON));
  assert.equal(lines({ first_game: 1, plays_to: 15, played: 15, games: many }).at(-1), "And 3 earlier games.");
});

test("several ways are told as they won", () => {
  const ways = [
    { spots: 4, matches: 3, count: 2 },
    { spots: 4, matches: 2, count: 1 },
  ];
  const more = {
    groups: [
      [3, 6],
      [9, 1],
      [12, 2],
    ],
    plays: [{ spots: 4, ways: 3 }],
    games: [game(7, { prize: "8.00", ways })],
  };
  assert.equal(heading(more), "You matched 3 of 4 on 2 ways, 2 of 4: $8.00 to collect");
  assert.deepEqual(lines(more), ["Game 7: matched 3 of 4 on 2 ways, 2 of 4, $8.00."]);
  assert.equal(heading({ ...more, ...none, status: "lost", games: [game(7)] }), "Nothing won in game 7");
});

test("what is not paid as usual is said", () => {
  assert.equal(heading({ held: true }), "You matched 4 of 6: $8.00, on hold");
  assert.match(lines({ held: true })[0], /^Nothing on this ticket is paid/);
  assert.equal(resultOf(ticket({ held: true })).kind, "attention");
  assert.equal(heading({ ...none, status: "cancelled", plays_to: 48212, games: [] }), "This ticket was cancelled");
  assert.deepEqual(lines({ ...none, status: "cancelled", plays_to: 48212, games: [] }), ["It plays in no game."]);
  assert.equal(heading({ ...none, status: "issued", plays_to: 48212, games: [] }), "This ticket was cancelled");
  assert.equal(heading({ ...none, status: "voided", plays_to: 48212, games: [] }), "This ticket was declared void");
  const invalid = game(48213, { status: "invalidated", drawn: [], refund: "1.00" });
  const back = { status: "refund", won: "0.00", refunded: "1.00", owing: "1.00", games: [invalid] };
  assert.equal(heading(back), "Your stake is given back: $1.00 to collect");
  assert.deepEqual(lines(back), ["Game 48 213 was declared invalid: its stake is given back."]);
  assert.equal(heading({ ...back, status: "paid", owing: "0.00", paid: "1.00" }), "Your stake was given back: $1.00");
  const voided = { ...back, games: [game(48213, { ...WON, prize: "0.00", void: true, refund: "1.00" })] };
  assert.deepEqual(lines(voided), ["Game 48 213: matched 4 of 6, the prize was declared void."]);
});

test("matches are counted from the numbers that were checked, whatever came with the answer", () => {
  const told = measured(ticket({ games: [game(48213, { ...WON, drawn: [1, 2, 3, 6, 9, 12] })] }), [
    { game: "48213", numbers: DRAWN },
  ]);
  assert.equal(resultOf(told).heading, "You matched 4 of 6: $8.00 to collect");
  assert.deepEqual(measured(ticket(), [{ game: 48213 }]).games[0].drawn, DRAWN);
});

test("the board has two blocks of forty", () => {
  const [heads, tails] = boardOf([[3, 41], [80]], [3, 80]);
  assert.deepEqual([heads.length, tails.length, heads[0].number, tails[0].number], [40, 40, 1, 41]);
  assert.deepEqual(heads[2], { number: 3, mine: true, drawn: true });
  assert.deepEqual(tails[0], { number: 41, mine: true, drawn: false });
  assert.deepEqual(tails[39], { number: 80, mine: true, drawn: true });
});

test("which part is the house's word", () => {
  assert.match(plain(wordOf(ticket())), /The amount of game 48 213 is the house’s word here/);
  const computed = measured(ticket(), [
    { game: 48213, numbers: DRAWN, steps: [{ name: "prize", ok: true, exact: true }] },
  ]);
  assert.match(wordOf(computed), /and so is the prize: from the pay table that the ticket was sold under/);
  const shared = measured(ticket(), [{ game: 48213, numbers: DRAWN, steps: [{ name: "prize", ok: true }] }]);
  assert.match(plain(wordOf(shared)), /The amount of game 48 213 is the house’s word here/);
  assert.equal(wordOf(ticket({ won: "0.00", refunded: "0.00" })), "");
  assert.match(wordOf(ticket({ won: "0.00", refunded: "2.00", games: [] })), /The amount is the house’s word here/);
});
