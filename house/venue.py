"""The one venue: its clock and its opening hours."""

from __future__ import annotations

import re
from datetime import datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from house.models import OpeningHours, Venue
from house.rules.gaming_day import Hours, Week
from kernel.refusal import Refusal


def venue() -> Venue:
    return Venue.objects.get(pk=1)


def time_zone(name: str) -> ZoneInfo:
    """The IANA zone of that name, or a refusal."""
    try:
        if not re.fullmatch(r"[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+)*", name):
            raise ValueError(name)
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise Refusal(
            "no-such-time-zone", f"“{name}” is no time zone. Write one like Australia/Sydney.", field="time_zone"
        ) from None


def zone() -> ZoneInfo:
    return ZoneInfo(venue().time_zone)


def local(moment: datetime) -> datetime:
    return moment.astimezone(zone())


def week() -> Week:
    """The opening hours in force. A weekday without a row is closed."""
    rows = {row.weekday: row for row in OpeningHours.objects.all()}
    return {day: _hours(rows[day].opens, rows[day].closes) if day in rows else None for day in range(7)}


def _hours(opens: time | None, closes: time | None) -> Hours | None:
    return Hours(opens=opens, closes=closes) if opens is not None and closes is not None else None
