"""What promotions do by themselves, every second: what is due, by the rows. Cheap when nothing is, safe to run twice.

A list is sealed at the latest a quarter of an hour before its draw, or at once where entries close that late: until
then somebody may still withdraw an entry that was not eligible.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from django.db import OperationalError

from house.refusal import Refusal
from promotions import draw_tick, earn, erase, imports, run, seal
from promotions.lifecycle import Status
from promotions.models import Promotion

log = logging.getLogger(__name__)

SEALED_BEFORE: Final = timedelta(minutes=15)
NOW_AND_THEN: Final = 10  # seconds


def tick(now: datetime) -> None:
    _each(run.start, Status.SUBMITTED, starts_at__lte=now)
    _each(run.close, Status.RUNNING, closes_at__lte=now)
    _each(seal.seal, Status.CLOSED, draw_at__lte=now + SEALED_BEFORE)
    draw_tick.tick(now)
    if now.second % NOW_AND_THEN == 0:
        imports.resume_waiting()
    if now.second == 0:  # what was earned is counted again before the list is sealed: a minute is soon enough
        _each(earn.count_earned, Status.RUNNING)
        erase.erase_due(now=now)


def _each(step: Callable[..., Any], status: Status, **due: datetime) -> None:
    for code in Promotion.objects.filter(status=status, **due).order_by("id").values_list("code", flat=True):
        try:
            step(code=code)
        except (Refusal, OperationalError):  # somebody was first, or a lock did not come: the next tick tries again
            log.info("a step of promotion %s waits", code, exc_info=True)
