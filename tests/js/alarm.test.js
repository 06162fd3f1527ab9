// The sound of an alert: made by us, heard until the alert is taken, silent where a browser does not let it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AGAIN_MS, Alarm, chime, NOTES_HZ } from "../../web/static/web/alarm.js";

function sound(state) {
  const played = [];
  const node = () => ({ connect: (other) => other });
  return {
    played,
    state,
    currentTime: 0,
    destination: {},
    resume: async function () {
      this.state = "running";
    },
    createOscillator: () => ({ ...node(), frequency: {}, start: (at) => played.push(at), stop() {} }),
    createGain: () => ({ ...node(), gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } }),
  };
}

test("four notes upwards, one after the other", () => {
  const notes = chime(10);
  assert.deepEqual(
    notes.map(({ hertz }) => hertz),
    NOTES_HZ,
  );
  assert.ok(notes.every(({ from, to }, place) => from < to && (place === 0 || from > notes[place - 1].from)));
  assert.ok(notes.at(-1).to - notes[0].from < AGAIN_MS / 1000);
});

test("it rings while there is an alert, and not after", () => {
  const made = sound("running");
  const alarm = new Alarm(() => made);
  alarm.heard(0);
  assert.equal(alarm.ringing, false);
  alarm.heard(2);
  alarm.heard(1); // still one of them
  assert.equal(made.played.length, NOTES_HZ.length);
  assert.equal(alarm.muted, false);
  alarm.heard(0);
  assert.equal(alarm.ringing, false);
});

test("a page that nobody has touched says that it cannot be heard", async () => {
  const made = sound("suspended");
  made.resume = async () => {};
  const alarm = new Alarm(() => made);
  alarm.heard(1);
  assert.equal(alarm.muted, true);
  assert.equal(made.played.length, 0);
  made.state = "running";
  assert.equal(alarm.muted, false);
  alarm.heard(0);
});
