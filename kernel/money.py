"""Money as one integer: micro-dollars, so that any basis-point split of whole cents is exact.

Pure: no Django, no clock, no I/O. Every room may use this module; it is the one value type of the house.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

MICROS_PER_DOLLAR: Final = 1_000_000
MICROS_PER_CENT: Final = 10_000
BASIS_POINTS: Final = 10_000

_DOLLARS = re.compile(r"(-?)(\d{1,12})\.(\d{2})", re.ASCII)
_EXACT_DOLLARS = re.compile(r"(-?)(\d{1,12})\.(\d{2,6})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Money:
    """An exact amount. Whole cents wherever it changes hands; six decimals of a dollar inside a pool."""

    micros: int

    def __post_init__(self) -> None:
        if type(self.micros) is not int:
            raise TypeError(f"Money counts whole micro-dollars, not {type(self.micros).__name__}")

    @classmethod
    def parse(cls, text: str) -> Money:
        """Read dollars with exactly two decimals: ``"12.50"``. Anything else is a ValueError."""
        match = _DOLLARS.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f"{text!r} is not an amount: write dollars with two decimals, like 12.50")
        sign, dollars, cents = match.groups()
        micros = int(dollars) * MICROS_PER_DOLLAR + int(cents) * MICROS_PER_CENT
        return cls(-micros if sign else micros)

    @classmethod
    def parse_exact(cls, text: str) -> Money:
        """Read what ``str`` wrote: two decimals, or as many more as the amount had."""
        match = _EXACT_DOLLARS.fullmatch(text) if isinstance(text, str) else None
        if match is None:
            raise ValueError(f"{text!r} is not an amount: dollars with two to six decimals")
        sign, dollars, decimals = match.groups()
        micros = int(dollars) * MICROS_PER_DOLLAR + int(decimals.ljust(6, "0"))
        return cls(-micros if sign else micros)

    @classmethod
    def cents(cls, cents: int) -> Money:
        return cls(cents * MICROS_PER_CENT)

    @classmethod
    def dollars(cls, dollars: int) -> Money:
        return cls(dollars * MICROS_PER_DOLLAR)

    @classmethod
    def total(cls, amounts: Iterable[Money]) -> Money:
        return cls(sum([amount.micros for amount in amounts]))  # a list: twice as quick as a generator, for a few

    def __add__(self, other: Money) -> Money:
        return Money(self.micros + other.micros)

    def __sub__(self, other: Money) -> Money:
        return Money(self.micros - other.micros)

    def __neg__(self) -> Money:
        return Money(-self.micros)

    def __mul__(self, times: int) -> Money:
        return Money(self.micros * times)

    __rmul__ = __mul__

    def __bool__(self) -> bool:
        return self.micros != 0

    @property
    def whole_cents(self) -> bool:
        return self.micros % MICROS_PER_CENT == 0

    def down_to_cents(self) -> Money:
        """What is displayed and paid of a pool: rounded down, the remainder stays in the pool."""
        return Money(self.micros - self.micros % MICROS_PER_CENT)

    def basis_points(self, rate: int) -> Money:
        """The share of *rate* basis points. Refuses an amount that the rate does not divide exactly."""
        share, remainder = divmod(self.micros * rate, BASIS_POINTS)
        if remainder:
            raise ValueError(f"{rate} basis points of {self} is not a whole number of micro-dollars")
        return Money(share)

    def times(self, factor: Fraction) -> Money:
        """Times a fraction, rounded down to the cent: the one place where a share loses its remainder."""
        return Money(self.micros * factor.numerator // factor.denominator).down_to_cents()

    def split(self, weights: Sequence[int], *, unit: int = MICROS_PER_CENT) -> list[Money]:
        """Divide by largest remainder in steps of *unit*; the parts always add up to the whole."""
        whole = sum(weights)
        if whole <= 0 or any(weight < 0 for weight in weights):
            raise ValueError("a split needs weights that are not negative and not all zero")
        units, loose = divmod(self.micros, unit)
        if loose:
            raise ValueError(f"{self} is not a whole number of the units it is to be split into")
        parts = [units * weight // whole for weight in weights]
        by_remainder = sorted(range(len(weights)), key=lambda i: (-(units * weights[i] % whole), i))
        for i in by_remainder[: units - sum(parts)]:
            parts[i] += 1
        assert sum(parts) == units
        return [Money(part * unit) for part in parts]

    def __str__(self) -> str:
        """Exact: two decimals, or as many more as the amount has."""
        sign, micros = ("-", -self.micros) if self.micros < 0 else ("", self.micros)
        dollars, rest = divmod(micros, MICROS_PER_DOLLAR)
        decimals = f"{rest:06d}"
        return f"{sign}{dollars}.{decimals[:2]}{decimals[2:].rstrip('0')}"

    @property
    def said(self) -> str:
        """As people read it, exactly: ``$48,213.50``, ``−$3.00``; below the cent as many decimals as it has."""
        sign, dollars, decimals = ("−" if self.micros < 0 else "", *str(self).lstrip("-").split("."))
        return f"{sign}${int(dollars):,}.{decimals}"

    def __repr__(self) -> str:
        return f"Money({self})"


ZERO: Final = Money(0)
