"""How old somebody is on a day. Pure."""

from __future__ import annotations

from datetime import date
from typing import Final

ADULT_YEARS: Final = 18  # nobody younger is let into a casino
_LEAP_DAY: Final = (2, 29)


def of_age_from(born: date, years: int = ADULT_YEARS) -> date:
    """The day from which somebody is so many years old; who was born on a leap day, on the first of March."""
    try:
        return born.replace(year=born.year + years)
    except ValueError:
        return date(born.year + years, 3, 1)


def is_of_age(born: date, on: date, years: int = ADULT_YEARS) -> bool:
    return on >= of_age_from(born, years)


def last_birthday_of_age(on: date, years: int = ADULT_YEARS) -> date:
    """Who was born later is younger than that on this day."""
    try:
        return on.replace(year=on.year - years)
    except ValueError:  # the leap day: whoever was born on the last of February is of age, too
        return date(on.year - years, 2, 28)
