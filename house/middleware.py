"""Around every request: the venue and its clock; and signing out whoever does nothing for too long."""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from house.acts import TimedOut
from house.log import record_act
from house.models import Staff, Venue
from house.venue import zone
from kernel.actors import Actor

ACTIVE_AT: Final = "active-at"
WRITE_EVERY_SECONDS: Final = 60.0  # seconds
# A page that refreshes itself sends this header: it is not the person doing something.
BACKGROUND: Final = "X-Background"


def note_activity(request: HttpRequest, now: datetime) -> None:
    request.session[ACTIVE_AT] = now.timestamp()


@lru_cache(maxsize=1)
def _zone(second: int) -> ZoneInfo:
    """Read at most once a second: a page of rows has hundreds of times in it."""
    return zone()


class _VenueClock(tzinfo):
    """The venue's zone, not read before a time is told by it: most calls tell none."""

    def fromutc(self, moment: datetime) -> datetime:
        here = _zone(int(time.monotonic()))
        return here.fromutc(moment.replace(tzinfo=here))

    def utcoffset(self, moment: datetime | None) -> timedelta | None:
        return _zone(int(time.monotonic())).utcoffset(moment)

    def dst(self, moment: datetime | None) -> timedelta | None:
        return _zone(int(time.monotonic())).dst(moment)

    def tzname(self, moment: datetime | None) -> str | None:
        return _zone(int(time.monotonic())).tzname(moment)

    def __str__(self) -> str:
        """Its name, as the database is told where it asks for a date on the venue's clock."""
        return str(_zone(int(time.monotonic())))


VENUE_CLOCK: Final = _VenueClock()


class VenueTime:
    """Every request has its venue, and tells time by the venue's clock."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        venue = SimpleLazyObject(lambda: Venue.objects.get(pk=1))
        request.venue = venue  # type: ignore[attr-defined]
        with timezone.override(VENUE_CLOCK):
            return self.get_response(request)


class IdleTimeout:
    """Every request past the limit (settings.IDLE_TIMEOUT) finds the person signed out, and the log says so.

    Activity is written at most once a minute, so somebody may be signed out up to a minute early, never late.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        session = getattr(request, "session", None)  # a device's call has none
        if session is not None and SESSION_KEY in session:
            self._look_at(request)
        return self.get_response(request)

    def _look_at(self, request: HttpRequest) -> None:
        now = timezone.now()
        idle = now.timestamp() - float(request.session.get(ACTIVE_AT, 0))
        demo_over = isinstance(request.user, Staff) and request.user.is_demo and not settings.DEMO
        if idle > settings.IDLE_TIMEOUT.total_seconds() or demo_over:
            self._sign_out(request)
        elif idle >= WRITE_EVERY_SECONDS and BACKGROUND not in request.headers:
            note_activity(request, now)

    @staticmethod
    @transaction.atomic
    def _sign_out(request: HttpRequest) -> None:
        if isinstance(request.user, Staff):
            staff = request.user
            by = Actor(identity=staff.identity, name=staff.name)
            record_act(TimedOut(person=staff.username), by=by)
        logout(request)
