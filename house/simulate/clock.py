"""The clock in the hand. The verbs ask Django for the time; while this runs, it is the simulation's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.utils import timezone

from house import gaming_days
from kernel import clock


class Clock:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def advance(self, to: datetime) -> None:
        """Time only goes on."""
        self.now = max(self.now, to)

    @contextmanager
    def running(self) -> Iterator[None]:
        real = timezone.now
        timezone.now = lambda: self.now
        gaming_days.forget()
        try:
            with clock.held(lambda: self.now):
                yield
        finally:
            timezone.now = real
            gaming_days.forget()
