"""Tournaments (15): entries under approved conditions. No tickets: no stake of theirs is in a game's money."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value

from house.models.checks import together, two_people
from keno.models.counter import Approved
from keno.models.money import KEPT, Shift
from ledger.fields import MoneyField


class TournamentEntry(models.Model):
    """One player in one tournament: what he paid, what he marked, and once it is over his score, place and prize."""

    tournament = models.CharField(max_length=32)
    conditions = models.ForeignKey(Approved, models.DO_NOTHING, related_name="+")
    player = models.CharField(max_length=120)
    numbers = models.JSONField()
    fee = MoneyField()
    entered_at = models.DateTimeField()
    day = models.DateField()
    shift = models.ForeignKey(Shift, models.DO_NOTHING, related_name="tournament_entries")
    entered_by = models.CharField(max_length=80)
    score = MoneyField(null=True, help_text="what its way would have won over the games, by the conditions")
    place = models.IntegerField(null=True)
    prize = MoneyField(null=True)
    paid_at = models.DateTimeField(null=True)
    paid_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # From $10,000 by cheque, made out to somebody who showed who he is; above the venue's limit two people pay.
    cheque_number = models.CharField(max_length=32, blank=True)
    identity = models.JSONField(null=True)
    authorised_at = models.DateTimeField(null=True)
    authorised_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(fee__gt=Value(0)), name="keno_tournamententry_fee"),
            together("score", "place", "prize", name="keno_tournamententry_ranked"),
            together("paid_at", "paid_by", name="keno_tournamententry_paid"),
            together("authorised_at", "authorised_by", name="keno_tournamententry_authorised"),
            two_people("paid_by", "authorised_by", name="keno_tournamententry_two_people"),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | Q(prize__gt=Value(0)), name="keno_tournamententry_paid_a_prize"
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["tournament", "id"], name="keno_tournamententry_of")]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="paid_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__paid_at__isnull=False)
            ),
        ]
