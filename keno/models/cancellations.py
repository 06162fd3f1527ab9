"""Cancellations around the moment in which the witness is asked (6.1): before it, and too late."""

from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q

from keno.models.games import Game
from keno.models.tickets import Ticket


class LateCancellation(models.Model):
    """A ticket that stands in the sealed set of a game and was cancelled before the witness was asked (6.1): it is
    refunded, contributes nothing and cannot win; root and numbers stay. Also of wagers that the house voided (14.3)."""

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, models.PROTECT, related_name="late_cancellations", db_index=False)
    ticket = models.ForeignKey(Ticket, models.PROTECT, related_name="late_cancellations")
    at = models.DateTimeField()

    class Meta:
        constraints = (models.UniqueConstraint(fields=["game", "ticket"], name="keno_late_once"),)
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)


class CancellationRequest(models.Model):
    """A cancellation that was asked for between the asking and the first number: too late, unless that attempt never
    yields a number. Kept with its time (6.1)."""

    class Outcome(models.TextChoices):
        HONOURED = "honoured"
        REFUSED = "refused"

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, models.PROTECT, related_name="cancellation_requests", db_index=False)
    ticket = models.ForeignKey(Ticket, models.PROTECT, related_name="cancellation_requests")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)
    outcome = models.CharField(max_length=16, choices=Outcome.choices, blank=True)
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["game", "ticket"], name="keno_request_once"),
            models.CheckConstraint(
                condition=Q(outcome="", decided_at__isnull=True)
                | Q(outcome__in=["honoured", "refused"], decided_at__isnull=False),
                name="keno_request_decided_when",
            ),
        )
        triggers = (
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="as_asked", fields=["game", "ticket", "at", "by"]),
            pgtrigger.Protect(
                name="decided_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__decided_at__isnull=False)
            ),
        )
