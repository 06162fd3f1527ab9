"""What draws and winners do by themselves, every second: what is due, by the rows. Called by the room's tick."""

from __future__ import annotations

from datetime import datetime

from house.refusal import Conflict
from promotions.attempts import commit_draw
from promotions.draw import DRAWER, draw, due
from promotions.lifecycle import Status
from promotions.models import Promotion
from promotions.notify import raise_overdue
from promotions.unclaimed import move_unclaimed


def tick(now: datetime) -> None:
    running = Promotion.objects.filter(status=Status.RUNNING).exclude(draws__voided_at=None, draws__isnull=False)
    for code in running.values_list("code", flat=True):
        commit_draw(code=code, by=DRAWER, now=now)
    for code in due(now=now):
        try:
            draw(code=code, now=now)
        except Conflict:
            continue  # somebody postponed or drew it while we waited
    raise_overdue(now=now)
    move_unclaimed(now=now)
