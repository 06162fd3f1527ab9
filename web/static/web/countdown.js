// How what is left is written. Pure: no page is needed.

const two = (number) => String(number).padStart(2, "0");

export const minutesLeft = (seconds) => `${Math.floor(seconds / 60)}:${two(seconds % 60)}`;

export function daysLeft(seconds) {
  const days = Math.floor(seconds / 86400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60) % 60;
  return `${days ? `${days} d ` : ""}${hours}:${two(minutes)}:${two(seconds % 60)}`;
}
