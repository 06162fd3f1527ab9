"""A prize that its winner loses: by the terms the next in the drawn order wins it, or nobody does."""

from __future__ import annotations

from datetime import datetime

from house.log import record_act
from kernel.actors import Actor
from promotions import results, wins
from promotions.acts.prizes import PrizeLost
from promotions.draw import follow_losses, serves_from_alternates
from promotions.finish import finish_if_over
from promotions.models import Draw, Loss, LossReason, Win
from promotions.versions import terms_in_force


def lose_prize(*, win: Win, reason: LossReason, by: Actor, now: datetime) -> list[Win]:
    """Whoever wins it instead. The rows of promotion and winner are locked."""
    draw = Draw.objects.select_related("entry_list", "version").get(pk=win.pick.draw_id)
    draw.promotion = win.promotion
    redraw = _redraw(draw, win, reason)
    Loss.objects.create(draw=draw, place=win.pick.place, reason=reason, redraw=redraw, at=now, by=by.identity)
    wins.lose(win=win, by=by, now=now)
    new = follow_losses(draw=draw, by=by, now=now)
    lost = PrizeLost(
        promotion=win.promotion.code,
        draw=draw.pk,
        place=win.pick.place,
        entry=win.pick.number,
        prize=win.pick.prize,
        reason=reason.value,
        redraw=redraw,
        next_=tuple(pick.number for pick in new),
    )
    record_act(lost, by=by)
    if draw.published_at is not None:
        results.announce(draw=draw, by=by)
    finish_if_over(promotion=win.promotion, by=by, now=now)
    return list(Win.objects.filter(pick__in=new).select_related("promotion", "prize", "pick__draw").order_by("id"))


def _redraw(draw: Draw, win: Win, reason: LossReason) -> bool:
    """A winner who is called and does not come is replaced at once; otherwise the terms say what becomes of it."""
    if reason == LossReason.ABSENT:
        return True
    _, terms = terms_in_force(draw.promotion)
    if terms.unclaimed == "alternate":
        return serves_from_alternates(draw=draw, place=win.pick.place)
    return terms.unclaimed == "redraw"
