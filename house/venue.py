"""The one venue: its clock and its opening hours."""

from __future__ import annotations

import re
from datetime import datetime, time
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db import transaction

from house import acts
from house.actors import Actor
from house.models import GamingDay, OpeningHours, Venue
from house.refusal import Refusal
from house.rules.gaming_day import Hours, Week

CODE = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)


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


@transaction.atomic
def set_up_venue(*, code: str, name: str, time_zone_name: str, by: Actor) -> Venue:
    """Name the venue, before its first gaming day. Afterwards its clock stands: the books are kept by it."""
    by.require("venue.manage")
    place = Venue.objects.select_for_update().get(pk=1)
    time_zone(time_zone_name)
    if not CODE.fullmatch(code):
        raise Refusal("code-not-allowed", "A venue’s code is up to 16 capitals, digits and dashes.", field="code")
    if not 0 < len(name.strip()) <= 120:
        raise Refusal("name-missing", "A venue has a name of at most 120 characters.", field="name")
    if time_zone_name != place.time_zone and GamingDay.objects.exists():
        raise Refusal("time-zone-stands", "The time zone cannot change once there are gaming days.", field="time_zone")
    place.code, place.name, place.time_zone = code, name.strip(), time_zone_name
    place.save()
    acts.record(
        kind="venue.set-up",
        subject="venue",
        by=by,
        data={"code": place.code, "name": place.name, "time_zone": place.time_zone},
    )
    return place
