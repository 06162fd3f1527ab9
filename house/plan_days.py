"""Making gaming days ahead of time, from the opening hours: by the tick, and anew where the hours change."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils import timezone

from house.acts import GamingDayScheduled
from house.gaming_days import NOTICE, forget
from house.log import record_act
from house.models import GamingDay
from house.rules.gaming_day import Week, gaming_days
from house.venue import venue, week
from kernel import locks
from kernel.actors import system
from kernel.locks import Lock

DAYS_AHEAD: Final = 14


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
    locks.hold(Lock.GAMING_DAYS)  # two ticks at once: the second finds the first one's rows
    latest = GamingDay.objects.order_by("-date").first()
    if latest:
        first = max(first, latest.date + timedelta(days=1))
    days = GamingDay.objects.bulk_create(
        GamingDay(date=day, opens_at=opens, closes_at=closes)
        for day, opens, closes in gaming_days(first, last, hours, zone, not_before=latest.closes_at if latest else None)
    )
    for day in days:
        scheduled = GamingDayScheduled(day=day.date, opens_at=day.opens_at, closes_at=day.closes_at)
        record_act(scheduled, by=system("calendar"))
    return days


def hold_days() -> None:
    """Nobody else makes gaming days until the transaction ends."""
    locks.hold(Lock.GAMING_DAYS)


def reschedule(*, now: datetime) -> None:
    """New opening hours: days that have not begun are made again. The one that is open keeps its hours.

    Part of the transaction that changes the hours. A day that a tick is just making is waited for, so that it is
    among those made again.
    """
    hold_days()
    GamingDay.objects.filter(opens_at__gt=now + NOTICE).delete()
    forget()
    ensure_gaming_days(now=now)
