"""Numbers picked for the player: quick pick, mystery quick pick, set bets picked afresh (4.7b, 4.7c, 4.7h).

The randomness comes in as a source of uniform whole numbers, ``below(n)`` in 0 to n-1 (`chance` has one, without modulo
bias); here it only becomes a selection.

The rules leave open how a mystery quick pick chooses the amount of numbers. We take each amount that can be played as
equally likely: every amount the schedule has a table for, or 6 and 8 where the ticket enters the jackpot.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from keno.rules.schedules import STANDARD, Schedule, jackpot_needs_standard
from keno.rules.selection import NUMBERS, check_spots
from kernel.refusal import Refusal

Below = Callable[[int], int]


def pick_numbers(spots: int, below: Below) -> tuple[int, ...]:
    """A quick pick of *spots* numbers, every set equally likely (4.7b)."""
    check_spots(spots, field="quick_pick.spots")
    return tuple(sorted(_draw(spots, below)))


def pick_mystery(below: Below, *, schedule: Schedule = STANDARD, jackpot: bool = False) -> tuple[int, ...]:
    """A mystery quick pick: the amount of numbers, then the numbers (4.7c)."""
    playable = sorted(schedule.jackpot_spots) if jackpot else list(schedule.spots)
    if not playable:
        raise jackpot_needs_standard()
    return pick_numbers(playable[below(len(playable))], below)


def pick_groups(sizes: Sequence[int], below: Below) -> tuple[tuple[int, ...], ...]:
    """Groups of these sizes, no number twice, every way to fill them equally likely (4.7h)."""
    if not sizes or min(sizes) < 1 or sum(sizes) > NUMBERS:
        raise Refusal(
            "groups-impossible",
            f"Groups have at least one number each and at most {NUMBERS} together.",
            clause="act-keno:4.7h",
            field="set_bet",
        )
    drawn = iter(_draw(sum(sizes), below))
    return tuple(tuple(sorted(next(drawn) for _ in range(size))) for size in sizes)


def _draw(count: int, below: Below) -> list[int]:
    """The first *count* places of a Fisher–Yates shuffle."""
    numbers = list(range(1, NUMBERS + 1))
    for place in range(count):
        other = place + below(NUMBERS - place)
        numbers[place], numbers[other] = numbers[other], numbers[place]
    return numbers[:count]
