"""Integrity in doubt (17.11, 15.12): a promotion or its draw is postponed until it is validated, or cancelled.

Either opens an incident with the inspector's notice on its clock: at once (2019), within 48 hours (2025). What was
drawn and not yet paid is void then, its seed revealed, and the next attempt has a seed of its own. What has been paid
is not taken back: such a draw stands.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from house.incidents import open_incident
from house.log import record_act
from house.models import Incident
from kernel.actors import Actor, system
from kernel.refusal import Conflict, Refusal
from promotions import steps, wins
from promotions.acts.terms import Cancelled, Postponed, Resumed
from promotions.attempts import current_draw, make_attempt, void_attempt
from promotions.incident_kinds import COMPROMISED, DISPUTE
from promotions.lifecycle import Status, Step
from promotions.locks import bar_entries, database_time, find_promotion, lock_promotion
from promotions.models import Promotion, Win
from promotions.permissions import INTEGRITY
from promotions.seal import void_list
from promotions.versions import edition_of

GUARD: Final = system("promotions-integrity")


@transaction.atomic
def postpone(*, code: str, why: str, by: Actor, now: datetime | None = None) -> Incident:
    """Hold everything until its integrity is validated; answers the incident with the inspector's notice."""
    by.require(INTEGRITY)
    bar_entries(find_promotion(code).pk)
    promotion = lock_promotion(code)
    return _postpone(promotion=promotion, why=_said(why), by=by, now=now or database_time())


@transaction.atomic
def resume(
    *, code: str, why: str, by: Actor, reseal: bool = False, new_seed: bool = False, now: datetime | None = None
) -> Promotion:
    """Validated: it goes on where it stood. *reseal*: the list is void and sealed anew; *new_seed*: so is the promise.

    *why* says how its integrity was validated.
    """
    by.require(INTEGRITY)
    promotion = lock_promotion(code)
    clause = edition_of(promotion).clause("integrity")
    steps.must_allow(Step.RESUME, promotion)
    now, why = now or database_time(), _said(why)
    status = Status(promotion.resumes_as)
    if reseal:
        if status != Status.SEALED:
            raise Conflict("list-not-sealed", f"The entries of {code} were not sealed yet.", clause=clause)
        void_list(promotion, why=why, by=by, now=now)
        status = Status.CLOSED
    draw = current_draw(promotion)
    if new_seed and draw is not None:
        void_attempt(draw=draw, why=why, by=by, now=now)
        draw = None
    if draw is None:
        make_attempt(promotion=promotion, by=by, now=now)
    promotion.status, promotion.resumes_as, promotion.over_reason = status, "", ""
    promotion.save(update_fields=["status", "resumes_as", "over_reason"])
    resumed = Resumed(promotion=code, why=why, as_=status.value, list_void=reseal, new_seed=new_seed)
    record_act(resumed, by=by)
    return promotion


@transaction.atomic
def cancel(*, code: str, why: str, by: Actor, now: datetime | None = None) -> Incident:
    """Give the promotion up because its integrity is compromised; answers the incident with the inspector's notice."""
    by.require(INTEGRITY)
    bar_entries(find_promotion(code).pk)
    promotion = lock_promotion(code)
    new = steps.take(Step.CANCEL, promotion)
    why, now = _said(why), now or database_time()
    _undo_draw(promotion, why=why, by=by, now=now, again=False)
    promotion.status, promotion.cancelled_at, promotion.over_reason = new, now, why
    promotion.resumes_as, promotion.drawn_at = "", None
    promotion.save(update_fields=["status", "cancelled_at", "over_reason", "resumes_as", "drawn_at"])
    record_act(Cancelled(promotion=code, why=why), by=by)
    return _incident(promotion, f"Cancelled: {why}", by=by)


@transaction.atomic
def record_dispute(*, code: str, what: str, by: Actor) -> Incident:
    """A person disputes a decision (17.10, 15.11): the operator decides, and the right to complain is told."""
    by.require(INTEGRITY)
    promotion = find_promotion(code)
    return open_incident(
        kind=DISPUTE[promotion.edition], what=_said(what, field="what"), by=by, subject=promotion.subject
    )


def list_differs(*, promotion: Promotion, differs: str, now: datetime) -> Incident:
    """The list is not the one that was sealed: nobody draws from it. The promotion's row is locked."""
    return _postpone(promotion=promotion, why=f"{differs} Nothing was drawn.", by=GUARD, now=now)


def _postpone(*, promotion: Promotion, why: str, by: Actor, now: datetime) -> Incident:
    before = promotion.status
    new = steps.take(Step.POSTPONE, promotion)
    _undo_draw(promotion, why=why, by=by, now=now, again=True)
    promotion.resumes_as = Status.SEALED if before == Status.DRAWN else Status(before)
    promotion.status, promotion.over_reason, promotion.drawn_at = new, why, None
    promotion.save(update_fields=["status", "resumes_as", "over_reason", "drawn_at"])
    record_act(Postponed(promotion=promotion.code, why=why, from_=before), by=by)
    return _incident(promotion, f"Postponed: {why}", by=by)


def _undo_draw(promotion: Promotion, *, why: str, by: Actor, now: datetime, again: bool) -> None:
    """A draw that was made is void, unless something of it has been paid. A promise that was not used stands."""
    draw = current_draw(promotion)
    if draw is None or (again and draw.drawn_at is None):
        return
    won = Win.objects.select_for_update(of=("self",)).filter(pick__draw=draw).select_related("prize", "promotion")
    if any(win.status == "paid" for win in won):
        raise Conflict(
            "prizes-paid",
            f"Prizes of {promotion.code} have been paid: its draw stands. Record a dispute, or an incident.",
            clause=edition_of(promotion).clause("integrity"),
        )
    for win in won:
        if win.status != "lost":
            wins.lose(win=win, by=by, now=now)
    draw.promotion = promotion
    void_attempt(draw=draw, why=why, by=by, now=now)


def _incident(promotion: Promotion, what: str, *, by: Actor) -> Incident:
    return open_incident(kind=COMPROMISED[promotion.edition], what=what, by=by, subject=promotion.subject)


def _said(why: str, *, field: str = "why") -> str:
    if not why.strip():
        raise Refusal("reason-missing", "Say what happened, in a sentence: it stays on record.", field=field)
    return why.strip()
