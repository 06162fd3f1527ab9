"""Published test vectors of prizes, `docs/proof/prizes.json`: what another implementation of the rules must reproduce.

Games whose tickets hit more than chance gives, so that majors are pro-rated and jackpots shared.

python -m keno.vectors > docs/proof/prizes.json
"""

from __future__ import annotations

import json
import sys
from random import Random

from keno.rules.entry import TicketEntry
from keno.rules.schedules import SPECIAL_1, SPECIAL_2, STANDARD
from keno.rules.selection import NUMBERS, Play, Selection
from keno.rules.settle import DRAWN, settle_game
from kernel.money import Money
from kernel.refusal import Refusal

_GAMES = 150
_TICKETS = (1, 1, 2, 5)  # of a game
_SCHEDULES = (STANDARD, STANDARD, SPECIAL_1, SPECIAL_2)
_STAKES_CENTS = (100, 100, 150, 300, 1_000, 10_000)
_JACKPOTS = {6: Money.cents(1_234_567), 8: Money.cents(25_000_01)}


def _numbers(chance: Random, drawn: list[int], count: int) -> list[int]:
    """Some of them drawn on purpose."""
    lucky = chance.sample(drawn, min(count, DRAWN, chance.randint(0, count)))
    others = [number for number in range(1, NUMBERS + 1) if number not in lucky]
    return sorted(lucky + chance.sample(others, count - len(lucky)))


def _groups(chance: Random, drawn: list[int]) -> list[list[int]]:
    """One way, or groups that make several."""
    if chance.random() < 0.6:
        return [_numbers(chance, drawn, chance.randint(1, 15))]
    sizes = [chance.randint(1, 4) for _ in range(chance.randint(2, 7))]
    numbers = iter(chance.sample(_numbers(chance, drawn, sum(sizes)), sum(sizes)))
    return [sorted(next(numbers) for _ in range(size)) for size in sizes]


def _entry(chance: Random, drawn: list[int]) -> TicketEntry:
    """One that can be sold."""
    while True:
        groups = _groups(chance, drawn)
        stakes = [Money.cents(chance.choice(_STAKES_CENTS)) for _ in range(2)]
        whole = sum(map(len, groups))
        spots = [whole] if len(groups) == 1 else sorted({chance.randint(2, 8), chance.choice((6, 8))})
        plays = tuple(Play(each, stake) for each, stake in zip(spots, stakes, strict=False))
        try:
            selection = Selection(groups=tuple(map(tuple, groups)), plays=plays)
            return TicketEntry(selection, chance.choice(_SCHEDULES), jackpot=chance.random() < 0.4)
        except Refusal:
            continue


def _jackpot_winner(chance: Random, drawn: list[int]) -> TicketEntry:
    """One that wins a jackpot."""
    spots = chance.choice(sorted(STANDARD.jackpot_spots))
    play = Play(spots, Money.cents(chance.choice(_STAKES_CENTS)))
    return TicketEntry(Selection(groups=(tuple(sorted(drawn[:spots])),), plays=(play,)), STANDARD, jackpot=True)


def _game(chance: Random) -> dict[str, object]:
    drawn = chance.sample(range(1, NUMBERS + 1), DRAWN)
    entries = [_entry(chance, drawn) for _ in range(chance.choice(_TICKETS))]
    if chance.random() < 0.1:
        entries += [_jackpot_winner(chance, drawn) for _ in range(2)]
    result = settle_game(drawn=drawn, entries=entries, jackpots=_JACKPOTS)
    majors = result.majors
    return {
        "drawn": drawn,
        "majors": {"before": str(majors.before), "after": str(majors.after), "count": majors.count},
        "jackpots": {
            str(spots): {"amount": str(won.amount), "ways": won.ways} for spots, won in result.jackpots.items()
        },
        "tickets": [
            {
                "groups": [list(group) for group in entry.selection.groups],
                "plays": [{"spots": play.spots, "stake": str(play.stake)} for play in entry.selection.plays],
                "jackpot": entry.jackpot,
                "schedule": entry.schedule.code,
                "prize": str(won.prize),
            }
            for entry, won in zip(entries, result.tickets, strict=True)
        ],
    }


def vectors() -> dict[str, object]:
    chance = Random(20_261_117)  # noqa: S311  the same every time
    return {
        "schedules": {
            schedule.code: {
                "tables": {str(each.spots): list(map(str, each.prizes)) for each in schedule.prize_tables},
                "jackpot_spots": sorted(schedule.jackpot_spots),
            }
            for schedule in (STANDARD, SPECIAL_1, SPECIAL_2)
        },
        "games": [_game(chance) for _ in range(_GAMES)],
    }


if __name__ == "__main__":
    text = json.dumps(vectors(), separators=(",", ":"), sort_keys=True)
    sys.stdout.write(text.replace('},{"drawn', '},\n{"drawn') + "\n")  # a line a game
