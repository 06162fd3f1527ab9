"""Twelve months (11.1, 11.2): when a prize is too late for the counter, and when it is returned to players."""

from __future__ import annotations

from datetime import date


def last_day_to_move(today: date) -> date:
    """Wins of days before this one were recorded more than twelve months ago."""
    try:
        return today.replace(year=today.year - 1)
    except ValueError:  # 29 February: what was won on the 28th a year ago is a day older than a year
        return date(today.year - 1, 3, 1)


def twelve_months_after(day: date) -> date:
    """The first Keno day that is too late: the day after the same date a year on; 29 February runs to 28 February."""
    try:
        anniversary = day.replace(year=day.year + 1)
    except ValueError:
        anniversary = day.replace(year=day.year + 1, day=28)
    return date.fromordinal(anniversary.toordinal() + 1)
