// The next place in a list that begins anew at its end. Pure.
export const step = (here, by, count) => (count ? (Math.max(here, by > 0 ? -1 : 0) + by + count) % count : -1);
