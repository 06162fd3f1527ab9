"""What promotions do by themselves, every second: what is due, by the rows. Cheap when nothing is, safe to run twice.

A list is sealed at the latest a quarter of an hour before its draw, or at once where entries close that late: until
then somebody may still withdraw an entry that was not eligible.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final

from django.db import OperationalError
from django.db.models import Case, DateTimeField, F, Min, QuerySet, Value, When

from kernel.now_and_then import NowAndThen
from kernel.refusal import Refusal
from promotions import earn, erase, queries, run, seal
from promotions.draw import draw
from promotions.import_steps import unconfirmed_imports
from promotions.lifecycle import Status
from promotions.models import Import, Promotion
from promotions.notify import raise_overdue

log = logging.getLogger(__name__)

SEALED_BEFORE: Final = timedelta(minutes=15)
LOOK: Final = NowAndThen(every_seconds=60)
WAITED_FOR: Final = timedelta(minutes=1)


def tick(now: datetime) -> None:
    _each(run.start, Status.SUBMITTED, starts_at__lte=now)
    _each(run.close, Status.RUNNING, closes_at__lte=now)
    _each(seal.seal, Status.CLOSED, but=_unconfirmed(), draw_at__lte=now + SEALED_BEFORE)
    tick_draws(now)
    if LOOK.is_time(now):  # what was earned is counted again before the list is sealed: a minute is soon enough
        _each(earn.count_earned, Status.RUNNING)
        erase.erase_due(now=now)


def due(now: datetime) -> datetime | None:
    """When the next promotion starts, closes, is sealed or drawn. A draw that was due a while ago waits for people, and
    so does a list with a file in it that nobody else has seen."""
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
    coming = coming.exclude(status=Status.CLOSED, pk__in=_unconfirmed())
    first: datetime | None = coming.aggregate(first=Min("due"))["first"]
    return first


def tick_draws(now: datetime) -> None:
    """Draws that need nobody, and those that wait for the witness; winners nobody told."""
    for code in (*queries.draws_under_way(), *queries.draws_due(now)):
        _try(draw, code=code, now=now)
    _try(raise_overdue, now=now)


def _unconfirmed() -> QuerySet[Import, int]:
    """Promotions whose list waits for a second person: the home page and their own say so, the clock asks no more."""
    return unconfirmed_imports().values_list("promotion_id", flat=True)


def _each(step: Callable[..., object], status: Status, *, but: Iterable[int] = (), **due: datetime) -> None:
    waiting = Promotion.objects.filter(status=status, **due).exclude(pk__in=but)
    for code in waiting.order_by("id").values_list("code", flat=True):
        _try(step, code=code)


def _try(step: Callable[..., object], **asked: object) -> None:
    try:
        step(**asked)
    except (Refusal, OperationalError):  # somebody was first, or a lock did not come: the next tick tries again
        log.info("a step of a promotion waits: %s", asked, exc_info=True)
