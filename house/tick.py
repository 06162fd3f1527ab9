"""What the house does by itself, every second. Cheap when there is nothing to do, and safe to run twice at once."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone

from house import guesses
from house.approvals import apply_due, next_effective
from house.cash.overdue import note_overdue
from house.plan_days import ensure_gaming_days
from house.witness import watch_witness
from kernel.now_and_then import NowAndThen

LOOK: Final = NowAndThen(every_seconds=30)


def tick(now: datetime | None = None) -> None:
    now = now or timezone.now()
    apply_due(now=now)
    ensure_gaming_days(now=now)
    watch_witness(now)
    if LOOK.is_time(now):
        guesses.finish_bursts(now)
        note_overdue(now)


def due(now: datetime) -> datetime | None:
    return next_effective()
