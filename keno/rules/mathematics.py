"""The exact mathematics of a table of prizes: fractions, from which decimals are only printed.

Every schedule is computed before it is approved, and a table outside its declared band is refused (8.4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Final

from keno.rules.price import DOLLAR
from keno.rules.schedules import Schedule
from keno.rules.selection import NUMBERS, check_spots
from keno.rules.settle import DRAWN
from kernel.money import MICROS_PER_CENT, MICROS_PER_DOLLAR, Money
from kernel.refusal import Malformed, Refusal

DRAWS: Final = comb(NUMBERS, DRAWN)
_FIGURE = re.compile(r"\d{1,9}(\.\d{1,6})?", re.ASCII)


def odds(spots: int, matches: int) -> Fraction:
    """The chance that a way of *spots* numbers matches exactly *matches* of the 20 drawn from 80."""
    return Fraction(comb(spots, matches) * comb(NUMBERS - spots, DRAWN - matches), DRAWS)


@dataclass(frozen=True, slots=True)
class PrizeTableMathematics:
    """One table, per dollar staked on one way. *prizes* has every match count, 0 to *spots*."""

    spots: int
    prizes: tuple[Fraction, ...]
    odds: tuple[Fraction, ...]
    returned: Fraction
    hit_rate: Fraction
    variance: Fraction
    top_prize: Fraction
    top_prize_odds: Fraction


def prize_table_mathematics(spots: int, prizes: Mapping[int, Fraction]) -> PrizeTableMathematics:
    """The mathematics of prizes per dollar by matches; matches not named pay nothing.

    Prizes are taken as they stand: caps and pro-rating (9.1, 9.2) depend on stake and on other tickets.
    """
    check_spots(spots, field="spots")
    for matches, prize in prizes.items():
        if not 0 <= matches <= spots:
            raise Refusal(
                "matches-impossible",
                f"A way of {spots} numbers cannot match {matches}.",
                clause="act-keno:10.1",
                field=f"prizes.{matches}",
            )
        if prize < 0:
            raise Refusal(
                "prize-impossible", "A prize is not negative.", clause="act-keno:10.1", field=f"prizes.{matches}"
            )
    by_matches = tuple(Fraction(prizes.get(matches, 0)) for matches in range(spots + 1))
    chances = tuple(odds(spots, matches) for matches in range(spots + 1))
    paired = list(zip(chances, by_matches, strict=True))
    mean = sum((chance * prize for chance, prize in paired), Fraction(0))
    top = max(by_matches)
    return PrizeTableMathematics(
        spots=spots,
        prizes=by_matches,
        odds=chances,
        returned=mean,
        hit_rate=sum((chance for chance, prize in paired if prize), Fraction(0)),
        variance=sum((chance * prize**2 for chance, prize in paired), Fraction(0)) - mean**2,
        top_prize=top,
        top_prize_odds=sum((chance for chance, prize in paired if prize == top), Fraction(0)),
    )


def schedule_mathematics(schedule: Schedule) -> tuple[PrizeTableMathematics, ...]:
    """Every table of a schedule, the starred prizes at their guarantee."""
    return tuple(
        prize_table_mathematics(table.spots, {k: _per_dollar(prize) for k, prize in enumerate(table.prizes)})
        for table in schedule.prize_tables
    )


@dataclass(frozen=True, slots=True)
class JackpotMathematics:
    """A table whose full match pays a jackpot, for one way at *stake* that wins it alone (9.5)."""

    amount: Money
    returned: Fraction
    # The jackpot at which a dollar brings back a dollar.
    break_even: Fraction


def jackpot_mathematics(table: PrizeTableMathematics, amount: Money, *, stake: Money = DOLLAR) -> JackpotMathematics:
    """The return at the displayed *amount* and the amount at which the way breaks even."""
    full = table.odds[-1]
    short = table.returned - full * table.prizes[-1]
    staked = _per_dollar(stake)
    return JackpotMathematics(
        amount=amount,
        returned=short + full * _per_dollar(amount) / staked,
        break_even=(1 - short) / full * staked,
    )


@dataclass(frozen=True, slots=True)
class Band:
    """The returns that a schedule declares for itself, both ends included."""

    lowest: Fraction
    highest: Fraction

    def __post_init__(self) -> None:
        if not 0 <= self.lowest <= self.highest <= 1:
            raise Refusal(
                "band-impossible",
                "A band of returns goes from a lowest to a highest, both between 0 and 1.",
                clause="act-keno:8.4",
                field="band",
            )


def check_band(schedule: Schedule, band: Band) -> tuple[PrizeTableMathematics, ...]:
    """The mathematics of a schedule, refused if any table returns less or more than it declares (8.4)."""
    tables = schedule_mathematics(schedule)
    for table in tables:
        if not band.lowest <= table.returned <= band.highest:
            raise Refusal(
                "return-outside-band",
                f"The table for {table.spots} numbers returns {decimal(table.returned)}, outside the declared "
                f"{decimal(band.lowest)} to {decimal(band.highest)}.",
                clause="act-keno:8.4",
                field=f"tables.{table.spots}",
            )
    return tables


def parse_figure(text: str, *, field: str) -> Fraction:
    """Read a prize per dollar: digits, and at most six decimals ("0.5", "25000")."""
    if not isinstance(text, str) or _FIGURE.fullmatch(text) is None:
        raise Malformed("figure-unreadable", "Write a prize per dollar in digits, like 25000 or 0.5.", field=field)
    return Fraction(text)


def decimal(exact: Fraction, places: int = 6) -> str:
    """A fraction as a decimal string, to the nearest (ties to even)."""
    scaled = round(exact * 10**places)  # exact: rounding a Fraction uses whole numbers only
    whole, rest = divmod(abs(scaled), 10**places)
    return f"{'-' if scaled < 0 else ''}{whole}.{rest:0{places}d}"


def cents(exact: Fraction) -> Money:
    """An amount of dollars to the nearest cent, for display."""
    return Money(round(exact * 100) * MICROS_PER_CENT)


def _per_dollar(amount: Money) -> Fraction:
    return Fraction(amount.micros, MICROS_PER_DOLLAR)
