"""Bonus prizes (4.7e): an extra prize for so many matches of so many numbers, in a window of games, out of a budget.

Awarded with the settlement of a game, in ticket order (serial, then play) and in full: the first that the budget does
not cover ends the bonus. They are no major prizes: neither capped nor pro-rated.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kernel.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, Money


class Per(StrEnum):
    DOLLAR = "dollar"
    TICKET = "ticket"


class Fund(StrEnum):
    HOUSE = "house"
    UNCLAIMED = "unclaimed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Bonus:
    """An extra prize for so many matches of so many numbers, in a window of games, until its budget is spent."""

    name: str
    first_game: int
    last_game: int
    spots: int
    matches: int
    prize: Money
    per: Per
    budget: Money
    fund: Fund

    def covers(self, game: int) -> bool:
        return self.first_game <= game <= self.last_game

    def of_play(self, *, stake: Money, ways: int) -> Money:
        """What a play with so many matching ways gets: once a ticket's play, or per dollar, to the cent below."""
        if self.per is Per.TICKET:
            return self.prize
        cents = self.prize.micros * stake.micros * ways // (MICROS_PER_DOLLAR * MICROS_PER_CENT)
        return Money(cents * MICROS_PER_CENT)
