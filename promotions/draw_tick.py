"""What draws and winners do by themselves, every second: what is due, by the rows. Called by the room's tick."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import OperationalError

from house.refusal import Refusal
from promotions.attempts import commit_draw
from promotions.draw import DRAWER, draw, due
from promotions.lifecycle import Status
from promotions.models import Draw, Promotion
from promotions.notify import raise_overdue
from promotions.unclaimed import move_unclaimed

log = logging.getLogger(__name__)


def tick(now: datetime) -> None:
    promised = Draw.objects.filter(voided_at=None).values("promotion")
    for code in Promotion.objects.filter(status=Status.RUNNING).exclude(pk__in=promised).values_list("code", flat=True):
        _try(commit_draw, code=code, by=DRAWER, now=now)
    for code in due(now=now):
        _try(draw, code=code, now=now)
    _try(raise_overdue, now=now)
    _try(move_unclaimed, now=now)


def _try(step: Callable[..., Any], **asked: Any) -> None:
    try:
        step(**asked)
    except (Refusal, OperationalError):  # somebody was first, or a lock did not come: the next tick tries again
        log.info("a step of a draw waits: %s", asked, exc_info=True)
