"""What the house does by itself, every second. Cheap when there is nothing to do, and safe to run twice at once."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.utils import timezone

from house import work
from house.approvals import apply_due
from house.gaming_days import ensure_gaming_days

NOW_AND_THEN: Final = 10  # seconds


def tick(now: datetime | None = None) -> None:
    apply_due(now=now)
    ensure_gaming_days(now=now)
    if (at := now or timezone.now()).second % NOW_AND_THEN == 0:
        work.look_after(at)
