"""For what is looked at now and then by a loop that turns much more often."""

from __future__ import annotations

from datetime import datetime, timedelta


class NowAndThen:
    """Whether it is time again. A process's own memory, no more: another process looks by its own."""

    def __init__(self, *, every_seconds: float) -> None:
        self._every = timedelta(seconds=every_seconds)
        self._looked_at: datetime | None = None

    def is_time(self, now: datetime) -> bool:
        if self._looked_at is not None and self._looked_at <= now < self._looked_at + self._every:
            return False
        self._looked_at = now
        return True

    def forget(self) -> None:
        self._looked_at = None
