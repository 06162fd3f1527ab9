"""Amending the terms after the start, by two people: one amends, which sends the new version to the regulator, and
another decides. 2019: the authority does, by letter (15.9.1). 2025: a second person of the house (17.12.1 asks for no
approval, only that the amendment is submitted again; but what players were promised is not one person's to change).

Every version is kept. What has happened is not amended: the start, and the close once entries have closed.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, Final

from django.db import transaction
from drf_spectacular.utils import extend_schema_field
from rest_framework.serializers import JSONField

from house.approvals import Approvable, Record, Shape, Standing, propose, standing_of
from house.log import record_act
from house.models import Proposal, ProposalStatus
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, NotFound, Refusal
from promotions import steps
from promotions.acts.terms import Amended
from promotions.draft import merged
from promotions.lifecycle import Step
from promotions.locks import bar_entries, database_time, find_promotion, lock_promotion
from promotions.models import Promotion, Reason, TermsVersion
from promotions.permissions import AMEND, DECIDE_TERMS
from promotions.rules.amendments import in_words
from promotions.rules.prohibited import hints, must_be_confirmed
from promotions.rules.terms import Terms, read
from promotions.submit import send, take_window
from promotions.versions import edition_of, in_force, next_number, terms_in_force, terms_of
from web.fields import WholeNumber

KIND: Final = "promotions.amendment"


@transaction.atomic
def amend_promotion(
    *,
    code: str,
    changes: object,
    why: str,
    by: Actor,
    how: str = "email",
    reference: str = "",
    now: datetime | None = None,
) -> TermsVersion:
    """The next version of the terms, sent to the regulator; in force by the decision of its authority, or of a second
    person, as the edition wants."""
    by.require(AMEND)
    bar_entries(find_promotion(code).pk)  # an entry is made under one version, not half under another
    promotion = lock_promotion(code)
    rules = edition_of(promotion)
    steps.must_allow(Step.AMEND, promotion)
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
    propose(kind=KIND, subject=code, new=AMENDMENT_SHAPE.write(_as_amendment(version)), why=version.why, by=by)
    return version


def _put_in_force(version: TermsVersion, terms: Terms, *, by: Actor, now: datetime) -> None:
    promotion = version.promotion
    version.in_force_from = now
    version.save(update_fields=["in_force_from", "approved_at", "approved_by"])
    take_window(promotion, terms)
    promotion.save(update_fields=["starts_at", "closes_at", "draw_at"])
    amended = Amended(
        promotion=promotion.code,
        version=version.number,
        why=version.why,
        terms=version.data,
        goods_confirmed=must_be_confirmed(version.data),  # whoever decides was told so: _describe
    )
    record_act(amended, by=by)


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


# The approval of an amendment


@dataclass(frozen=True, slots=True, kw_only=True)
class Amendment:
    """A version of the terms that was submitted, by its number and in full."""

    version: int
    terms: dict[str, Any]


@extend_schema_field({"type": "object", "description": "The whole of that version, as it was submitted."})
class _Particulars(JSONField):
    default_error_messages: ClassVar = {"not-an-object": "Terms are an object of particulars."}

    def to_internal_value(self, data: object) -> dict[str, object]:
        if not isinstance(data, dict):
            self.fail("not-an-object")
        return data


class AmendmentValue(Record):
    """A version of the terms that was submitted."""

    version = WholeNumber(help_text="Its number, as `promotions/{code}/versions` has it.")
    terms = _Particulars()
    makes = Amendment


def _as_amendment(version: TermsVersion) -> Amendment:
    return Amendment(version=version.number, terms=version.data)


def _current(subject: str) -> Amendment | None:
    version = in_force(find_promotion(subject))
    return None if version is None else _as_amendment(version)


def _find(subject: str, new: Amendment) -> TermsVersion:
    versions = TermsVersion.objects.select_related("promotion")
    version = versions.filter(promotion__code=subject, number=new.version).first()
    if version is None or version.submitted_at is None or new.terms != version.data:
        raise NotFound("no-such-version", "Amend the promotion: that submits a version, which is then decided on.")
    return version


def _check(subject: str, new: Amendment) -> None:
    version = _find(subject, new)
    promotion = version.promotion
    steps.must_allow(Step.AMEND, promotion)
    if version.in_force_from is not None:
        raise Conflict("already-in-force", f"Version {version.number} is in force already.")
    _, old = terms_in_force(promotion)
    _refuse_rewriting(promotion, old, terms_of(version), database_time())


def _hold(subject: str, new: Amendment) -> None:
    bar_entries(find_promotion(subject).pk)


def _apply(proposal: Proposal, new: Amendment, by: Actor) -> None:
    lock_promotion(proposal.subject)
    _check(proposal.subject, new)
    version = _find(proposal.subject, new)
    now = database_time()
    version.approved_at, version.approved_by = now, by.identity
    _put_in_force(version, terms_of(version), by=by, now=now)


def standing(version: TermsVersion) -> Standing | None:
    """By whose word an amendment is in force; None for terms that nobody had to approve."""
    if version.approved_at is None:
        return None
    of_it = Proposal.objects.filter(kind=KIND, subject=version.promotion.code, new__version=version.number)
    return standing_of(of_it.filter(status=ProposalStatus.EFFECTIVE).first(), authority=_authority(version.promotion))


def _authority(promotion: Promotion) -> Authority:
    """15.9.1: the commission's approval. 17.12.1 asks for none: a second person of the house decides."""
    return Authority.COMMISSION if edition_of(promotion).amend_by_approval else Authority.HOUSE


def _describe(subject: str, old: Amendment | None, new: Amendment) -> str:
    """What changes, in words; what players lose by it comes first."""
    before = {} if old is None else old.terms
    said = " ".join([in_words(before, new.terms), *(f"Look: {hint}" for hint in hints(new.terms))])
    if must_be_confirmed(new.terms):
        said += " Who approves it confirms that prohibited goods are declared."
    return f"Promotion {subject}: version {new.version} of its terms instead of {old.version if old else None}. {said}"


AMENDMENT_SHAPE: Final = Shape[Amendment](AmendmentValue())
AMENDMENT = Approvable(
    kind=KIND,
    label="Amended terms of a promotion",
    shape=AMENDMENT_SHAPE,
    authority=lambda subject, new: _authority(find_promotion(subject)),
    permission=DECIDE_TERMS,
    propose_permission=AMEND,
    describe=_describe,
    current=_current,
    check=_check,
    hold=_hold,
    apply=_apply,
)
