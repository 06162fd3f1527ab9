"""Games that were settled on wrong numbers and settled again, and what had been paid by then (12.1)."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q, Value

from keno.models.fields import nothing
from keno.models.games import Game
from keno.models.tickets import Ticket
from ledger.fields import MoneyField

_APPEND_ONLY = pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)


class Resettlement(models.Model):
    """A mechanical game whose balls had been recorded wrongly, settled again by two people. Once: what is wrong after
    that is a dispute (14.6)."""

    game = models.OneToOneField(Game, models.PROTECT, related_name="resettlement")
    recorded = ArrayField(models.SmallIntegerField(), help_text="what it had been settled on")
    numbers = ArrayField(models.SmallIntegerField(), help_text="the balls that came out")
    totals = models.JSONField(help_text="what it had come to on the wrong numbers")
    why = models.TextField()
    proposal = models.OneToOneField("house.Proposal", models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(recorded__len=20, numbers__len=20) & ~Q(recorded=F("numbers")),
                name="keno_resettlement_of_twenty",
            ),
            models.CheckConstraint(condition=~Q(why=""), name="keno_resettlement_says_why"),
        ]
        triggers: ClassVar = [_APPEND_ONLY]


class Correction(models.Model):
    """What a ticket had been paid for the game before it was settled again, and what the right numbers give: more was
    an overpayment, less an underpayment, which is owed as a prize of its own."""

    resettlement = models.ForeignKey(Resettlement, models.PROTECT, related_name="corrections", db_index=False)
    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="corrections")
    kind = models.CharField(max_length=16, help_text="prize or bonus")
    paid = MoneyField()
    owed = MoneyField(default=nothing)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["resettlement", "ticket", "kind"], name="keno_correction_once"),
            models.CheckConstraint(
                condition=Q(paid__gt=Value(0), owed__gte=Value(0), kind__in=["prize", "bonus"]),
                name="keno_correction_of_a_payment",
            ),
        ]
        triggers: ClassVar = [_APPEND_ONLY]
