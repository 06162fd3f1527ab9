// Keys pressed one after the other. Pure: no page is needed.

export const TOGETHER_WITHIN_MS = 1200;

// What was pressed so far, and now this key: "g", then "g k". A pause, or a third key, begins anew.
export function heard(before, key, now) {
  const together = now - before.at < TOGETHER_WITHIN_MS && before.keys.length < 2;
  return { keys: together ? `${before.keys} ${key}`.trim() : key, at: now };
}
