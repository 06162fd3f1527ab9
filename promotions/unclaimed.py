"""Prizes nobody claimed in time (17.7.8): by the terms the next alternate's, drawn again, or kept by the house."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from kernel.actors import system
from promotions.losses import lose_prize
from promotions.models import Claim, LossReason, Win, WinStatus
from promotions.wins import lock_win

CALENDAR: Final = system("promotions-unclaimed")


def move_unclaimed(*, now: datetime) -> int:
    """What its winner did not claim in time, each in a transaction of its own. A claim under way keeps it waiting."""
    moved = 0
    for win_id in _late(now):
        with transaction.atomic():
            _, win = lock_win(win_id)
            if win.status != WinStatus.DRAWN or Claim.objects.filter(win=win, status="made").exists():
                continue
            lose_prize(win=win, reason=LossReason.UNCLAIMED, by=CALENDAR, now=now)
            moved += 1
    return moved


def _late(now: datetime) -> list[int]:
    late = Win.objects.filter(status=WinStatus.DRAWN, claim_by__lt=now, promotion__status="drawn")
    return list(late.order_by("id").values_list("id", flat=True)[:100])
