"""What happens round a ticket without being one: runner orders, printings, wrong codes, cash that two people move."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value

from house.models import Incident
from keno.models.fields import nothing
from keno.models.money import APPEND_ONLY, KEPT, Payment, Shift
from keno.models.tickets import Ticket
from kernel.checks import one_of, together, two_people
from ledger.fields import MoneyField


class Printing(models.Model):
    """One printing of a receipt. The sale and its printing are separate facts; all but the first of a *paper* say
    DUPLICATE."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="printings")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)
    duplicate = models.BooleanField()
    paper = models.SmallIntegerField(default=1, help_text="2, 3, …: a continuation (10.4)")
    reason = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["ticket", "paper"], condition=Q(duplicate=False), name="keno_printing_one_original"
            ),
            models.CheckConstraint(condition=Q(duplicate=False) | ~Q(reason=""), name="keno_printing_says_why"),
        ]
        triggers: ClassVar = [APPEND_ONLY]


class PaperFound(models.Model):
    """A paid ticket that the house keeps until the close (10.4), found there by somebody else than who paid it."""

    payment = models.OneToOneField(Payment, models.DO_NOTHING, related_name="found")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)

    class Meta:
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
    card = models.CharField(max_length=32, blank=True, default="", help_text="the player card that was shown")
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


class WrongCode(models.Model):
    """A wrong security code, for as long as it counts (`keno.possession`). What was typed is not kept."""

    terminal = models.CharField(max_length=80)
    paper = models.CharField(max_length=40)
    at = models.DateTimeField()

    fleeting: ClassVar = True

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["terminal", "paper"], name="keno_wrongcode_terminal"),
            models.Index(fields=["paper"], name="keno_wrongcode_paper"),
        ]


class CodeWatch(models.Model):
    """A terminal or a paper for which wrong codes were typed, and the incident it last came to."""

    about = models.CharField(max_length=80, unique=True, db_collation="C")
    incident = models.ForeignKey(Incident, models.DO_NOTHING, null=True, related_name="+")


class CashWay(models.TextChoices):
    DROP = "drop"  # from the drawer to the cage
    FILL = "fill"  # from the cage to the drawer


class CashMove(models.Model):
    """Cash to a drawer or from it: said by one of the two who hand it over, moved when the other says the same."""

    shift = models.ForeignKey(Shift, models.DO_NOTHING, related_name="cash_moves")
    way = models.CharField(max_length=8, choices=CashWay.choices)
    amount = MoneyField()
    said_by = models.CharField(max_length=80)
    said_at = models.DateTimeField()
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    confirmed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            one_of("way", CashWay, name="keno_cashmove_way_known"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_cashmove_positive"),
            together("confirmed_by", "confirmed_at", name="keno_cashmove_confirmed"),
            two_people("said_by", "confirmed_by", name="keno_cashmove_two_people"),
            models.UniqueConstraint(
                fields=["shift", "way"], condition=Q(confirmed_at__isnull=True), name="keno_cashmove_one_waits"
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="moved_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__confirmed_at__isnull=False),
            ),
        ]


class DrawerCount(models.Model):
    """What the first of two people counted in the drawer of an abandoned shift. The second counts without seeing it."""

    shift = models.ForeignKey(Shift, models.DO_NOTHING, related_name="drawer_counts")
    cash = MoneyField(default=nothing)
    chips = MoneyField(default=nothing)
    by = models.CharField(max_length=80)
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["shift", "by"], name="keno_drawercount_one_a_person"),
            models.CheckConstraint(condition=Q(cash__gte=Value(0), chips__gte=Value(0)), name="keno_drawercount_cents"),
        ]
        triggers: ClassVar = [KEPT]
