"""Cash and what stands for it between the house and its customers: who received it, what is reported, which cheque."""

from __future__ import annotations

import json

import pgtrigger
from django.db import models
from django.db.models import F, Q, Value

from house.cash.identity import PARTS, Identity
from house.models.incidents import Incident
from kernel.checks import one_of, together
from kernel.retention import ERASED, YEARS_BY_LAW
from kernel.triggers import changed
from ledger.fields import MoneyField

_KEPT = pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)
_APPEND_ONLY = pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)
IDENTITY_ERASED = dict.fromkeys(PARTS, ERASED)
# Whoever writes to the database takes no identity away that the law keeps, and puts no other in its place.
_IDENTITY_KEPT = pgtrigger.Protect(
    name="identity_kept",
    operation=pgtrigger.Update,
    condition=pgtrigger.Condition(
        f"{changed('identity')} AND NOT (OLD.identity IS NOT NULL "
        f"AND NEW.identity = '{json.dumps(IDENTITY_ERASED)}'::jsonb "
        f"AND OLD.day < CURRENT_DATE - INTERVAL '{YEARS_BY_LAW} years')"
    ),
)
_SENT = changed("cash", "late_incident_id", "reported_at", "reported_by", "sent_reference")


class Way(models.TextChoices):
    """Who hands it over. What comes in and what goes out are two things, and never make up for each other."""

    OUT = "out"
    IN = "in"


class Customer(models.Model):
    """Somebody as the cash desk knows him: by a card, a document, or name and date of birth (``house.cash.customers``).

    Each of these marks is a row; of those that were shown together one stands for all, and the others point to it.
    Documents, names and dates of birth are here as keyed hashes only: who reads the table finds nobody by them.
    """

    mark = models.CharField(max_length=96, unique=True, db_collation="C")
    same_as = models.ForeignKey("self", models.PROTECT, null=True, related_name="others")
    since = models.DateTimeField()

    class Meta:
        constraints = (
            models.CheckConstraint(
                condition=Q(mark__regex=r"^(player:[0-9]+|(document|person):[0-9a-f]{64})$"),
                name="house_customer_mark_known",
            ),
            models.CheckConstraint(
                condition=Q(same_as__isnull=True) | ~Q(same_as=F("id")), name="house_customer_not_itself"
            ),
        )
        triggers = (_KEPT, pgtrigger.ReadOnly(name="as_marked", fields=["mark", "since"]))


class ThresholdReport(models.Model):
    """Cash of the reporting limit or more of one customer in one gaming day, and when the authority was told of it.

    It is made by the payment that reached the limit, and covers those before it (``lines``). Until it is sent, further
    payments below the limit are added to it.
    """

    room = models.CharField(max_length=32)
    what = models.CharField(max_length=32, help_text="the kind of payment, within its room")
    payment = models.BigIntegerField(help_text="the room's own number of the payment")
    reference = models.CharField(max_length=64, help_text="what people call it: a ticket's serial, a hit's number")
    way = models.CharField(max_length=8, choices=Way.choices, default=Way.OUT)
    cash = MoneyField(help_text="of all its payments together")
    identity = models.JSONField(help_text="name, born, address, document, document_number")
    name_mark = models.CharField(max_length=64, blank=True, help_text="a keyed hash: is it about whoever looks?")
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, related_name="+")
    day = models.DateField()
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    due_at = models.DateTimeField(help_text="the first moment at which it is late")
    late_incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    reported_at = models.DateTimeField(null=True, help_text="when it went to the authority")
    reported_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    sent_reference = models.CharField(max_length=80, blank=True, help_text="the authority's own, from its receipt")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["room", "what", "payment"], name="house_thresholdreport_one_a_payment"),
            models.CheckConstraint(
                condition=Q(
                    identity__has_keys=["name", "born", "address", "document", "document_number"],
                    identity__name__gt="",
                    identity__born__gt="",
                    identity__address__gt="",
                    identity__document__gt="",
                    identity__document_number__gt="",
                ),
                name="house_thresholdreport_says_who",
            ),
            together("reported_at", "reported_by", name="house_thresholdreport_reported"),
        )
        indexes = (
            models.Index(fields=["day", "-id"], name="house_thresholdreport_by_day"),
            models.Index(fields=["due_at"], condition=Q(reported_at=None), name="house_thresholdreport_due"),
        )
        triggers = (
            _KEPT,
            pgtrigger.ReadOnly(
                name="as_made",
                fields=[
                    "room", "what", "payment", "reference", "way", "customer", "day", "made_at", "made_by", "due_at",
                ],
            ),
            pgtrigger.Protect(
                name="sent_by_another",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__reported_by=pgtrigger.F("old__made_by")),
            ),
            pgtrigger.Protect(
                name="never_less",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(new__cash__lt=pgtrigger.F("old__cash")),
            ),
            pgtrigger.Protect(
                name="reported_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    f"OLD.reported_at IS NOT NULL AND ({_SENT})"
                ),
            ),
            _IDENTITY_KEPT,
            pgtrigger.Protect(
                name="mark_kept",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.name_mark <> NEW.name_mark AND (NEW.name_mark <> '' OR OLD.identity = NEW.identity)"
                ),
            ),
        )  # fmt: skip

    @property
    def receiver(self) -> Identity:
        return Identity.read(self.identity)


class CashLine(models.Model):
    """What changed hands between the house and a customer, as the rules of cash count it. The money is the ledger's.

    Of small amounts of unknown people there is none: ``house.cash.hand_over``.
    """

    way = models.CharField(max_length=8, choices=Way.choices)
    room = models.CharField(max_length=32)
    what = models.CharField(max_length=32)
    payment = models.BigIntegerField(help_text="the room's own number of it")
    reference = models.CharField(max_length=64)
    amount = MoneyField(help_text="all of it, however it was paid")
    cash = MoneyField(help_text="of it in cash")
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, related_name="+", help_text="who stood there")
    played_by = models.ForeignKey(
        Customer, models.PROTECT, null=True, related_name="+", help_text="whose card the wager was made with"
    )
    identity = models.JSONField(null=True, help_text="what was shown, where somebody showed it")
    report = models.ForeignKey(ThresholdReport, models.PROTECT, null=True, related_name="lines")
    day = models.DateField()
    at = models.DateTimeField()
    by = models.CharField(max_length=80)
    device = models.CharField(max_length=32, blank=True)

    class Meta:
        constraints = (
            one_of("way", Way, name="house_cashline_way_known"),
            models.UniqueConstraint(fields=["room", "what", "payment"], name="house_cashline_once"),
            models.CheckConstraint(
                condition=Q(cash__gte=Value(0), amount__gt=Value(0), cash__lte=F("amount")),
                name="house_cashline_of_something",
            ),
        )
        indexes = (
            models.Index(fields=["customer", "day"], condition=Q(customer__isnull=False), name="house_cashline_whose"),
            models.Index(
                fields=["played_by", "day"], condition=Q(played_by__isnull=False), name="house_cashline_player"
            ),
            models.Index(fields=["day", "-id"], name="house_cashline_by_day"),
        )
        triggers = (
            _KEPT,
            pgtrigger.Protect(
                name="as_made",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(exclude=["report", "identity"]),
            ),
            pgtrigger.Protect(
                name="reported_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(f"OLD.report_id IS NOT NULL AND {changed('report_id')}"),
            ),
            _IDENTITY_KEPT,
        )


class Cheque(models.Model):
    """A cheque of the house: its number is used once on its account, whichever room writes it."""

    account = models.CharField(max_length=16, help_text="the bank account it is drawn on, as approved")
    number = models.CharField(max_length=120, help_text="capitals and digits, without leading zeros")
    written = models.CharField(max_length=120, help_text="as it was written down")
    amount = MoneyField()
    room = models.CharField(max_length=32)
    what = models.CharField(max_length=32)
    payment = models.BigIntegerField()
    day = models.DateField()
    at = models.DateTimeField()
    by = models.CharField(max_length=80)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["account", "number"], name="house_cheque_once"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="house_cheque_of_something"),
            models.CheckConstraint(condition=Q(number__regex=r"^[A-Z0-9]*[0-9][A-Z0-9]*$"), name="house_cheque_number"),
        )
        triggers = (_APPEND_ONLY,)


class Structuring(models.Model):
    """Payments of one gaming day that look as if one had been cut into several; a hint, with its incident."""

    day = models.DateField()
    way = models.CharField(max_length=8, choices=Way.choices)
    about = models.CharField(max_length=100, help_text="customer:17; or where nobody is known, at:device:W-0001")
    incident = models.ForeignKey(Incident, models.PROTECT, related_name="+")
    found_at = models.DateTimeField()

    class Meta:
        constraints = (
            one_of("way", Way, name="house_structuring_way_known"),
            models.UniqueConstraint(fields=["day", "way", "about"], name="house_structuring_once_a_day"),
        )
        indexes = (models.Index(fields=["day", "-id"], name="house_structuring_by_day"),)
        triggers = (_APPEND_ONLY,)
