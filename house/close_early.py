"""Closing the gaming day before its time, with notice to players and an inspector (act-keno:13.2)."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone

from house import acts, gaming_days
from house.actors import Actor
from house.incident_kinds import EARLY_CLOSE
from house.incidents import open_incident
from house.models import GamingDay
from house.refusal import Conflict, Refusal
from house.staff import refuse_without_reason


@transaction.atomic
def close_early(*, reason: str, notice: str, by: Actor, at: datetime | None = None) -> GamingDay:
    """Close the open day at *at*, or as soon as every process can know of it (``gaming_days.NOTICE``)."""
    by.require("gaming-day.close-early")
    refuse_without_reason(reason)
    if not notice.strip():
        raise Refusal("notice-missing", "Write what players are told.", clause="act-keno:13.2", field="notice")
    now = timezone.now()
    at = max(at or now, now + gaming_days.NOTICE)
    day = (
        GamingDay.objects.select_for_update().filter(opens_at__lte=now, closes_at__gt=now).order_by("-opens_at").first()
    )
    if day is None:
        raise Conflict("outside-gaming-hours", "No gaming day is open.", clause="act-keno:13.1")
    if day.closed_early_at is not None:
        raise Conflict("closed-early-already", f"The gaming day {day} is closed early already.")
    if at >= day.closes_at:
        raise Refusal("not-early", "The gaming day closes by itself no later than that.", field="at")
    day.closed_early_at, day.closed_early_by = at, by.identity
    day.closed_early_reason, day.closed_early_notice = reason.strip(), notice.strip()
    day.save()
    acts.record(
        kind="gaming-day.closed-early",
        subject=f"gaming-day:{day}",
        by=by,
        data={"at": at.isoformat(), "reason": day.closed_early_reason, "notice": day.closed_early_notice},
    )
    open_incident(
        kind=EARLY_CLOSE,
        what=f"{day.closed_early_reason}\n\nPlayers are told: {day.closed_early_notice}",
        by=by,
        subject=f"gaming-day:{day}",
    )
    gaming_days.forget()
    return day
