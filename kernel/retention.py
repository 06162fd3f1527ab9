"""How long what is kept of people, by whose word, and how it ends: each room says it of its own (``Room``).

The sealed log names nobody (decision 17), so that whatever is erased by these leaves every export as right as before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from typing import Final

# What stands where personal data stood.
ERASED: Final = "erased"
# Records about customers: the AML/CTF Act 2006 (Australia), sections 107 and 111.
YEARS_BY_LAW: Final = 7


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A kind of personal data."""

    name: str
    label: str
    kept: str  # for how long, and why
    ends: str  # by what
    held: Callable[[], int]  # how much there is


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedByTwo(Kept):
    """What goes only when somebody proposes it and another agrees. *only* names one person, where that can be asked."""

    years: int  # that have to be over since it was last needed
    due: Callable[[date, str], int]  # how much was last needed before that day
    erase: Callable[[date, str], int]


def latest_day(years: int, *, today: date) -> date:
    """Before which day something must have been needed last for so many years to be over."""
    try:
        return today.replace(year=today.year - years)
    except ValueError:  # 29 February
        return today.replace(year=today.year - years, day=28)
