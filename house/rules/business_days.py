"""When a report is due: business days on the venue's calendar. Pure: no Django, no clock, no I/O.

The day on which it happened does not count. A business day is neither a Saturday, nor a Sunday, nor a holiday; a report
is in time until the end of its last day on the venue's clock.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from house.rules.gaming_day import instant

_DAY: Final = timedelta(days=1)
_SATURDAY: Final = 5


def is_business_day(day: date, holidays: Collection[date]) -> bool:
    return day.weekday() < _SATURDAY and day not in holidays


def last_day(happened_on: date, *, days: int, holidays: Collection[date]) -> date:
    """The so-manieth business day after it."""
    day = happened_on
    while days:
        day += _DAY
        days -= is_business_day(day, holidays)
    return day


def due_at(happened_at: datetime, *, days: int, holidays: Collection[date], zone: ZoneInfo) -> datetime:
    """The first moment at which it is too late."""
    last = last_day(happened_at.astimezone(zone).date(), days=days, holidays=holidays)
    return instant(last + _DAY, time(0), zone)
