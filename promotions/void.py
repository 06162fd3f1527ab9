"""An attempt that the witness was asked about is void: by two people of the house and the inspector, in his own name.

One person proposes it with its cause, a second stands behind it, the inspector decides (`Approvable(second=…)`; no
letter will do). The winners that it gave, or would have given, are published with the decision, before the next attempt
is asked; that one follows from the same promise and the same list. What was won and not paid is lost; what has been
paid is not taken back, and such a draw stands.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from draws import ask
from house.approvals import Approvable, Record, Shape, propose
from house.models import Proposal
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict
from promotions import integrity, steps, wins
from promotions.attempts import current_draw, first_numbers, make_attempt, must_be_said, reveal
from promotions.lifecycle import Status, Step
from promotions.locks import database_time, find_promotion, lock_promotion
from promotions.models import Draw, Promotion, Win
from promotions.permissions import VOID_DRAW
from promotions.versions import edition_of
from web.fields import Choice, WholeNumber

KIND: Final = "promotions.void-draw"
AGAIN, FOR_GOOD = "again", "cancel"
_STEPS: Final = {AGAIN: Step.VOID, FOR_GOOD: Step.VOID_FOR_GOOD}


@dataclass(frozen=True, slots=True, kw_only=True)
class VoidDraw:
    """Which attempt, and what follows: the promotion is postponed and drawn again, or cancelled."""

    attempt: int
    then: str


class VoidDrawValue(Record):
    """An attempt at a draw that is to be void."""

    attempt = WholeNumber(help_text="The attempt that stands, as `promotions/{code}/draw` has it.")
    then = Choice(
        choices=[AGAIN, FOR_GOOD], help_text="It is postponed until it is drawn again, or cancelled for good."
    )
    makes = VoidDraw


def propose_void(*, code: str, then: str, why: str, by: Actor) -> Proposal:
    """Propose that the attempt that stands is void. A second person and the inspector decide; nothing else happens."""
    draw = _standing_draw(find_promotion(code))
    return propose(kind=KIND, subject=code, new={"attempt": draw.attempt, "then": then}, why=why, by=by)


def _standing_draw(promotion: Promotion) -> Draw:
    draw = current_draw(promotion)
    if draw is None or draw.begun_at is None:
        raise Conflict(
            "not-asked",
            f"Nobody has been asked about the draw of {promotion.code}: postpone or cancel it as such.",
            clause=edition_of(promotion).clause("integrity"),
        )
    return draw


def _check(subject: str, new: VoidDraw) -> None:
    promotion = find_promotion(subject)
    draw = _standing_draw(promotion)
    steps.must_allow(_STEPS[new.then], promotion)
    if draw.attempt != new.attempt:
        raise Conflict("another-attempt", f"Attempt {draw.attempt} at {subject} stands, not attempt {new.attempt}.")
    must_be_said(draw)
    if Win.objects.filter(pick__draw=draw, status="paid").exists():
        raise Conflict(
            "prizes-paid",
            f"Prizes of {subject} have been paid: its draw stands. Record a dispute, or an incident.",
            clause=edition_of(promotion).clause("integrity"),
        )


def _apply(proposal: Proposal, new: VoidDraw, by: Actor) -> None:
    promotion = lock_promotion(proposal.subject)
    _check(proposal.subject, new)
    draw, now = _standing_draw(promotion), database_time()
    draw.promotion = promotion
    status, before = steps.take(_STEPS[new.then], promotion), promotion.status
    _void(draw, why=proposal.why, by=by, now=now)
    if new.then == FOR_GOOD:
        promotion.cancelled_at = now
        reveal(draw.promise, by=by)
    else:
        promotion.resumes_as = Status.SEALED
        make_attempt(promotion=promotion, promised=draw.promise, by=by, now=now)
    promotion.status, promotion.over_reason, promotion.drawn_at = status, proposal.why, None
    promotion.save(update_fields=["status", "resumes_as", "over_reason", "drawn_at", "cancelled_at"])
    integrity.stopped(promotion=promotion, before=before, why=proposal.why, by=by)


def _void(draw: Draw, *, why: str, by: Actor, now: datetime) -> None:
    """What it gave is published with the void, also where nobody had seen it yet."""
    numbers = list(draw.numbers) or first_numbers(draw, must_be_said(draw))
    won = Win.objects.select_for_update(of=("self",)).filter(pick__draw=draw).select_related("prize", "promotion")
    for win in won:
        if win.status != "lost":
            wins.lose(win=win, by=by, now=now)
    ask.void_attempt(
        draw.promise, occasion=draw.promotion.code, attempt=draw.attempt, cause=why, numbers=numbers, by=by
    )
    draw.voided_at, draw.voided_by, draw.void_reason, draw.void_numbers = now, by.identity, why, numbers
    draw.save(update_fields=["voided_at", "voided_by", "void_reason", "void_numbers"])


def _current(subject: str) -> VoidDraw | None:
    find_promotion(subject)
    return None  # an attempt that is void does not stand any more


def _describe(subject: str, old: VoidDraw | None, new: VoidDraw) -> str:
    after = "the promotion is cancelled" if new.then == FOR_GOOD else "it is drawn again from the same list"
    return (
        f"Promotion {subject}: attempt {new.attempt} at its draw is void, though the witness has answered; {after}. "
        "The winners that it gives are published with the decision."
    )


VOID = Approvable(
    kind=KIND,
    label="A draw declared void after the witness was asked",
    shape=Shape[VoidDraw](VoidDrawValue()),
    authority=Authority.INSPECTOR,
    propose_permission=VOID_DRAW,
    second=VOID_DRAW,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
