"""Gaming days as rows: made ahead of time by the tick, found on every sale.

Looking one up is cheap because each process keeps, for at most ``CACHE_LIFE``, the day that it last found and the span
of moments for which that day is the answer. That is safe because nothing that would change the answer takes effect
sooner than ``NOTICE`` after it was decided: an early close, and new opening hours, lie at least five seconds ahead
when they are written, so every process has read them, with room for a slow commit, before the moment comes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import connection, transaction
from django.utils import timezone

from house import acts
from house.actors import system
from house.models import GamingDay
from house.refusal import Refusal
from house.rules.gaming_day import Week, gaming_days
from house.times import for_people
from house.venue import venue, week

DAYS_AHEAD: Final = 14
CACHE_LIFE: Final = 1.0  # seconds
NOTICE: Final = timedelta(seconds=5)
_BEGINNING: Final = datetime.min.replace(tzinfo=UTC)
_END: Final = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class _Known:
    """For every moment from *since* until *until* the latest day that has opened is *day*."""

    day: GamingDay | None
    since: datetime
    until: datetime
    read_at: float


_known: _Known | None = None


def forget() -> None:
    """Forget what this process knows. The verbs that change days call it, and so do tests."""
    global _known  # noqa: PLW0603  one memory for the process
    _known = None


def latest_gaming_day(moment: datetime) -> GamingDay | None:
    """The day that opened last, at or before this moment."""
    global _known  # noqa: PLW0603  one memory for the process
    known = _known
    fresh = known is not None and time.monotonic() - known.read_at < CACHE_LIFE
    if known is None or not fresh or not known.since <= moment < known.until:
        read_at = time.monotonic()
        day = GamingDay.objects.filter(opens_at__lte=moment).order_by("-opens_at").first()
        following = GamingDay.objects.filter(opens_at__gt=moment).order_by("opens_at").first()
        known = _Known(
            day=day,
            since=day.opens_at if day else _BEGINNING,
            until=following.opens_at if following else _END,
            read_at=read_at,
        )
        if day is not None:  # a house without days is waiting for its first: look again
            _known = known
    return known.day


def gaming_day_at(moment: datetime) -> GamingDay:
    """The gaming day that money booked at this moment belongs to: the open one, else the one that closed last."""
    day = latest_gaming_day(moment)
    if day is None:
        raise Refusal("no-gaming-day", "The house has not had a gaming day yet.", clause="act-keno:13.1")
    return day


def open_gaming_day(moment: datetime) -> GamingDay:
    """The gaming day open at this moment. act-keno:13.1: no sales or draws outside the hours of gaming."""
    day = latest_gaming_day(moment)
    if day is None or not day.is_open_at(moment):
        opening = GamingDay.objects.filter(opens_at__gt=moment).order_by("opens_at").first()
        when = f" The next one opens {for_people(opening.opens_at)}." if opening else ""
        raise Refusal("outside-gaming-hours", f"No gaming day is open.{when}", clause="act-keno:13.1")
    return day


def ensure_gaming_days(*, upto: date | None = None, now: datetime | None = None) -> list[GamingDay]:
    """Make the days that are missing, through *upto* (two weeks ahead); the answer is the new ones. Safe to repeat.

    It begins with yesterday, whose night may still be going on. Days that passed while the house was not running
    are not made up: there was no business.
    """
    place = venue()
    zone = ZoneInfo(place.time_zone)
    today = (now or timezone.now()).astimezone(zone).date()
    last = upto or today + timedelta(days=DAYS_AHEAD)
    latest = GamingDay.objects.order_by("-date").first()
    first = max(today - timedelta(days=1), latest.date + timedelta(days=1)) if latest else today - timedelta(days=1)
    hours = week()
    if not any(hours[(first + timedelta(days=n)).weekday()] for n in range((last - first).days + 1)):
        return []  # every second but one a day: nothing to do, no lock taken
    try:
        return _make_days(first=first, last=last, hours=hours, zone=zone)
    finally:
        forget()  # also what was seen of them before they were committed, or undone


@transaction.atomic
def _make_days(*, first: date, last: date, hours: Week, zone: ZoneInfo) -> list[GamingDay]:
    _hold_the_calendar()  # two ticks at once: the second finds the first one's rows
    latest = GamingDay.objects.order_by("-date").first()
    if latest:
        first = max(first, latest.date + timedelta(days=1))
    days = GamingDay.objects.bulk_create(
        GamingDay(date=day, opens_at=opens, closes_at=closes)
        for day, opens, closes in gaming_days(first, last, hours, zone, not_before=latest.closes_at if latest else None)
    )
    for day in days:
        acts.record(
            kind="gaming-day.scheduled",
            subject=f"gaming-day:{day}",
            by=system("calendar"),
            data={"opens_at": day.opens_at.isoformat(), "closes_at": day.closes_at.isoformat()},
        )
    return days


def reschedule(*, now: datetime) -> None:
    """New opening hours: days that have not begun are made again. The one that is open keeps its hours.

    Part of the transaction that changes the hours. A day that a tick is just making is waited for, so that it is
    among those made again.
    """
    _hold_the_calendar()
    GamingDay.objects.filter(opens_at__gt=now + NOTICE).delete()
    forget()
    ensure_gaming_days(now=now)


def _hold_the_calendar() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('house.gaming-days'))")
