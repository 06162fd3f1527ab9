"""When games close: every interval from the opening of the gaming day, as long as the draw still fits before its end.

Counted in UTC from the day's opening, so that a night in which the clocks change has a game more or less for every
interval of the hour, and none twice. Games left over at the close of a day are the next ones drawn (4.5): they keep
their numbers and get new times.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from house.models import GamingDay
from keno.models import KenoSettings
from keno.rules.settle import DRAWN


@dataclass(frozen=True, slots=True)
class Slot:
    """The hours of one game."""

    gaming_day: date
    opens_at: datetime
    closes_at: datetime


def next_close(
    *, opens: datetime, ends: datetime, interval: timedelta, draw: timedelta, since: datetime
) -> datetime | None:
    """The next close of a day that opens and ends then, for a game opened at *since*. None: the day has none left.

    A game that opens late, because the one before it closed late or was closed by hand, is open for a third of the
    interval at least; then the day is back in its rhythm.
    """
    earliest = max(since, opens) + interval / 3
    turns = -((opens - earliest) // interval)  # rounded up
    closes = opens + interval * max(1, turns)
    return closes if closes + draw <= ends else None


def next_slot(*, settings: KenoSettings, since: datetime) -> Slot | None:
    """The hours of a game that opens at *since* or, if the day has no game left, with the next day that has one."""
    draw = settings.draw_after + settings.pace * DRAWN
    days = GamingDay.objects.filter(closes_at__gt=since).order_by("opens_at")
    for day in days:
        closes = next_close(opens=day.opens_at, ends=day.ends_at, interval=settings.interval, draw=draw, since=since)
        if closes is not None:
            return Slot(day.date, max(since, day.opens_at), closes)
    return None
