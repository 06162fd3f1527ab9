"""The regulator gets the terms, at least 24 hours before the start (17.12, 15.9): a notice with the terms on paper."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256

from django.db import transaction

from house.log import record_act
from house.persons import is_another
from kernel.actors import Actor
from kernel.refusal import Forbidden, Refusal
from ledger.models import Act
from promotions import steps
from promotions.acts.terms import Drafted, Edited, Submitted
from promotions.lifecycle import Step
from promotions.locks import database_time, lock_promotion
from promotions.models import Promotion, Reason, Submission, TermsVersion
from promotions.permissions import SUBMIT
from promotions.rules.editions import SUBMITTED_BEFORE
from promotions.rules.prohibited import hints, must_be_confirmed
from promotions.rules.terms import Terms
from promotions.terms_pdf import terms_pdf
from promotions.versions import draft_of, edition_of, terms_of, write_prizes


@transaction.atomic
def submit_promotion(
    *,
    code: str,
    by: Actor,
    how: str = "email",
    reference: str = "",
    goods_confirmed: bool = False,
    now: datetime | None = None,
) -> Submission:
    """Record that the regulator was sent the terms. Refused while anything is missing, or too late for their start.

    By another person than those who wrote them. *goods_confirmed*: he has looked at every prize, and what it holds of
    prohibited goods is declared.
    """
    by.require(SUBMIT)
    promotion = lock_promotion(code)
    rules = edition_of(promotion)
    promotion.status = steps.take(Step.SUBMIT, promotion)
    version = draft_of(promotion)
    terms = terms_of(version)
    _refuse_own(promotion, by)
    if must_be_confirmed(version.data) and not goods_confirmed:
        found = hints(version.data)
        raise Refusal(
            "goods-not-confirmed",
            " ".join(["Look at every prize, and confirm that prohibited goods are declared.", *found]),
            clause=rules.clause("prohibited"),
            field="goods_confirmed",
            hints=found,
        )
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
    promotion.save(update_fields=["status", "submitted_at", "starts_at", "closes_at", "draw_at"])
    return send(
        promotion,
        version,
        terms,
        reason=Reason.BEFORE_START,
        how=how,
        reference=reference,
        goods_confirmed=goods_confirmed,
        by=by,
        now=now,
    )


def _refuse_own(promotion: Promotion, by: Actor) -> None:
    """What players are promised is not one person's to say: one writes the terms, another submits them."""
    written = Act.objects.filter(subject=promotion.subject, kind__in=[Drafted.kind, Edited.kind])
    if not is_another(by, SUBMIT, *written.values_list("actor", flat=True).distinct()):
        raise Forbidden("same-person", "Another person submits the terms than those who wrote them.")


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
    goods_confirmed: bool = False,
) -> Submission:
    """The notice itself: from here on the version and its prizes stand."""
    how, reference = how.strip(), reference.strip()
    if not 0 < len(how) <= 80 or len(reference) > 120:
        raise Refusal("notice-incomplete", "Say how it was sent (80 characters) and, if any, a reference (120).")
    version.submitted_at, version.submitted_by = now, by.identity
    version.save()
    write_prizes(version, terms.prizes)
    pdf = terms_pdf(promotion, version)
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
    submitted = Submitted(
        promotion=promotion.code,
        version=version.number,
        reason=reason.value,
        to=submission.to,
        how=how,
        reference=reference,
        at=now,
        sha256=submission.sha256,
        terms=version.data,
        goods_confirmed=goods_confirmed,
    )
    record_act(submitted, by=by)
    return submission
