"""Which gaming day a moment on a page belongs to, without a query for each moment."""

from __future__ import annotations

import datetime as dt

from house.models import GamingDay

_AROUND = dt.timedelta(days=20)


class Calendar:
    """Reads the days around the first moment it is asked about, and remembers them for the rest of the page."""

    def __init__(self) -> None:
        self._read: list[tuple[dt.datetime, dt.datetime]] = []
        self._days: dict[int, GamingDay] = {}

    def gaming_date(self, when: dt.datetime) -> dt.date | None:
        if not any(start <= when < end for start, end in self._read):
            start, end = when - _AROUND, when + _AROUND
            self._days |= GamingDay.objects.filter(opens_at__lt=end, closes_at__gt=start).in_bulk()
            self._read.append((start, end))
        return next((day.date for day in self._days.values() if day.opens_at <= when < day.closes_at), None)
