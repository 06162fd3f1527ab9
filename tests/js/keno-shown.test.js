// What the Keno board says belongs to the balls that it shows.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chosen,
  lastGameInWords,
  mineInWords,
  splitInWords,
  statusInWords,
  statusOf,
  winnersInWords,
} from "../../signage/static/signage/keno-shown.js";

const game = (parts) => ({ number: 7, status: "settled", attempt: 1, drawn: [1, 2, 3], ...parts });

test("nothing is final before the last ball is on the screen", () => {
  assert.equal(statusOf(game(), 2), "drawing");
  assert.equal(statusInWords(game(), 2), "Drawing now");
  assert.equal(statusInWords(game(), 3), "Final result");
  assert.equal(statusInWords(game({ recorded: [9] }), 2), "Drawing now");
  assert.match(statusInWords(game({ recorded: [9] }), 3), /^Final result, corrected/);
});

test("void attempts and a silent witness are told", () => {
  const waiting = game({ status: "sealed", drawn: [], waits: true, attempt: 2, voids: [{}] });
  assert.equal(
    statusInWords(waiting, 0),
    "Waiting for the witness. The draw follows when it answers. An earlier draw was void; this is attempt 2",
  );
});

test("the game under way comes first, then the one that waits, then the last result", () => {
  const games = [game({ number: 1 }), game({ number: 2, status: "closed" }), game({ number: 3, status: "open" })];
  assert.equal(chosen(games).number, 2);
  assert.equal(chosen([games[0], games[2]]).number, 1);
  assert.equal(chosen([games[2]]).number, 3);
  assert.equal(chosen([...games, game({ number: 4, status: "drawing" })]).number, 4);
  assert.equal(chosen([]), null);
});

test("one is one, and several are several", () => {
  assert.equal(splitInWords([]), "No number yet");
  assert.equal(splitInWords([4]), "1 head · 0 tails");
  assert.equal(splitInWords([4, 41]), "1 head · 1 tail");
  assert.equal(winnersInWords(game({ winners: 1, prizes: "1040.00" })), "1 winning ticket, $1,040.00 in prizes");
  assert.equal(winnersInWords(game({ winners: 0, prizes: "0.00" })), "No winning ticket");
  assert.equal(winnersInWords(game({ status: "drawing" })), null);
  assert.equal(mineInWords([5], [5], true), "1 of your 1 number matched");
  assert.equal(mineInWords([5, 6], [5], false), "1 of your 2 numbers so far");
});

test("the balls of a draw come to their end before the next game is shown", () => {
  const games = [game({ number: 1 }), game({ number: 2, status: "closed", drawn: [] })];
  assert.equal(chosen(games, { game: 1, attempt: 1, drawn: [1, 2] }).number, 1);
  assert.equal(chosen(games, { game: 1, attempt: 1, drawn: [1, 2, 3] }).number, 2);
  const again = [game({ number: 1, status: "sealed", attempt: 2, drawn: [] })];
  assert.equal(chosen(again, { game: 1, attempt: 1, drawn: [1, 2] }).attempt, 2);
});

test("between two draws the biggest prize and the winners of the last game are told", () => {
  const won = game({ winners: 2, prizes: "70.00", biggest: "50.00" });
  const open = game({ number: 8, status: "open", drawn: [] });
  assert.deepEqual(lastGameInWords([won, open]), {
    number: 7,
    biggest: "$50.00",
    winners: "2 winning tickets, $70.00 in prizes",
  });
  assert.equal(lastGameInWords([game({ winners: 0, prizes: "0.00", biggest: "0.00" })]).biggest, null);
  assert.equal(lastGameInWords([open]), null);
});
