"""The end of a promotion: every prize is paid, or nobody's by the terms, and every claim is decided."""

from __future__ import annotations

from datetime import datetime

from house.log import record_act
from kernel.actors import Actor
from promotions import steps
from promotions.acts.terms import Finished
from promotions.lifecycle import Status, Step
from promotions.models import Claim, Draw, Promotion, Win


def finish_if_over(*, promotion: Promotion, by: Actor, now: datetime) -> None:
    """The promotion's row is locked."""
    draw = Draw.objects.filter(promotion=promotion, voided_at=None).first()
    if promotion.status != Status.DRAWN or draw is None or draw.published_at is None:
        return
    if Win.objects.filter(promotion=promotion, pick__draw=draw, status__in=["drawn", "claimed"]).exists():
        return
    if Claim.objects.filter(promotion=promotion, status="made").exists():
        return
    promotion.status = steps.take(Step.FINISH, promotion)
    promotion.finished_at = now
    promotion.save(update_fields=["status", "finished_at"])
    paid = Win.objects.filter(promotion=promotion, pick__draw=draw, status="paid").count()
    record_act(Finished(promotion=promotion.code, paid=paid, prizes=draw.prizes or 0), by=by)
