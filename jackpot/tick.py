"""Every second: what links do by themselves, and what must-hit-by links have to decide. Every minute: their books."""

from __future__ import annotations

from datetime import datetime

from house.gaming_days import latest_gaming_day
from jackpot import promises
from jackpot.decide import BY, decide_movements
from jackpot.heartbeats import next_silence, watch_tables
from jackpot.instalments import tell_overdue
from jackpot.reconcile import reconcile_due
from jackpot.settle_pools import settle_pools
from jackpot.waiting_rounds import watch_waiting_rounds


def due(now: datetime) -> datetime | None:
    """When the next table will have been silent for too long."""
    return next_silence()


def tick(now: datetime) -> None:
    if latest_gaming_day(now) is None:
        return  # nothing can be booked before the house's first day
    promises.promise_days(now, by=BY)
    decide_movements(now)
    settle_pools()
    watch_tables(now)
    watch_waiting_rounds(now)
    promises.reveal_days(now, by=BY)
    tell_overdue(now)
    reconcile_due(now)
