"""A promotion, its terms in versions, its prizes, and what the regulator was sent.

Terms are data (`promotions.rules.terms` says of what form). A version can be edited until it is submitted; from then on
its row and its prizes stand, and a change is the next version.
"""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value

from kernel.checks import one_of, together
from ledger.fields import MoneyField
from promotions.lifecycle import CHANGES, Status

KEPT = pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)
APPEND_ONLY = pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)


class Statuses(models.TextChoices):
    """The words of `promotions.lifecycle.Status`, for the database."""

    DRAFT = Status.DRAFT.value
    SUBMITTED = Status.SUBMITTED.value
    RUNNING = Status.RUNNING.value
    CLOSED = Status.CLOSED.value
    SEALED = Status.SEALED.value
    DRAWING = Status.DRAWING.value
    DRAWN = Status.DRAWN.value
    FINISHED = Status.FINISHED.value
    POSTPONED = Status.POSTPONED.value
    CANCELLED = Status.CANCELLED.value


class Edition(models.TextChoices):
    """Which edition of the rule it is run under; what differs is data (`promotions.rules.editions`)."""

    NSW_2019 = "2019", "2019 (rule 15)"
    NSW_2025 = "2025", "2025 (rule 17)"


class PrizeKind(models.TextChoices):
    MONEY = "money"
    VOUCHER = "voucher"
    CASINO_DOLLARS = "casino-dollars"
    SLOTS_DOLLARS = "slots-dollars"
    APPLIANCE = "appliance", "machinery or electric appliance"
    VEHICLE = "vehicle", "motor vehicle"
    TRAVEL = "travel"
    REAL_ESTATE = "real-estate", "real estate"
    GOODS = "goods", "other goods or services"


class Promotion(models.Model):
    """One promotion. Its window is the one of the terms in force, written here so that the clock can find it."""

    code = models.CharField(max_length=32, unique=True)
    edition = models.CharField(max_length=8, choices=Edition.choices)
    title = models.CharField(max_length=160)
    status = models.CharField(max_length=16, choices=Statuses.choices, default=Status.DRAFT)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    # As the terms last submitted or in force say; unknown while it is drafted.
    starts_at = models.DateTimeField(null=True)
    closes_at = models.DateTimeField(null=True)
    draw_at = models.DateTimeField(null=True)
    # What happened: the last submission before the start, the start, the close.
    submitted_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    drawn_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    resumes_as = models.CharField(max_length=16, blank=True, help_text="where it goes on after being postponed")
    over_reason = models.TextField(blank=True, help_text="why it was postponed or cancelled")
    cancelled_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True, help_text="when the entrants' personal data was deleted")

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar = [
            one_of("edition", Edition, name="promotions_promotion_edition_known"),
            one_of("status", Statuses, name="promotions_promotion_status_known"),
            models.CheckConstraint(
                condition=Q(code__regex=r"^[A-Z][A-Z0-9-]{0,31}$"), name="promotions_promotion_code_plain"
            ),
            models.CheckConstraint(
                condition=Q(starts_at__isnull=True) | Q(starts_at__lt=F("closes_at"), closes_at__lte=F("draw_at")),
                name="promotions_promotion_window",
            ),
            together("starts_at", "closes_at", "draw_at", name="promotions_promotion_window_whole"),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "cancelled"]) | Q(submitted_at__isnull=False, starts_at__isnull=False),
                name="promotions_promotion_submitted_when",
            ),
            # 17.12, 15.9: the regulator has the terms 24 hours before the start.
            models.CheckConstraint(
                condition=Q(started_at__isnull=True) | Q(started_at__gte=F("submitted_at") + timedelta(hours=24)),
                name="promotions_promotion_24_hours",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "submitted"], started_at__isnull=True)
                | Q(
                    status__in=["running", "closed", "sealed", "drawing", "drawn", "finished", "postponed"],
                    started_at__isnull=False,
                )
                | Q(status="cancelled"),
                name="promotions_promotion_started_when",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["draft", "submitted", "running"], closed_at__isnull=True)
                | Q(status__in=["closed", "sealed", "drawing", "drawn", "finished"], closed_at__isnull=False)
                | Q(status__in=["postponed", "cancelled"]),
                name="promotions_promotion_closed_when",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["drawn", "finished"], drawn_at__isnull=False)
                | (~Q(status__in=["drawn", "finished"]) & Q(drawn_at__isnull=True)),
                name="promotions_promotion_drawn_when",
            ),
            models.CheckConstraint(
                condition=Q(status="finished", finished_at__isnull=False)
                | (~Q(status="finished") & Q(finished_at__isnull=True)),
                name="promotions_promotion_finished_when",
            ),
            models.CheckConstraint(
                condition=(Q(status="cancelled", cancelled_at__isnull=False) & ~Q(over_reason=""))
                | (~Q(status="cancelled") & Q(cancelled_at__isnull=True)),
                name="promotions_promotion_cancelled_why",
            ),
            models.CheckConstraint(
                condition=(Q(status="postponed", resumes_as__in=["running", "closed", "sealed"]) & ~Q(over_reason=""))
                | (~Q(status="postponed") & Q(resumes_as="")),
                name="promotions_promotion_postponed_why",
            ),
            models.CheckConstraint(
                condition=Q(erased_at__isnull=True) | Q(status__in=["finished", "cancelled"]),
                name="promotions_promotion_erased_when_over",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["status", "id"],
                condition=~Q(status__in=["finished", "cancelled"]),
                name="promotions_unfinished",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(name="named_for_good", fields=["code", "edition", "made_at", "made_by"]),
            pgtrigger.FSM(name="transitions", field="status", transitions=CHANGES),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def subject(self) -> str:
        """What the log calls it."""
        return f"promotion:{self.code}"


class TermsVersion(models.Model):
    """The terms at one time. *in_force_from* is when players were to see them; the latest past one is in force."""

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="versions")
    number = models.SmallIntegerField()
    data = models.JSONField(help_text="as promotions.rules.terms reads them")
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    why = models.TextField(blank=True, help_text="what an amendment changes, and why")
    submitted_at = models.DateTimeField(null=True)
    submitted_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # 2019: the authority's approval of an amendment (15.9.1).
    approved_at = models.DateTimeField(null=True)
    approved_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    in_force_from = models.DateTimeField(null=True)

    class Meta:
        ordering = ("promotion", "number")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["promotion", "number"], name="promotions_termsversion_numbered"),
            models.CheckConstraint(condition=Q(number__gte=1), name="promotions_termsversion_from_one"),
            together("submitted_at", "submitted_by", name="promotions_termsversion_submitted"),
            together("approved_at", "approved_by", name="promotions_termsversion_approved"),
            models.CheckConstraint(
                condition=Q(in_force_from__isnull=True) | Q(submitted_at__isnull=False),
                name="promotions_termsversion_submitted_first",
            ),
            # One at a time is being written.
            models.UniqueConstraint(
                fields=["promotion"], condition=Q(submitted_at__isnull=True), name="promotions_termsversion_one_draft"
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            # What the regulator has been sent stands.
            pgtrigger.Protect(
                name="as_submitted",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.submitted_at IS NOT NULL AND (NEW.promotion_id, NEW.number, NEW.data, NEW.made_at,"
                    " NEW.made_by, NEW.why, NEW.submitted_at, NEW.submitted_by) IS DISTINCT FROM (OLD.promotion_id,"
                    " OLD.number, OLD.data, OLD.made_at, OLD.made_by, OLD.why, OLD.submitted_at, OLD.submitted_by)"
                ),
            ),
            pgtrigger.Protect(
                name="in_force_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__in_force_from__isnull=False),
            ),
        ]


class Prize(models.Model):
    """One prize of one version of the terms, in the order of drawing; *quantity* of it are drawn, one after another."""

    version = models.ForeignKey(TermsVersion, models.PROTECT, related_name="prizes")
    place = models.SmallIntegerField(help_text="from 1: the order in which prizes are drawn")
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=16, choices=PrizeKind.choices)
    value = MoneyField(help_text="of one of them")
    quantity = models.IntegerField(default=1)
    alternates = models.SmallIntegerField(default=0, help_text="reserve winners drawn for each of them")
    # What a winner of a non-monetary prize may take instead; empty where the terms offer nothing (17.3, 15.3).
    alternative = MoneyField(null=True)
    # How it is handed over or paid, of cash, cheque, eft, … (`promotions.rules.editions`), and its other particulars.
    payment = models.JSONField()
    details = models.JSONField()

    class Meta:
        ordering = ("version", "place")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["version", "place"], name="promotions_prize_place"),
            one_of("kind", PrizeKind, name="promotions_prize_kind_known"),
            models.CheckConstraint(
                condition=Q(place__gte=1, quantity__gte=1, alternates__gte=0, value__gt=Value(0)),
                name="promotions_prize_possible",
            ),
            models.CheckConstraint(
                condition=Q(alternative__isnull=True)
                | (Q(alternative__gt=Value(0)) & ~Q(kind__in=["money", "casino-dollars"])),
                name="promotions_prize_alternative",
            ),
        ]
        triggers: ClassVar = [APPEND_ONLY]


class Reason(models.TextChoices):
    BEFORE_START = "before-start"
    FOR_APPROVAL = "for-approval"  # 2019: an amendment after the start, waiting for approval (15.9.1)
    AMENDED = "amended"  # 2025: an amendment in force, re-submitted (17.12.1)


class Submission(models.Model):
    """One notice to the regulator, with the terms as they were rendered then (17.12, 15.9)."""

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="submissions")
    version = models.OneToOneField(TermsVersion, models.PROTECT, related_name="submission")
    reason = models.CharField(max_length=16, choices=Reason.choices)
    to = models.CharField(max_length=80)
    how = models.CharField(max_length=80)
    reference = models.CharField(max_length=120, blank=True, help_text="the regulator's, where there is one")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)
    pdf = models.BinaryField()
    sha256 = models.CharField(max_length=64)

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar = [
            one_of("reason", Reason, name="promotions_submission_reason_known"),
            models.CheckConstraint(condition=Q(sha256__regex=r"^[0-9a-f]{64}$"), name="promotions_submission_hash"),
            models.CheckConstraint(condition=~Q(to="") & ~Q(how=""), name="promotions_submission_named"),
        ]
        triggers: ClassVar = [APPEND_ONLY]
