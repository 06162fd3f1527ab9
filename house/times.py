"""Time as people read it: ``Mon 16 Nov, 21:04`` on the venue's clock, the gaming day beside it where it differs."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

from house.models import GamingDay
from house.venue import zone
from web import words


def for_people(moment: datetime, *, day: GamingDay | None = None, clock: ZoneInfo | None = None) -> str:
    """``Tue 17 Nov, 02:10 (gaming day Mon 16 Nov)``. A page of rows passes *clock* so that it is read once."""
    there = moment.astimezone(clock or zone())
    beside = f" (gaming day {words.day(day.date)})" if day is not None and day.date != there.date() else ""
    return f"{words.day(there)}, {there:%H:%M}{beside}"


def due_for_people(moment: datetime) -> str:
    """Until when it is in time, where it is late from *moment* on: ``by Tue 1 Dec``; where hours count, the moment."""
    clock = zone()
    there = moment.astimezone(clock)
    if there.time() != time(0):
        return f"before {for_people(moment, clock=clock)}"
    return f"by {words.day(there - timedelta(days=1))}"
