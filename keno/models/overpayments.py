"""What was paid and not won, and what became of it: asked back, received, written off."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value

from keno.models.fields import nothing
from keno.models.money import Payment, Shift
from kernel.checks import one_of
from kernel.money import Money
from ledger.fields import MoneyField


class Overpayment(models.Model):
    """Of one payment. *game*: the one that was settled again (12.1); None where more was handed out than was owed."""

    payment = models.ForeignKey(Payment, models.PROTECT, related_name="overpayments", db_index=False)
    game = models.BigIntegerField(null=True)
    amount = MoneyField()
    received = MoneyField(default=nothing)
    written_off = MoneyField(default=nothing)
    why = models.TextField()
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, related_name="+", help_text="by which two said so")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["payment", "game"], name="keno_overpayment_once_a_game"),
            models.UniqueConstraint(
                fields=["payment"], condition=Q(game__isnull=True), name="keno_overpayment_once_at_counter"
            ),
            models.CheckConstraint(
                condition=Q(amount__gt=Value(0), received__gte=Value(0), written_off__gte=Value(0))
                & Q(amount__gte=F("received") + F("written_off")),
                name="keno_overpayment_within",
            ),
            # What is given up is given up whole, and ends it.
            models.CheckConstraint(
                condition=Q(written_off=Value(0)) | Q(amount=F("received") + F("written_off")),
                name="keno_overpayment_ends",
            ),
            models.CheckConstraint(condition=~Q(why=""), name="keno_overpayment_says_why"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="as_recorded", fields=["payment", "game", "amount", "why", "proposal", "at"]),
            pgtrigger.Protect(
                name="written_off_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__written_off__gt=Money(0)),
            ),
        ]

    @property
    def left(self) -> Money:
        left: Money = self.amount - self.received - self.written_off
        return left

    @property
    def subject(self) -> str:
        return f"keno-overpayment:{self.pk}"


class RecoveryKind(models.TextChoices):
    ASKED = "asked"
    RECEIVED = "received"
    WRITTEN_OFF = "written-off"


class AskedHow(models.TextChoices):
    COUNTER = "counter", "At the counter"
    LETTER = "letter", "By letter"
    TELEPHONE = "telephone", "By telephone"
    NOT_FOUND = "not-found", "Whom to ask was not found"


class Recovery(models.Model):
    """One step on the way to have it back."""

    overpayment = models.ForeignKey(Overpayment, models.PROTECT, related_name="steps")
    kind = models.CharField(max_length=16, choices=RecoveryKind.choices)
    how = models.CharField(max_length=16, choices=AskedHow.choices, blank=True)
    amount = MoneyField(default=nothing)
    note = models.TextField(blank=True)
    by = models.CharField(max_length=80)
    at = models.DateTimeField()
    day = models.DateField()
    shift = models.ForeignKey(Shift, models.PROTECT, null=True, related_name="+", db_index=False)
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            one_of("kind", RecoveryKind, name="keno_recovery_kind_known"),
            models.CheckConstraint(
                condition=Q(kind="asked", amount=Value(0), shift__isnull=True, proposal__isnull=True) & ~Q(how="")
                | Q(kind="received", amount__gt=Value(0), shift__isnull=False, proposal__isnull=True, how="")
                | Q(kind="written-off", amount__gt=Value(0), shift__isnull=True, proposal__isnull=False, how=""),
                name="keno_recovery_of_its_kind",
            ),
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]
