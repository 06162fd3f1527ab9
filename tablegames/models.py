"""What is stored of table games: tables with their approved signs, checks of hands, and what went wrong with money."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Now

from kernel.checks import one_of, together
from kernel.money import Money
from ledger.fields import MoneyField
from tablegames.acts import payment_error_subject, table_subject
from tablegames.rules.payment_errors import Direction, Intent, Status, Step
from tablegames.rules.signs import MarkerKind


def kept_for_good() -> pgtrigger.Trigger:
    return pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)


def append_only() -> pgtrigger.Trigger:
    return pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)


class GamingTable(models.Model):
    """A table where one game is played. What it pays is what its sign says (``tables.py``)."""

    code = models.TextField(unique=True)
    game = models.TextField()
    opened_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("code",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z][A-Z0-9-]{0,15}$"), name="tablegames_table_code"),
        ]
        triggers: ClassVar = [kept_for_good()]

    def __str__(self) -> str:
        return self.code

    @property
    def subject(self) -> str:
        """What the log and approvals call the table."""
        return table_subject(self.code)


class Check(models.Model):
    """A settled hand, looked at again: what was entered, what was owed, what was paid. Never changed."""

    table = models.ForeignKey(GamingTable, models.PROTECT, null=True, related_name="checks")
    game = models.TextField()
    terms = models.JSONField(help_text="what the sign said")
    entered = models.JSONField(help_text="wagers, cards or outcome, choices")
    owed = models.JSONField(help_text="line by line, with clauses")
    paid = models.JSONField(help_text="by wager: what was paid, and what of the stake went back")
    difference = MoneyField(help_text="paid beyond what was owed; below zero where too little")
    box = models.IntegerField(null=True, help_text="whose limits counted, where players have markers")
    player_card = models.TextField(blank=True, db_default="")
    note = models.TextField(blank=True, db_default="")
    day = models.DateField()
    happened_at = models.DateTimeField()
    at = models.DateTimeField(db_default=Now())
    by = models.TextField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["day", "-id"], name="tablegames_check_by_day")]
        triggers: ClassVar = [append_only()]


class Cause(models.TextChoices):
    """14.16: what was not settled correctly."""

    WAGER = "wager"
    CASH_CHANGE = "cash-change"
    COLOUR_CHANGE = "colour-change"


def _choices(kind: type) -> list[tuple[str, str]]:
    return [(str(each), str(each)) for each in kind]  # type: ignore[attr-defined]


def _known(field: str, kind: type, *, name: str) -> models.CheckConstraint:
    return models.CheckConstraint(condition=Q(**{f"{field}__in": [str(each) for each in kind]}), name=name)  # type: ignore[attr-defined]


class PaymentError(models.Model):
    """An over- or underpayment, from its finding to its end (nsw-csp:14.16–14.19)."""

    check_of = models.ForeignKey(Check, models.PROTECT, null=True, related_name="errors")
    wager = models.TextField(blank=True, db_default="", help_text="of the hand that was checked")
    cause = models.TextField(choices=Cause.choices)
    table = models.ForeignKey(GamingTable, models.PROTECT, null=True, related_name="errors")
    direction = models.TextField(choices=_choices(Direction))
    amount = MoneyField()
    rectified = MoneyField(db_default=Value(0), help_text="reimbursed or returned so far")
    intent = models.TextField(choices=_choices(Intent), db_default=str(Intent.NOT_DECIDED))
    enquiries = models.TextField(blank=True, db_default="", help_text="what was found out about the intent")
    status = models.TextField(choices=_choices(Status), db_default=str(Status.OPEN))
    player_card = models.TextField(blank=True, db_default="")
    what = models.TextField()
    incident = models.ForeignKey("house.Incident", models.PROTECT, related_name="+")
    day = models.DateField(help_text="the gaming day on which it was found")
    found_at = models.DateTimeField(db_default=Now())
    found_by = models.TextField()
    closed_at = models.DateTimeField(null=True)
    closed_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    outcome = models.TextField(blank=True, db_default="", help_text="what came of it, in words")

    class Meta:
        constraints: ClassVar = [
            one_of("cause", Cause, name="tablegames_error_cause"),
            _known("direction", Direction, name="tablegames_error_direction"),
            _known("intent", Intent, name="tablegames_error_intent"),
            _known("status", Status, name="tablegames_error_status"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="tablegames_error_amount"),
            models.CheckConstraint(
                condition=Q(rectified__gte=Value(0)) & Q(rectified__lte=F("amount")), name="tablegames_error_rectified"
            ),
            together("closed_at", "closed_by", name="tablegames_error_closed_by_somebody"),
            models.CheckConstraint(
                condition=Q(status="open", closed_at__isnull=True) | (~Q(status="open") & Q(closed_at__isnull=False)),
                name="tablegames_error_closed_when",
            ),
            models.CheckConstraint(
                condition=Q(status="rectified", rectified=F("amount"))
                | (~Q(status="rectified") & Q(rectified__lt=F("amount"))),
                name="tablegames_error_rectified_in_full",
            ),
            models.CheckConstraint(
                condition=Q(cause="wager") | Q(check_of__isnull=True), name="tablegames_error_of_a_check"
            ),
            # Each wager by itself: too much on one and too little on another are two.
            models.UniqueConstraint(fields=["check_of", "wager"], name="tablegames_error_once_a_wager"),
            models.CheckConstraint(condition=~Q(what=""), name="tablegames_error_says_what"),
            models.CheckConstraint(
                condition=Q(intent="not-decided") | ~Q(enquiries=""), name="tablegames_error_intent_says_why"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["status", "-id"], name="tablegames_error_by_status")]
        triggers: ClassVar = [kept_for_good()]

    @property
    def outstanding(self) -> Money:
        """What is not yet reimbursed or returned."""
        return Money(self.amount.micros - self.rectified.micros)

    @property
    def subject(self) -> str:
        return payment_error_subject(self.pk)


class ErrorStep(models.Model):
    """Something that was tried, or money that was paid or returned (14.18). Never changed."""

    error = models.ForeignKey(PaymentError, models.PROTECT, related_name="steps")
    kind = models.TextField(choices=_choices(Step))
    how = models.TextField()
    succeeded = models.BooleanField()
    amount = MoneyField(null=True, help_text="where money changed hands")
    reference = models.TextField(blank=True, db_default="")
    at = models.DateTimeField()
    by = models.TextField()

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            _known("kind", Step, name="tablegames_step_kind"),
            models.CheckConstraint(condition=~Q(how=""), name="tablegames_step_says_how"),
            models.CheckConstraint(
                condition=Q(amount__isnull=True)
                | (Q(amount__gt=Value(0)) & Q(succeeded=True) & Q(kind__in=["reimburse", "request-return"])),
                name="tablegames_step_money",
            ),
        ]
        triggers: ClassVar = [append_only()]


class Seat(models.Model):
    """A player at a box of a table, from sitting down to leaving. Whoever plays is known when limits change (6.5.1)."""

    table = models.ForeignKey(GamingTable, models.PROTECT, related_name="seats")
    box = models.IntegerField()
    player_card = models.TextField(blank=True, db_default="")
    since = models.DateTimeField()
    by = models.TextField()
    left_at = models.DateTimeField(null=True)
    left_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("box", "id")
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(box__gte=1, box__lte=30), name="tablegames_seat_box"),
            together("left_at", "left_by", name="tablegames_seat_left_by_somebody"),
            models.UniqueConstraint(
                fields=["table", "box", "player_card"],
                condition=Q(left_at__isnull=True),
                name="tablegames_seat_taken_once",
            ),
        ]
        triggers: ClassVar = [kept_for_good()]


class SignNotice(models.Model):
    """A notice at a table: limits that will hold from a moment on, or the time of its closing (6.5, 16.13)."""

    table = models.ForeignKey(GamingTable, models.PROTECT, related_name="notices")
    limits = models.JSONField(null=True, help_text="none: it is a notice of closing")
    shown_at = models.DateTimeField()
    takes_effect_at = models.DateTimeField()
    by = models.TextField()
    taken_down_at = models.DateTimeField(null=True)
    taken_down_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            together("taken_down_at", "taken_down_by", name="tablegames_notice_down_by_somebody"),
            models.CheckConstraint(
                condition=Q(takes_effect_at__gte=F("shown_at")), name="tablegames_notice_before_it_holds"
            ),
        ]
        triggers: ClassVar = [kept_for_good()]


class SignMarker(models.Model):
    """At a player's box: he stays on the old minimum (6.5.1.1), or has limits of his own (6.6)."""

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="markers")
    kind = models.TextField(choices=_choices(MarkerKind))
    limits = models.JSONField()
    placed_at = models.DateTimeField()
    by = models.TextField()
    removed_at = models.DateTimeField(null=True)
    removed_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            _known("kind", MarkerKind, name="tablegames_marker_kind"),
            together("removed_at", "removed_by", name="tablegames_marker_removed_by_somebody"),
            models.UniqueConstraint(
                fields=["seat", "kind"], condition=Q(removed_at__isnull=True), name="tablegames_marker_once"
            ),
        ]
        triggers: ClassVar = [kept_for_good()]


class TimeCharge(models.Model):
    """Commission by time, paid in advance and never given back (act-pk:14.3)."""

    seat = models.ForeignKey(Seat, models.PROTECT, related_name="time_charges")
    periods = models.IntegerField()
    amount = MoneyField()
    paid_at = models.DateTimeField()
    from_at = models.DateTimeField()
    until = models.DateTimeField()
    by = models.TextField()

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="tablegames_time_charge_amount"),
            models.CheckConstraint(
                condition=Q(from_at__gte=F("paid_at")) & Q(until__gt=F("from_at")), name="tablegames_time_in_advance"
            ),
        ]
        triggers: ClassVar = [append_only()]


class TableClosing(models.Model):
    """From when until when a table was closed."""

    table = models.ForeignKey(GamingTable, models.PROTECT, related_name="closings")
    closed_at = models.DateTimeField()
    by = models.TextField()
    reopened_at = models.DateTimeField(null=True)
    reopened_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            together("reopened_at", "reopened_by", name="tablegames_closing_reopened_by_somebody"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(reopened_at__isnull=True), name="tablegames_closed_once"
            ),
        ]
        triggers: ClassVar = [kept_for_good()]
