"""Beat's ticks, and fewer of them where nothing happens: a house in which nobody writes costs next to nothing.

Every second one look at PostgreSQL's snapshot tells whether anything was committed since the last one, by whatever
program. While something is, every room gets its tick every second, in a message of its own, so that a slow one holds up
nobody else. While nothing is, nothing can have become due but by the clock: each room says once when that is
(``kernel.rooms.Tick.due``), and gets its tick from then on. Those that have nothing to do get one now and then all the
same, in one message. A database that cannot be asked is no quiet house.
"""

from __future__ import annotations

import time
from datetime import datetime
from typing import Any, Final

import celery.beat
import structlog
from celery.schedules import schedule
from django.db import Error, connection
from django.utils import timezone

from kernel.rooms import Tick, offered_by
from kernel.tasks import TICK
from kernel.transactions import snapshot

QUIET_TICK_SECONDS: Final = 15.0  # half of what a loop may stand still (web/lateness.py)
LOOK_SECONDS: Final = 0.5  # the ticks of one second share a look

log = structlog.get_logger(__name__)


class Quiet:
    """Whether the house is quiet: nothing was committed between two looks, so the ticks after the first saw it all."""

    def __init__(self) -> None:
        self._seen: str | None = None
        self._looked = float("-inf")
        self._due: dict[str, datetime | None] | None = None  # by room, from when the house fell quiet
        self._ticked: dict[str, float] = {}

    def wants_tick(self, room: str, now: datetime) -> bool:
        """Whether this room gets its tick at this moment."""
        self._look(now)
        if self.rests(room, now) and time.monotonic() - self._ticked.get(room, float("-inf")) < QUIET_TICK_SECONDS:
            return False
        self._ticked[room] = time.monotonic()
        return True

    def rests(self, room: str, now: datetime) -> bool:
        """Whether this room has nothing to do, as far as anybody knows."""
        due = now if self._due is None else self._due.get(room)
        return due is None or due > now

    def _look(self, now: datetime) -> None:
        if time.monotonic() - self._looked < LOOK_SECONDS:
            return
        self._looked = time.monotonic()
        try:
            seen = snapshot()
            if seen != self._seen:
                self._due = None
            elif self._due is None:
                self._due = {room: tick.due(now) for room, tick in offered_by(Tick)}
            self._seen = seen
        except Error as error:
            log.info("nobody knows whether the house is quiet", error=str(error))
            self._due = self._seen = None
            connection.close()


class Scheduler(celery.beat.Scheduler):
    """Celery's own, which holds what it sends in memory, but for the ticks, of which it sends those that are wanted.

    Each entry is due every so many seconds from the start on, and nothing between them costs anything: Celery's own way
    looks at all of them, by the calendar, for each one that it sends.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self._quiet = Quiet()
        self._due: dict[str, float] = {}
        super().__init__(*args, **options)

    def tick(self, *_: object) -> float:
        """Send what is due now; in how many seconds something is again."""
        for name, entry in self.schedule.items():
            assert isinstance(entry.schedule, schedule)  # every so often: there is no calendar here
            seconds = entry.schedule.seconds
            if self._due.setdefault(name, time.monotonic() + seconds) <= time.monotonic():
                self._due[name] = max(self._due[name], time.monotonic() - seconds) + seconds
                self.apply_entry(entry, producer=self.producer)
        return max(min(self._due.values()) - time.monotonic(), 0.0)

    def apply_entry(self, entry: Any, producer: Any = None) -> None:
        if entry.task != TICK:
            super().apply_entry(entry, producer=producer)
            return
        now = timezone.now()
        wanted = [room for room in entry.args if self._quiet.wants_tick(room, now)]
        resting = [room for room in wanted if self._quiet.rests(room, now)]
        for rooms in [[room] for room in wanted if room not in resting] + ([resting] if resting else []):
            super().apply_entry(self.Entry(**dict(entry) | {"args": rooms}), producer=producer)
