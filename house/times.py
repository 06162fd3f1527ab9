"""Time as people read it: ``Mon 16 Nov, 21:04`` on the venue's clock, the gaming day beside it where it differs."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from house.models import GamingDay
from house.venue import zone

WEEKDAYS: Final = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def date_for_people(day: date) -> str:
    """Not strftime: the words must not depend on the machine's language."""
    return f"{WEEKDAYS[day.weekday()]} {day.day} {MONTHS[day.month - 1]}"


def for_people(moment: datetime, *, day: GamingDay | None = None, clock: ZoneInfo | None = None) -> str:
    """``Tue 17 Nov, 02:10 (gaming day Mon 16 Nov)``. A page of rows passes *clock* so that it is read once."""
    there = moment.astimezone(clock or zone())
    beside = f" (gaming day {date_for_people(day.date)})" if day is not None and day.date != there.date() else ""
    return f"{date_for_people(there)}, {there:%H:%M}{beside}"


def due_for_people(moment: datetime) -> str:
    """Until when it is in time, where it is late from *moment* on: ``by Tue 1 Dec``; where hours count, the moment."""
    clock = zone()
    there = moment.astimezone(clock)
    if there.time() != time(0):
        return f"before {for_people(moment, clock=clock)}"
    return f"by {date_for_people(there - timedelta(days=1))}"
