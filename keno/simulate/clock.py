"""The clock in the hand. The verbs ask Django for the time; while this runs, it is the simulation's.

So is the pace of the games: it is kept in the hand too, not in the venue's settings, so that a simulation that is
killed leaves nothing behind to be put back.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.utils import timezone

from house import gaming_days
from keno.models import KenoSettings


class Clock:
    def __init__(self, now: datetime, *, every: timedelta) -> None:
        self.now, self.every = now, every

    def advance(self, to: datetime) -> None:
        """Time only goes on."""
        self.now = max(self.now, to)

    @contextmanager
    def running(self) -> Iterator[None]:
        real, usual = timezone.now, KenoSettings.current

        def at_this_pace() -> KenoSettings:
            settings = usual()
            settings.interval = self.every
            return settings

        timezone.now = lambda: self.now
        setattr(KenoSettings, "current", at_this_pace)  # noqa: B010  a method is put aside for a while
        gaming_days.forget()
        try:
            yield
        finally:
            timezone.now = real
            setattr(KenoSettings, "current", usual)  # noqa: B010
            gaming_days.forget()
