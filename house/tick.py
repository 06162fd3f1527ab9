"""What the house does by itself, every second. Cheap when there is nothing to do, and safe to run twice at once."""

from __future__ import annotations

import time
from datetime import datetime
from typing import Final

from django.utils import timezone

from house import guesses
from house.approvals import apply_due
from house.cash.overdue import note_overdue
from house.plan_days import ensure_gaming_days
from house.witness import watch_witness

_LOOK_EVERY_SECONDS: Final = 30
_looked = 0.0


def tick(now: datetime | None = None) -> None:
    global _looked  # noqa: PLW0603  a process's own memory, no more
    apply_due(now=now)
    ensure_gaming_days(now=now)
    watch_witness(now or timezone.now())
    if time.monotonic() - _looked > _LOOK_EVERY_SECONDS:
        _looked = time.monotonic()
        guesses.finish_bursts(now or timezone.now())
        note_overdue(now or timezone.now())
