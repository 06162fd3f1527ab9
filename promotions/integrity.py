"""Integrity in doubt (17.11, 15.12): a promotion or its draw is postponed until it is validated, or cancelled.

Either opens an incident with the inspector's notice on its clock: at once (2019), within 48 hours (2025). So it is
before the witness is asked: the promise stands, a list found wrong is sealed anew, and neither helps anybody, since
nobody knows yet what either will give. From asking on it takes two people and the inspector: `promotions.void`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from house.incidents import open_incident
from house.log import record_act
from house.models import Incident, IncidentStatus
from kernel.actors import Actor, system
from kernel.refusal import Conflict, Refusal
from promotions import steps
from promotions.acts.terms import Cancelled, Postponed, Resumed
from promotions.attempts import promise_of, reveal, was_asked
from promotions.incident_kinds import COMPROMISED, DISPUTE, DRAW_WAITS
from promotions.lifecycle import Status, Step
from promotions.locks import bar_entries, database_time, find_promotion, lock_promotion
from promotions.models import Promotion
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
    """Validated: it goes on where it stood. *reseal*: the list is void, corrected and sealed anew.

    *why* says how its integrity was validated. *new_seed* is refused: nobody gets another promise.
    """
    by.require(INTEGRITY)
    promotion = lock_promotion(code)
    clause = edition_of(promotion).clause("integrity")
    steps.must_allow(Step.RESUME, promotion)
    now, why = now or database_time(), _said(why)
    status = Status(promotion.resumes_as)
    if new_seed:
        raise Conflict(
            "promise-stands",
            f"The draw of {code} is promised once: every attempt follows from that promise.",
            clause=clause,
        )
    if reseal:
        if status != Status.SEALED:
            raise Conflict("list-not-sealed", f"The entries of {code} were not sealed yet.", clause=clause)
        if was_asked(promotion):
            raise Conflict(
                "list-asked-about",
                f"The witness has been asked about the list of {code}: it stands, and every attempt is drawn from it.",
                clause=clause,
            )
        void_list(promotion, why=why, by=by, now=now)
        status = Status.CLOSED
    promotion.status, promotion.resumes_as, promotion.over_reason = status, "", ""
    promotion.save(update_fields=["status", "resumes_as", "over_reason"])
    record_act(Resumed(promotion=code, why=why, as_=status.value, list_void=reseal), by=by)
    return promotion


@transaction.atomic
def cancel(*, code: str, why: str, by: Actor, now: datetime | None = None) -> Incident:
    """Give the promotion up because its integrity is compromised; answers the incident with the inspector's notice."""
    by.require(INTEGRITY)
    bar_entries(find_promotion(code).pk)
    promotion = lock_promotion(code)
    new = steps.take(Step.CANCEL, promotion)
    why, now = _said(why), now or database_time()
    before = promotion.status
    promotion.status, promotion.cancelled_at, promotion.over_reason = new, now, why
    promotion.resumes_as = ""
    promotion.save(update_fields=["status", "cancelled_at", "over_reason", "resumes_as"])
    promised = promise_of(promotion)
    if promised is not None:  # nothing depends on it any more
        reveal(promised, by=by)
    return stopped(promotion=promotion, before=before, why=why, by=by)


@transaction.atomic
def record_dispute(*, code: str, what: str, by: Actor) -> Incident:
    """A person disputes a decision (17.10, 15.11): the operator decides, and the right to complain is told."""
    by.require(INTEGRITY)
    promotion = find_promotion(code)
    return open_incident(
        kind=DISPUTE[promotion.edition], what=_said(what, field="what"), by=by, subject=promotion.subject
    )


def list_differs(*, promotion: Promotion, differs: str, now: datetime) -> Incident:
    """The list is not the one that was sealed: nobody is asked about it. The promotion's row is locked."""
    return _postpone(promotion=promotion, why=f"{differs} Nothing was drawn.", by=GUARD, now=now)


def list_differs_after_asking(*, promotion: Promotion, differs: str) -> None:
    """The list was touched between asking and drawing. Nothing is drawn; nobody alone may stop the attempt either."""
    _once(
        promotion,
        COMPROMISED[promotion.edition],
        f"{differs} The witness has been asked: nothing is drawn until the list is the sealed one again, or the "
        "attempt is declared void.",
    )


def draw_waits(*, promotion: Promotion) -> None:
    """The witness is away: the draw waits, and somebody should know."""
    _once(
        promotion,
        DRAW_WAITS,
        f"The draw of {promotion.code} waits for the witness, which does not answer. It is asked again every second; "
        "if it stays away, an inspector throws dice in its place, before the scrutineer.",
    )


@transaction.atomic
def _once(promotion: Promotion, kind: str, what: str) -> None:
    """One incident at a time: a draw is tried again every second."""
    Promotion.objects.select_for_update().get(pk=promotion.pk)
    if not Incident.objects.filter(kind=kind, subject=promotion.subject, status=IncidentStatus.OPEN).exists():
        open_incident(kind=kind, what=what, by=GUARD, subject=promotion.subject)


def _postpone(*, promotion: Promotion, why: str, by: Actor, now: datetime) -> Incident:
    before = promotion.status
    new = steps.take(Step.POSTPONE, promotion)
    promotion.status, promotion.resumes_as, promotion.over_reason = new, Status(before), why
    promotion.save(update_fields=["status", "resumes_as", "over_reason"])
    return stopped(promotion=promotion, before=before, why=why, by=by)


def stopped(*, promotion: Promotion, before: str, why: str, by: Actor) -> Incident:
    """It is on record, and the inspector's notice is owed."""
    if promotion.status == Status.CANCELLED:
        record_act(Cancelled(promotion=promotion.code, why=why), by=by)
        what = f"Cancelled: {why}"
    else:
        record_act(Postponed(promotion=promotion.code, why=why, from_=before), by=by)
        what = f"Postponed: {why}"
    return open_incident(kind=COMPROMISED[promotion.edition], what=what, by=by, subject=promotion.subject)


def _said(why: str, *, field: str = "why") -> str:
    if not why.strip():
        raise Refusal("reason-missing", "Say what happened, in a sentence: it stays on record.", field=field)
    return why.strip()
