"""Prizes on hold while they are looked into, and winning wagers that were voided after the draw (14.3)."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value

from keno.models.fields import nothing
from keno.models.tickets import Ticket
from kernel.checks import together
from ledger.fields import MoneyField


class VoidedWin(models.Model):
    """The wager of a person in breach in one game, which had won: two people have voided it after the draw. Its stake
    is refunded, what it had won went back to where it came from."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="voided_wins", db_index=False)
    game = models.BigIntegerField()
    amount = MoneyField(help_text="what it had won, jackpot and bonus included")
    jackpot = MoneyField(default=nothing)
    bonus = MoneyField(default=nothing)
    refund = MoneyField(default=nothing, help_text="what was paid for that game: of a free one nothing")
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, related_name="+")
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ticket", "game"], name="keno_voidedwin_once"),
            # A loser's stake is not given back after the draw: it would be a free option.
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_voidedwin_had_won"),
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]


class PrizeHold(models.Model):
    """Nothing on this ticket is paid while somebody looks into it. Ended by another person than who began it, or by the
    decision that its winning wagers are void."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="holds", db_index=False)
    why = models.TextField()
    owner = models.CharField(max_length=80, help_text="who looks into it")
    put_by = models.CharField(max_length=80)
    put_at = models.DateTimeField()
    released_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    released_at = models.DateTimeField(null=True)
    release_why = models.TextField(blank=True)
    # By which two people have voided what was left on the ticket.
    decided = models.ForeignKey("house.Proposal", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["ticket"], condition=Q(released_at__isnull=True), name="keno_prizehold_one_a_ticket"
            ),
            together("released_by", "released_at", name="keno_prizehold_released"),
            models.CheckConstraint(
                condition=Q(released_by__isnull=True) | ~Q(released_by=F("put_by")) | Q(decided__isnull=False),
                name="keno_prizehold_two_people",
            ),
            models.CheckConstraint(condition=~Q(why=""), name="keno_prizehold_says_why"),
        ]
        indexes: ClassVar = [models.Index(fields=["ticket"], name="keno_prizehold_ticket")]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="as_put", fields=["ticket", "why", "put_by", "put_at"]),
            pgtrigger.Protect(
                name="released_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__released_at__isnull=False)
            ),
        ]
