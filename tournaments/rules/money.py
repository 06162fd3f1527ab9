"""Tournament money, of any game (act-keno:15.4, act-cp:16.4): what is retained, and who gets what of the rest. Pure.

Of the entry fees at most 10% is retained; the balance is prize money, all of it, to the cent. The approved conditions
say what each place gets, in basis points of the balance.

- Places that nobody takes are shared by those that are taken, in the same proportions.
- Equal scores share the prizes of the places they take together.
- Cents that do not divide go by largest remainder, on equal remainders to the better place and the earlier entry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Final

from kernel.money import BASIS_POINTS, ZERO, Money

RETAINED_BASIS_POINTS_LIMIT: Final = 1_000  # 10%


@dataclass(frozen=True, slots=True)
class Placed:
    place: int
    prize: Money


def conditions_fault(*, retained: int, prizes: Sequence[int]) -> str | None:
    """The code of what is wrong with the money of proposed conditions, or None."""
    if not 0 <= retained <= RETAINED_BASIS_POINTS_LIMIT:
        return "retained-too-much"
    if not prizes or min(prizes) <= 0 or sum(prizes) != BASIS_POINTS:
        return "prizes-not-whole"
    return None


def retained_of(fees: Money, rate: int) -> Money:
    """What the house keeps: *rate* basis points of all fees together, rounded down, so that it is never above 10%."""
    if not 0 <= rate <= RETAINED_BASIS_POINTS_LIMIT:
        raise ValueError("At most 10% of the entry fees is retained.")
    return Money(fees.micros * rate // BASIS_POINTS).down_to_cents()


def share(scores: Sequence[int], balance: Money, prizes: Sequence[int]) -> list[Placed]:
    """Place and prize of each entry; *scores* stand from the best to the worst. The prizes add up to the balance."""
    if any(better < worse for better, worse in pairwise(scores)):
        raise ValueError("Scores stand from the best to the worst.")
    if not scores:
        raise ValueError("Nobody has entered.")
    taken = list(prizes[: len(scores)])
    amounts = balance.split(taken) + [ZERO] * (len(scores) - len(taken))
    placed: list[Placed] = []
    for _, group in groupby(scores):
        tied, place = len(list(group)), len(placed) + 1
        together = Money.total(amounts[place - 1 : place - 1 + tied])
        placed.extend(Placed(place, part) for part in together.split([1] * tied))
    assert Money.total(each.prize for each in placed) == balance
    return placed
