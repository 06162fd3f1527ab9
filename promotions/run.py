"""Starting and closing a promotion, by the clock or by hand, and cancelling one that has not started.

After the start a promotion is cancelled only where its integrity is compromised (17.11, 15.12): `promotions.integrity`.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction

from draws.commit import is_public
from house.log import record_act
from house.times import for_people
from kernel.actors import Actor, system
from kernel.refusal import Conflict, Refusal
from promotions import steps
from promotions.acts.terms import Cancelled, Closed, Started
from promotions.attempts import promise, promise_of, reveal
from promotions.lifecycle import Step
from promotions.locks import bar_entries, database_time, find_promotion, lock_promotion
from promotions.models import Entry, Promotion, TermsVersion
from promotions.permissions import SUBMIT
from promotions.rules.editions import SUBMITTED_BEFORE
from promotions.versions import edition_of

CLERK: Final = system("promotions")


def start_promotion(*, code: str, by: Actor, now: datetime | None = None) -> Promotion:
    by.require(SUBMIT)
    return start(code=code, by=by, now=now)


@transaction.atomic
def start(*, code: str, by: Actor = CLERK, now: datetime | None = None) -> Promotion:
    """Begin to take entries: not before its time, and not before the regulator has had the terms for 24 hours.

    And not before the promise of its draw is public: made here where it is not made yet, it is under a head that the
    witness has cosigned a moment later. Until then the promotion stays submitted, and the tick starts it.
    """
    promotion = lock_promotion(code)
    clause = edition_of(promotion).clause("submission")
    new = steps.take(Step.START, promotion)
    now = now or database_time()
    assert promotion.submitted_at is not None
    assert promotion.starts_at is not None
    assert promotion.closes_at is not None
    earliest = promotion.submitted_at + SUBMITTED_BEFORE
    if now < earliest:
        raise Conflict(
            "submitted-too-recently",
            f"The terms were submitted less than 24 hours ago: {code} starts {for_people(earliest)} at the earliest.",
            clause=clause,
        )
    if now < promotion.starts_at:
        raise Conflict(
            "not-its-time",
            f"By its terms {code} starts {for_people(promotion.starts_at)}.",
            clause=edition_of(promotion).particular("7.7"),
        )
    if not is_public(promise(promotion=promotion, by=by, now=now)):
        return promotion
    promotion.status, promotion.started_at = new, now
    promotion.save(update_fields=["status", "started_at"])
    version = TermsVersion.objects.filter(promotion=promotion).latest("number")
    version.in_force_from = now
    version.save(update_fields=["in_force_from"])
    record_act(Started(promotion=code, version=version.number), by=by)
    return promotion


def close_promotion(*, code: str, by: Actor, now: datetime | None = None) -> Promotion:
    by.require(SUBMIT)
    return close(code=code, by=by, now=now)


@transaction.atomic
def close(*, code: str, by: Actor = CLERK, now: datetime | None = None) -> Promotion:
    """Wait for the entries under way and take no more: at the time the terms state (17.7.6), not before."""
    bar_entries(find_promotion(code).pk)
    promotion = lock_promotion(code)
    clause = edition_of(promotion).particular("7.6")
    promotion.status = steps.take(Step.CLOSE, promotion)
    now = now or database_time()
    assert promotion.closes_at is not None
    if now < promotion.closes_at:
        raise Conflict(
            "not-its-time",
            f"By its terms {code} takes entries until {for_people(promotion.closes_at)}: amend them first.",
            clause=clause,
        )
    promotion.closed_at = now
    promotion.save(update_fields=["status", "closed_at"])
    entries = Entry.objects.filter(promotion=promotion, withdrawn_at=None).count()
    record_act(Closed(promotion=code, closed_at=now, entries=entries), by=by)
    return promotion


@transaction.atomic
def cancel_promotion(*, code: str, why: str, by: Actor, now: datetime | None = None) -> Promotion:
    """Give up a promotion that has not started. Nobody has entered, so nobody is owed anything."""
    by.require(SUBMIT)
    promotion = lock_promotion(code)
    status = steps.take(Step.GIVE_UP, promotion)
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    promotion.status = status
    promotion.cancelled_at, promotion.over_reason = now or database_time(), why.strip()
    promotion.save(update_fields=["status", "cancelled_at", "over_reason"])
    record_act(Cancelled(promotion=code, why=promotion.over_reason), by=by)
    promised = promise_of(promotion)
    if promised is not None:  # nothing depends on it any more
        reveal(promised, by=by)
    return promotion
