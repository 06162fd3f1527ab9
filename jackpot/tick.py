"""Every second: what links do by themselves. Every minute: whether their books agree."""

from __future__ import annotations

from datetime import datetime

from house.gaming_days import latest_gaming_day
from jackpot.reconcile import reconcile_due
from jackpot.settle_pools import settle_pools


def tick(now: datetime) -> None:
    if latest_gaming_day(now) is None:
        return  # nothing can be booked before the house's first day
    settle_pools()
    reconcile_due(now)
