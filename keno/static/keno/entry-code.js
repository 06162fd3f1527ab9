// An entry form in one line, as its QR code says it (keno/entry_code.py): read like a form that a player has marked.
// What it asks for is priced and refused by the server like anything else.

const FORM = /^KENO:PLAY:1:([0-9.+]{1,400}):([0-9.*+]{1,200}):([0-9]{1,5}):(STANDARD|SPECIAL-[123]):([J-])$/i;
const PLAY = /^([0-9]{1,2})\*([0-9]{1,5}\.[0-9]{2})$/;

// As Marking.load takes it; null for what is no entry form.
export function readEntry(text) {
  const [, marked, played, games, schedule, jackpot] = FORM.exec(text.trim()) || [];
  if (!marked) return null;
  const groups = marked.split("+").map((group) => group.split(".").map(Number));
  const plays = played.split("+").map((play) => PLAY.exec(play));
  const numbers = groups.flat();
  const odd = numbers.some((number) => !Number.isInteger(number) || number < 1 || number > 80);
  if (odd || new Set(numbers).size !== numbers.length || plays.some((play) => !play)) return null;
  const common = { games: Number(games), schedule: schedule.toLowerCase(), jackpot: jackpot.toUpperCase() === "J" };
  const [first] = plays;
  if (groups.length === 1 && plays.length === 1 && Number(first[1]) === groups[0].length)
    return { numbers: groups[0], stake: first[2], ...common };
  return { groups, plays: plays.map(([, spots, stake]) => ({ spots: Number(spots), stake })), ...common };
}
