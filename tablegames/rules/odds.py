"""Odds, and the cells of a pay table: a figure and the clause it stands in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from kernel.money import Money


@dataclass(frozen=True, slots=True)
class Odds:
    """``Odds(3, 2)`` is 3 to 2; ``less`` is a commission, in percent of what is won."""

    to: int
    per: int = 1
    less: Fraction | int = 0

    @property
    def exact(self) -> Fraction:
        return Fraction(self.to, self.per) * (100 - self.less) / 100

    def on(self, stake: Money) -> Money:
        """What this stake wins. A part of a cent cannot be paid: it is dropped, and the odds are never exceeded."""
        return stake.times(self.exact)

    def __str__(self) -> str:
        return f"{self.to} to {self.per}" + (f" less {_percent(self.less)}%" if self.less else "")


def _percent(share: Fraction | int) -> str:
    """5, 2.5, 0.75: to two digits, which is as fine as basis points are."""
    whole, rest = divmod(int(share * 100), 100)
    return f"{whole}.{rest:02}".rstrip("0").rstrip(".")


EVENS: Final = Odds(1)


@dataclass(frozen=True, slots=True)
class Cell:
    what: str
    odds: Odds
    clause: str


@dataclass(frozen=True, slots=True)
class PayTable:
    """Cells in the order in which they are looked at: the first that the hand fits is paid, and no other."""

    name: str
    cells: tuple[Cell, ...]

    def __getitem__(self, what: str) -> Cell:
        return next(cell for cell in self.cells if cell.what == what)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(cell.what for cell in self.cells)


def pay_table(name: str, clause: str, **odds: int | tuple[int, ...]) -> PayTable:
    """``pay_table("1", "nz-lp:5.9", four_of_a_kind=200, blackjack=(3, 2))``"""
    return PayTable(
        name,
        tuple(
            Cell(what.replace("_", "-"), Odds(*figure) if isinstance(figure, tuple) else Odds(figure), clause)
            for what, figure in odds.items()
        ),
    )
