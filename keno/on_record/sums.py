"""What tickets that win by themselves add up to. Pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from keno.rules.exposure import Exposure


class Won(NamedTuple):
    game: int
    micros: int
    why: str


@dataclass(slots=True)
class Sums:
    """Of tickets that nothing special happened to, in one game."""

    tickets: int = 0
    stakes: int = 0
    fixed: int = 0
    winners: int = 0
    biggest: int = 0
    staked: dict[int, int] = field(default_factory=dict)  # for jackpot ways
    at_close: dict[int, int] = field(default_factory=dict)
    exposed: Exposure = Exposure()  # noqa: RUF009  frozen. What they could be paid, where the house limits that
    begin: int = 0  # of them, those that begin with this game

    def add(self, other: Sums) -> None:
        self.tickets += other.tickets
        self.stakes += other.stakes
        self.fixed += other.fixed
        self.winners += other.winners
        self.biggest = max(self.biggest, other.biggest)
        self.exposed += other.exposed
        self.begin += other.begin
        for mine, theirs in ((self.staked, other.staked), (self.at_close, other.at_close)):
            for spots, micros in theirs.items():
                mine[spots] = mine.get(spots, 0) + micros
