"""The regulator gets the terms, at least 24 hours before the start (17.12, 15.9): a notice with the terms on paper."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.db import transaction

from house import acts
from house.actors import Actor
from house.refusal import Refusal
from promotions import paper
from promotions.clock import database_time
from promotions.lifecycle import Step, after
from promotions.locks import lock_promotion
from promotions.models import Promotion, Reason, Submission, TermsVersion
from promotions.permissions import SUBMIT
from promotions.rules.editions import SUBMITTED_BEFORE
from promotions.rules.terms import Terms
from promotions.versions import draft_of, edition_of, terms_of, write_prizes


@transaction.atomic
def submit_promotion(
    *, code: str, by: Actor, how: str = "email", reference: str = "", now: datetime | None = None
) -> Submission:
    """Record that the regulator was sent the terms. Refused while anything is missing, or too late for their start."""
    by.require(SUBMIT)
    promotion = lock_promotion(code)
    rules = edition_of(promotion)
    promotion.status = after(promotion.status, Step.SUBMIT, code=code, clause=rules.clause("submission"))
    version = draft_of(promotion)
    terms = terms_of(version)
    now = now or database_time()
    if terms.starts_at < now + SUBMITTED_BEFORE:
        raise Refusal(
            "submitted-too-late",
            f"Terms are submitted to {rules.regulator} at least 24 hours before the start: move the start.",
            clause=rules.clause("submission"),
            field="terms.starts_at",
        )
    promotion.submitted_at = now
    take_window(promotion, terms)
    promotion.save()
    return send(promotion, version, terms, reason=Reason.BEFORE_START, how=how, reference=reference, by=by, now=now)


def take_window(promotion: Promotion, terms: Terms) -> None:
    promotion.starts_at, promotion.closes_at, promotion.draw_at = (
        terms.starts_at,
        terms.entries_close_at,
        terms.draw_at,
    )


def send(
    promotion: Promotion,
    version: TermsVersion,
    terms: Terms,
    *,
    reason: Reason,
    how: str,
    reference: str,
    by: Actor,
    now: datetime,
) -> Submission:
    """The notice itself: from here on the version and its prizes stand."""
    how, reference = how.strip(), reference.strip()
    if not 0 < len(how) <= 80 or len(reference) > 120:
        raise Refusal("notice-incomplete", "Say how it was sent (80 characters) and, if any, a reference (120).")
    version.submitted_at, version.submitted_by = now, by.identity
    version.save()
    write_prizes(version, terms.prizes)
    pdf = paper.as_pdf(promotion, version)
    submission = Submission.objects.create(
        promotion=promotion,
        version=version,
        reason=reason,
        to=edition_of(promotion).regulator,
        how=how,
        reference=reference,
        at=now,
        by=by.identity,
        pdf=pdf,
        sha256=sha256(pdf).hexdigest(),
    )
    acts.record(
        kind="promotion.submitted",
        subject=promotion.subject,
        by=by,
        data={
            "version": version.number,
            "reason": str(reason),
            "to": submission.to,
            "how": how,
            "reference": reference,
            "at": now.isoformat(),
            "sha256": submission.sha256,
            "terms": version.data,
        },
    )
    return submission
