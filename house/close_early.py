"""Closing the gaming day before its time, with notice to players and an inspector (act-keno:13.2)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house import gaming_days, steps
from house.acts import GamingDayClosedEarly
from house.incident_kinds import EARLY_CLOSE
from house.incidents import open_incident
from house.log import record_act
from house.models import GamingDay
from house.permissions import CLOSE_EARLY
from house.staff import refuse_without_reason
from kernel.actors import Actor
from kernel.refusal import Refusal


@transaction.atomic
def close_early(*, reason: str, notice: str, by: Actor, at: datetime | None = None) -> GamingDay:
    """Close the open day at *at*, or as soon as every process can know of it (``gaming_days.NOTICE``)."""
    by.require(CLOSE_EARLY)
    refuse_without_reason(reason)
    if not notice.strip():
        raise Refusal("notice-missing", "Write what players are told.", clause="act-keno:13.2", field="notice")
    now = timezone.now()
    at = max(at or now, now + gaming_days.NOTICE)
    day = (
        GamingDay.objects.select_for_update().filter(opens_at__lte=now, closes_at__gt=now).order_by("-opens_at").first()
    )
    steps.refuse_early_close(day, by)
    assert day is not None
    if at >= day.closes_at:
        raise Refusal("not-early", "The gaming day closes by itself no later than that.", field="at")
    day.closed_early_at, day.closed_early_by = at, by.identity
    day.closed_early_reason, day.closed_early_notice = reason.strip(), notice.strip()
    day.save()
    closed = GamingDayClosedEarly(day=day.date, at=at, reason=day.closed_early_reason, notice=day.closed_early_notice)
    record_act(closed, by=by)
    open_incident(
        kind=EARLY_CLOSE,
        what=f"{day.closed_early_reason}\n\nPlayers are told: {day.closed_early_notice}",
        by=by,
        subject=f"gaming-day:{day}",
    )
    gaming_days.forget()
    return day
