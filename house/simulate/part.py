"""One room's part in a simulated month: people who act through its verbs, and a book of their own beside the house's.

The book is kept in plain Python by the rules, from what people did and were told. It reads the house once, at the
beginning (a simulation may go on where another was broken off), and is compared with it at the end.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from house.simulate.clock import Clock
from kernel.money import Money
from kernel.refusal import Refusal


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure, as the simulation's own book has it and as the house has it."""

    what: str
    own: Money | int | str
    house: Money | int | str

    @property
    def agrees(self) -> bool:
        return self.own == self.house


Act = Callable[[Random], bool]
"""Something that can be done, by chance. Whether there was anything to do."""


class Part:
    """A room in the simulation. A refusal is counted: refusing is business as usual."""

    name = ""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.surprises: list[Figure] = []

    def begin(self) -> None:
        """Come to work; put in order what a simulation that was broken off has left half done; open the book."""

    def moment(self, chance: Random) -> None:
        """Time has gone on a little: whoever has something to do does it."""

    def end(self, chance: Random) -> None:
        """Go home, with nothing left half done."""

    def figures(self) -> list[Figure]:
        """The book beside the house, and whatever was a surprise on the way."""
        return self.surprises

    def expect(self, what: str, own: object, house: object) -> None:
        """What the house has answered to somebody, beside what the book had; a difference is one of the figures."""
        if own != house:
            self.surprises.append(Figure(what, str(own), str(house)))

    def do(self, name: str, act: Act, chance: Random) -> bool:
        try:
            if not act(chance):
                return False
        except Refusal as refusal:
            self.refused[refusal.code] += 1
            return False
        self.done[name] += 1
        return True


@dataclass(frozen=True, slots=True)
class Simulated:
    """A room's part of a simulated month, offered by its ``room.py``. Keno's games give the day its beat."""

    make: Callable[[Clock], Part]
