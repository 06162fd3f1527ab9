"""Tournaments of any game (act-keno:15, act-cp:16 and their like): approved conditions, entries, places, prizes."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value

from house.models.checks import together, two_people
from ledger.fields import MoneyField
from promotions.models.terms import APPEND_ONLY, KEPT


class TournamentConditions(models.Model):
    """Conditions of entry and play as approved; the latest of a code are in force, unless withdrawn."""

    code = models.CharField(max_length=16)
    value = models.JSONField(null=True, help_text="empty: withdrawn")
    approved_at = models.DateTimeField()
    approved_by = models.CharField(max_length=80)
    proposal = models.BigIntegerField(null=True)

    class Meta:
        ordering = ("id",)
        indexes: ClassVar = [models.Index(fields=["code", "-id"], name="promotions_conditions_of")]
        triggers: ClassVar = [APPEND_ONLY]


class Tournament(models.Model):
    """One tournament, from its first entry on; it is played under the conditions of that moment."""

    code = models.CharField(max_length=16, unique=True)
    conditions = models.ForeignKey(TournamentConditions, models.PROTECT, related_name="+")
    opened_at = models.DateTimeField()
    scored_at = models.DateTimeField(null=True)
    scored_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    finished_at = models.DateTimeField(null=True)
    finished_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    cancelled_at = models.DateTimeField(null=True)
    cancelled_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    cancel_reason = models.TextField(blank=True)
    fees = MoneyField(null=True)
    retained = MoneyField(null=True)

    class Meta:
        constraints: ClassVar = [
            together("scored_at", "scored_by", name="promotions_tournament_scored"),
            together("finished_at", "finished_by", "fees", "retained", name="promotions_tournament_finished"),
            together("cancelled_at", "cancelled_by", name="promotions_tournament_cancelled"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(scored_at__isnull=False, cancelled_at__isnull=True),
                name="promotions_tournament_scored_first",
            ),
            two_people("scored_by", "finished_by", name="promotions_tournament_two_people"),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(name="named_for_good", fields=["code", "conditions", "opened_at"]),
            pgtrigger.Protect(
                name="over_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__finished_at__isnull=False) | pgtrigger.Q(old__cancelled_at__isnull=False),
            ),
        ]

    @property
    def subject(self) -> str:
        """What the log calls it."""
        return f"tournament:{self.code}"


class TournamentEntry(models.Model):
    """One player in one tournament: the fee paid; once it is over score, place and prize, and the payment."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="entries", db_index=False)
    player = models.CharField(max_length=120)
    fee = MoneyField()
    entered_at = models.DateTimeField()
    day = models.DateField()
    entered_by = models.CharField(max_length=80)
    score = models.BigIntegerField(null=True, help_text="points or chips, the more the better")
    place = models.IntegerField(null=True)
    prize = MoneyField(null=True)
    paid_at = models.DateTimeField(null=True)
    paid_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    paid_how = models.CharField(max_length=16, blank=True)
    refunded_at = models.DateTimeField(null=True)
    refunded_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(fee__gt=Value(0)), name="promotions_tournamententry_fee"),
            together("place", "prize", name="promotions_tournamententry_ranked"),
            together("paid_at", "paid_by", name="promotions_tournamententry_paid"),
            together("refunded_at", "refunded_by", name="promotions_tournamententry_refunded"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(prize__gt=Value(0), refunded_at__isnull=True),
                name="promotions_tournamententry_paid_a_prize",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["tournament", "id"], name="promotions_tentry_of")]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(
                name="as_entered", fields=["tournament", "player", "fee", "entered_at", "day", "entered_by"]
            ),
            pgtrigger.Protect(
                name="paid_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__paid_at__isnull=False) | pgtrigger.Q(old__refunded_at__isnull=False),
            ),
        ]
