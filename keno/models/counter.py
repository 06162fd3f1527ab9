"""What happens round a ticket without being one: runner orders, printings, and the values that needed an approval."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from house.models.checks import one_of, together
from keno.models.money import APPEND_ONLY, KEPT
from keno.models.tickets import Ticket


class Approved(models.Model):
    """A value that had to be approved, in one of its versions: a set bet, special 3, a bonus, a tournament, a setting.

    The latest version of (kind, code) is in force; a null value says that it is withdrawn. Never changed: tickets
    point at the version they were sold under.
    """

    kind = models.CharField(max_length=32)
    code = models.CharField(max_length=32)
    value = models.JSONField(null=True)
    approved_by = models.CharField(max_length=80)
    proposal = models.BigIntegerField(null=True)
    since = models.DateTimeField(db_default=Now())

    class Meta:
        indexes: ClassVar = [models.Index(fields=["kind", "code", "-id"], name="keno_approved_latest")]
        triggers: ClassVar = [APPEND_ONLY]


class Printing(models.Model):
    """One printing of a receipt. The sale and its printing are separate facts; all but the first say DUPLICATE."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="printings")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)
    duplicate = models.BooleanField()
    reason = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ticket"], condition=Q(duplicate=False), name="keno_printing_one_original"),
            models.CheckConstraint(condition=Q(duplicate=False) | ~Q(reason=""), name="keno_printing_says_why"),
        ]
        triggers: ClassVar = [APPEND_ONLY]


class OrderStatus(models.TextChoices):
    WAITING = "waiting"
    ISSUED = "issued"
    WITHDRAWN = "withdrawn"


class Order(models.Model):
    """A wager handed to a runner (4.8): no entry, and in no game, until its receipt ticket is issued."""

    request = models.JSONField(help_text="the ticket asked for, as the API takes it")
    runner = models.CharField(max_length=80)
    note = models.CharField(max_length=200, blank=True)
    taken_at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=OrderStatus.choices, default=OrderStatus.WAITING)
    ticket = models.OneToOneField(Ticket, models.DO_NOTHING, null=True, related_name="order")
    ended_at = models.DateTimeField(null=True)
    ended_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            one_of("status", OrderStatus, name="keno_order_status_known"),
            together("ended_at", "ended_by", name="keno_order_ended"),
            models.CheckConstraint(
                condition=Q(status="issued", ticket__isnull=False) | (~Q(status="issued") & Q(ticket__isnull=True)),
                name="keno_order_issued_is_a_ticket",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="ended_for_good", operation=pgtrigger.Update, condition=~pgtrigger.Q(old__status="waiting")
            ),
        ]
