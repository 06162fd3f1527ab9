"""What the house does by itself, every second. Cheap when there is nothing to do, and safe to run twice at once."""

from __future__ import annotations

from datetime import datetime

from house.approvals import apply_due
from house.gaming_days import ensure_gaming_days


def tick(now: datetime | None = None) -> None:
    apply_due(now=now)
    ensure_gaming_days(now=now)
