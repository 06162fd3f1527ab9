"""A prize that its winner loses after the draw: by two people and the scrutineer, and along the order the draw gave.

What was on record before the witness was asked decides the draw itself (`promotions.begin`). Whatever is found out or
happens later, an absence included, is noted by one person, seconded by another and signed by the draw's scrutineer; the
signature is over the outcome that comes of it, and only then is the prize lost. By the terms the next in the drawn
order wins it, or nobody does. Where the draw needed no scrutineer one is nominated for this.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db import transaction

from house.log import record_act
from kernel.actors import Actor
from kernel.refusal import Refusal
from promotions import prize_steps as steps
from promotions import results, wins
from promotions.acts.draws import ScrutineerSigned
from promotions.acts.prizes import LossAct, LossNoted, LossSeconded, LossWithdrawn, PrizeLost
from promotions.draw import follow_losses, people_of, serves_from_alternates
from promotions.finish import finish_if_over
from promotions.locks import database_time
from promotions.models import Draw, Loss, LossCase, LossReason, Win
from promotions.permissions import LOSE
from promotions.scrutineer import outcome_hash
from promotions.versions import terms_in_force
from promotions.wins import lock_win

WHY_LIMIT = 300


def note(*, win: Win, reason: LossReason, by: Actor, now: datetime, why: str = "") -> LossCase:
    """One person says so. Nothing is lost by it yet. The rows of promotion and winner are locked."""
    steps.must_have_no_case(win)
    if len(why) > WHY_LIMIT:
        raise Refusal("too-long", f"Say it in up to {WHY_LIMIT} characters.", field="why")
    case = LossCase.objects.create(win=win, reason=reason, why=why.strip(), noted_at=now, noted_by=by.identity)
    record_act(_act(LossNoted, case, win), by=by)
    return case


@transaction.atomic
def winner_ineligible(*, win_id: int, why: str, by: Actor, now: datetime | None = None) -> LossCase:
    """It is found out after the draw that the winner may not win."""
    by.require(LOSE)
    _, win = lock_win(win_id)
    steps.must_be_held(win)
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    return note(win=win, reason=LossReason.INELIGIBLE, why=why, by=by, now=now or database_time())


@transaction.atomic
def winner_unclaimed(*, win_id: int, by: Actor, now: datetime | None = None) -> LossCase:
    """The winner did not claim the prize in time (17.7.8)."""
    by.require(LOSE)
    _, win = lock_win(win_id)
    now = now or database_time()
    steps.must_be_unclaimed(win, now)
    return note(win=win, reason=LossReason.UNCLAIMED, by=by, now=now)


@transaction.atomic
def second_loss(*, win_id: int, by: Actor, now: datetime | None = None) -> LossCase:
    """Another person has seen it, too."""
    by.require(LOSE)
    _, win = lock_win(win_id)
    case = steps.must_be_secondable(win, by)
    case.seconded_at, case.seconded_by = now or database_time(), by.identity
    case.save(update_fields=["seconded_at", "seconded_by"])
    record_act(_act(LossSeconded, case, win), by=by)
    return case


@transaction.atomic
def withdraw_loss(*, win_id: int, by: Actor, now: datetime | None = None) -> LossCase:
    """It was not so after all: the prize stays the winner's."""
    by.require(LOSE)
    _, win = lock_win(win_id)
    case = steps.must_have_case(win)
    case.withdrawn_at, case.withdrawn_by = now or database_time(), by.identity
    case.save(update_fields=["withdrawn_at", "withdrawn_by"])
    record_act(_act(LossWithdrawn, case, win), by=by)
    return case


@transaction.atomic
def sign_loss(*, win_id: int, by: Actor, now: datetime | None = None) -> list[Win]:
    """The scrutineer signs: the prize is lost. Answers whoever wins it instead."""
    promotion, win = lock_win(win_id)
    draw = Draw.objects.select_related("entry_list", "version", "promise").get(pk=win.pick.draw_id)
    draw.promotion = promotion
    case = steps.must_be_signable(win, draw, by)
    now = now or database_time()
    instead = _lose(win=win, draw=draw, reason=LossReason(case.reason), by=by, now=now)
    case.signed_at, case.signed_by, case.signed_result = now, by.identity, outcome_hash(draw)
    case.save(update_fields=["signed_at", "signed_by", "signed_result"])
    signed = ScrutineerSigned(promotion=promotion.code, draw=draw.pk, attempt=draw.attempt, result=case.signed_result)
    record_act(signed, by=by)
    if draw.published_at is not None:
        results.announce(draw=draw, by=by)
    finish_if_over(promotion=promotion, by=by, now=now)
    return instead


def _lose(*, win: Win, draw: Draw, reason: LossReason, by: Actor, now: datetime) -> list[Win]:
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
        numbers=tuple(draw.numbers),
        people=people_of(draw),
    )
    record_act(lost, by=by)
    wins.write_down(draw, new)
    return list(Win.objects.filter(pick__in=new).select_related("promotion", "prize", "pick__draw").order_by("id"))


def _redraw(draw: Draw, win: Win, reason: LossReason) -> bool:
    """A winner who does not come when called, or could not win, is replaced; otherwise the terms say what becomes of
    it."""
    if reason in (LossReason.ABSENT, LossReason.INELIGIBLE):
        return True
    _, terms = terms_in_force(draw.promotion)
    if terms.unclaimed == "alternate":
        return serves_from_alternates(draw=draw, place=win.pick.place)
    return terms.unclaimed == "redraw"


def _act(kind: Callable[..., LossAct], case: LossCase, win: Win) -> LossAct:
    pick = win.pick
    about: dict[str, Any] = {"draw": pick.draw_id, "place": pick.place, "entry": pick.number, "prize": pick.prize}
    return kind(promotion=win.promotion.code, case=case.pk, reason=case.reason, **about)
