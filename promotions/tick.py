"""What promotions do by themselves, every second: what is due, by the rows. Cheap when nothing is, safe to run twice.

A list is sealed at the latest a quarter of an hour before its draw, or at once where entries close that late: until
then somebody may still withdraw an entry that was not eligible.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

from django.db import OperationalError
from django.db.models import Case, DateTimeField, F, Min, Value, When

from kernel.now_and_then import NowAndThen
from kernel.refusal import Refusal
from promotions import earn, erase, queries, run, seal
from promotions.draw import draw
from promotions.lifecycle import Status
from promotions.models import Promotion
from promotions.notify import raise_overdue

log = logging.getLogger(__name__)

SEALED_BEFORE: Final = timedelta(minutes=15)
LOOK: Final = NowAndThen(every_seconds=60)
WAITED_FOR: Final = timedelta(minutes=1)


def tick(now: datetime) -> None:
    _each(run.start, Status.SUBMITTED, starts_at__lte=now)
    _each(run.close, Status.RUNNING, closes_at__lte=now)
    _each(seal.seal, Status.CLOSED, draw_at__lte=now + SEALED_BEFORE)
    tick_draws(now)
    if LOOK.is_time(now):  # what was earned is counted again before the list is sealed: a minute is soon enough
        _each(earn.count_earned, Status.RUNNING)
        erase.erase_due(now=now)


def due(now: datetime) -> datetime | None:
    """When the next promotion starts, closes, is sealed or drawn. A draw that was due a while ago waits for people."""
    draw_at = F("draw_at")
    steps = (
        (Status.SUBMITTED, F("starts_at")),
        (Status.RUNNING, F("closes_at")),
        (Status.CLOSED, draw_at - SEALED_BEFORE),
        (Status.SEALED, draw_at),
        (Status.DRAWING, Value(now)),
    )
    when = Case(*(When(status=status, then=moment) for status, moment in steps), output_field=DateTimeField())
    coming = Promotion.objects.annotate(due=when).exclude(status=Status.SEALED, draw_at__lt=now - WAITED_FOR)
    first: datetime | None = coming.aggregate(first=Min("due"))["first"]
    return first


def tick_draws(now: datetime) -> None:
    """Draws that need nobody, and those that wait for the witness; winners nobody told."""
    for code in (*queries.draws_under_way(), *queries.draws_due(now)):
        _try(draw, code=code, now=now)
    _try(raise_overdue, now=now)


def _each(step: Callable[..., object], status: Status, **due: datetime) -> None:
    for code in Promotion.objects.filter(status=status, **due).order_by("id").values_list("code", flat=True):
        _try(step, code=code)


def _try(step: Callable[..., object], **asked: object) -> None:
    try:
        step(**asked)
    except (Refusal, OperationalError):  # somebody was first, or a lock did not come: the next tick tries again
        log.info("a step of a promotion waits: %s", asked, exc_info=True)
