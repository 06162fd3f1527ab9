"""Signing out whoever does nothing for too long."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.conf import settings
from django.contrib.auth import SESSION_KEY, logout
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.models import Staff

ACTIVE_AT: Final = "active-at"
WRITE_EVERY: Final = 60.0  # seconds
# A page that refreshes itself sends this header: it is not the person doing something.
BACKGROUND: Final = "X-Background"


def note_activity(request: HttpRequest, now: datetime) -> None:
    request.session[ACTIVE_AT] = now.timestamp()


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
        elif idle >= WRITE_EVERY and BACKGROUND not in request.headers:
            note_activity(request, now)

    @staticmethod
    @transaction.atomic
    def _sign_out(request: HttpRequest) -> None:
        if isinstance(request.user, Staff):
            staff = request.user
            by = Actor(identity=staff.identity, name=staff.name)
            acts.record(kind="staff.timed-out", subject=staff.identity, by=by)
        logout(request)
