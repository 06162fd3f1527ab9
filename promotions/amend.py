"""Amending the terms after the start. 2019: the authority approves first (15.9.1). 2025: in force at once, and
re-submitted in the same moment (17.12.1).

Every version is kept. What has happened is not amended: the start, and the close once entries have closed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction

from house import acts
from house.actors import Actor
from house.approvals import approvable, propose
from house.models import Proposal
from house.refusal import Conflict, NotFound, Refusal
from promotions.clock import database_time
from promotions.draft import merged
from promotions.lifecycle import Status
from promotions.locks import bar_entries, find_promotion, lock_promotion
from promotions.models import Promotion, Reason, TermsVersion
from promotions.permissions import AMEND, DECIDE
from promotions.rules.terms import Terms, read
from promotions.submit import send, take_window
from promotions.versions import edition_of, in_force, next_number, terms_in_force, terms_of

AMENDABLE: Final = frozenset({Status.RUNNING, Status.CLOSED, Status.POSTPONED})
KIND: Final = "promotions.amendment"


@transaction.atomic
def amend_promotion(
    *,
    code: str,
    changes: Any,
    why: str,
    by: Actor,
    how: str = "email",
    reference: str = "",
    now: datetime | None = None,
) -> TermsVersion:
    """The next version of the terms: sent for approval, or in force and re-submitted, as the edition wants."""
    by.require(AMEND)
    bar_entries(find_promotion(code).pk)  # an entry is made under one version, not half under another
    promotion = lock_promotion(code)
    rules = edition_of(promotion)
    _refuse_others(promotion)
    if not why.strip():
        raise Refusal("reason-missing", "Say what is amended and why: it stays on record.", field="why")
    now = now or database_time()
    current, old = terms_in_force(promotion)
    data = merged(current.data, changes)
    if data == current.data:
        raise Refusal("nothing-changes", "The terms say this already.", field="terms")
    terms = read(data, rules)
    _refuse_rewriting(promotion, old, terms, now)
    version = TermsVersion(
        promotion=promotion,
        number=next_number(promotion),
        data=data,
        made_at=now,
        made_by=by.identity,
        why=why.strip(),
    )
    reason = Reason.FOR_APPROVAL if rules.amend_by_approval else Reason.AMENDED
    send(promotion, version, terms, reason=reason, how=how, reference=reference, by=by, now=now)
    if rules.amend_by_approval:
        propose(kind=KIND, subject=code, new=_version_as_data(version), why=version.why, by=by)
    else:
        _put_in_force(version, terms, by=by, now=now)
    return version


def _put_in_force(version: TermsVersion, terms: Terms, *, by: Actor, now: datetime) -> None:
    promotion = version.promotion
    version.in_force_from = now
    version.save(update_fields=["in_force_from", "approved_at", "approved_by"])
    take_window(promotion, terms)
    promotion.save(update_fields=["starts_at", "closes_at", "draw_at"])
    acts.record(
        kind="promotion.amended",
        subject=promotion.subject,
        by=by,
        data={"version": version.number, "why": version.why, "terms": version.data},
    )


def _refuse_others(promotion: Promotion) -> None:
    if promotion.status not in AMENDABLE:
        clause = edition_of(promotion).clause("amendment")
        words = "edit its draft" if promotion.status == Status.DRAFT else "its terms are not amended now"
        raise Conflict(
            f"promotion-{promotion.status}",
            f"Promotion {promotion.code} is {promotion.status}: {words}.",
            clause=clause,
        )


def _refuse_rewriting(promotion: Promotion, old: Terms, new: Terms, now: datetime) -> None:
    rules = edition_of(promotion)
    if new.starts_at != old.starts_at:
        raise Refusal(
            "start-stands",
            "The promotion has started: when it did is not amended.",
            clause=rules.clause("amendment"),
            field="terms.starts_at",
        )
    if new.entries_close_at != old.entries_close_at and (promotion.closed_at or new.entries_close_at <= now):
        raise Refusal(
            "close-stands",
            "Entries have closed, or would have closed already: that is not amended.",
            clause=rules.particular("7.6"),
            field="terms.entries_close_at",
        )


def _version_as_data(version: TermsVersion) -> dict[str, Any]:
    return {"version": version.number, "terms": version.data}


def _current(subject: str) -> dict[str, Any]:
    version = in_force(find_promotion(subject))
    return {} if version is None else _version_as_data(version)


def _find(subject: str, new: Any) -> TermsVersion:
    number = new.get("version") if isinstance(new, dict) else None
    version = (
        TermsVersion.objects.select_related("promotion").filter(promotion__code=subject, number=number).first()
        if type(number) is int
        else None
    )
    if version is None or version.submitted_at is None or new.get("terms") != version.data:
        raise NotFound("no-such-version", "Amend the promotion: that submits a version, which is then decided on.")
    return version


def _check(subject: str, new: Any) -> None:
    version = _find(subject, new)
    promotion = version.promotion
    _refuse_others(promotion)
    if version.in_force_from is not None:
        raise Conflict("already-in-force", f"Version {version.number} is in force already.")
    _, old = terms_in_force(promotion)
    _refuse_rewriting(promotion, old, terms_of(version), database_time())


def _apply(proposal: Proposal, by: Actor) -> None:
    bar_entries(find_promotion(proposal.subject).pk)
    lock_promotion(proposal.subject)
    version = _find(proposal.subject, proposal.new)
    _check(proposal.subject, proposal.new)
    now = database_time()
    version.approved_at, version.approved_by = now, by.identity
    _put_in_force(version, terms_of(version), by=by, now=now)


approvable(
    kind=KIND,
    label="Amended terms of a promotion",
    permission=DECIDE,
    propose_permission=AMEND,
    describe=lambda subject, old, new: (
        f"Promotion {subject}: the terms of version {new['version']} instead of {old.get('version')}, approved by the "
        "authority."
    ),
    current=_current,
    check=_check,
    apply=_apply,
)
