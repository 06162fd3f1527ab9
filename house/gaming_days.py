"""Gaming days as rows: made ahead of time (``plan_days.py``), found on every sale.

Looking one up is cheap because each process keeps, for ``CACHE_SECONDS`` at most, the day that it last found and the
span of moments for which that day is the answer. That is safe because nothing that would change the answer takes effect
sooner than ``NOTICE`` after it was decided: an early close, and new opening hours, lie at least five seconds ahead
when they are written, so every process has read them, with room for a slow commit, before the moment comes.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from house.models import GamingDay
from house.times import for_people
from kernel.refusal import Refusal

CACHE_SECONDS: Final = 1.0  # seconds
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
    fresh = known is not None and time.monotonic() - known.read_at < CACHE_SECONDS
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
