"""What is stored of jackpots. Money is in the ledger; here is what it was for: tables, rounds, wagers and hits."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Now

from house.models.checks import one_of, together, two_people
from ledger.fields import MoneyField


def kept_for_good() -> pgtrigger.Trigger:
    return pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)


class PoolStatus(models.TextChoices):
    OPEN = "open"
    RETIRED = "retired"


class Pool(models.Model):
    """A jackpot's purses, by its code. What is in them is the ledger's word (``pools.standing``)."""

    Status = PoolStatus

    code = models.TextField(unique=True)
    title = models.TextField()
    levels = models.JSONField(help_text="the names of its prize pools")
    status = models.TextField(choices=PoolStatus.choices, db_default=PoolStatus.OPEN)
    opened_at = models.DateTimeField(db_default=Now())
    retired_at = models.DateTimeField(null=True)
    retired_into = models.ForeignKey("self", models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints: ClassVar = [
            one_of("status", PoolStatus, name="jackpot_pool_status"),
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z][A-Z0-9-]{0,15}$"), name="jackpot_pool_code"),
            models.CheckConstraint(
                condition=Q(status="open", retired_at__isnull=True) | Q(status="retired", retired_at__isnull=False),
                name="jackpot_pool_retired_when",
            ),
        ]
        triggers: ClassVar = [kept_for_good()]

    def __str__(self) -> str:
        return self.code

    @property
    def subject(self) -> str:
        """What the log and approvals call it."""
        return f"jackpot:{self.code}"


class Terms(models.Model):
    """One approved version of a link's rules and parameters. The newest is in force; the old ones stay on record."""

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="terms")
    version = models.PositiveIntegerField()
    data = models.JSONField(help_text="see terms.py: rules, wager, bonus, levels, rates")
    effective_at = models.DateTimeField(db_default=Now())
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, null=True, related_name="+")
    set_by = models.TextField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "version"], name="jackpot_terms_version"),
            models.CheckConstraint(condition=Q(version__gt=0), name="jackpot_terms_from_one"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class TableStatus(models.TextChoices):
    OPEN = "open"
    CLOSED = "closed"
    SUSPENDED = "suspended"  # a malfunction: play goes on without the jackpot (nsw-csp:14.15)


class Table(models.Model):
    """A table on a link. It has nothing of its own but its boxes: all else is the link's (nsw-csp:11.9)."""

    Status = TableStatus

    code = models.TextField(unique=True)
    pool = models.ForeignKey(Pool, models.PROTECT, related_name="tables")
    boxes = models.PositiveSmallIntegerField()
    status = models.TextField(choices=TableStatus.choices, db_default=TableStatus.OPEN)

    class Meta:
        ordering = ("code",)
        constraints: ClassVar = [
            one_of("status", TableStatus, name="jackpot_table_status"),
            models.CheckConstraint(condition=Q(code__regex=r"^[A-Z][A-Z0-9-]{0,15}$"), name="jackpot_table_code"),
            models.CheckConstraint(condition=Q(boxes__range=(1, 20)), name="jackpot_table_boxes"),
        ]
        triggers: ClassVar = [kept_for_good()]

    def __str__(self) -> str:
        return self.code


class RoundStatus(models.TextChoices):
    OPEN = "open"
    FINISHED = "finished"
    VOID = "void"  # dealt wrongly (nsw-csp:14.4, 14.9)
    INVALIDATED = "invalidated"  # by a supervisor, for a listed cause (nsw-csp:16.9, act-cp:15.4)


class Round(models.Model):
    Status = RoundStatus

    table = models.ForeignKey(Table, models.PROTECT, related_name="rounds")
    terms = models.ForeignKey(Terms, models.PROTECT, related_name="+")
    day = models.DateField()
    displayed = models.JSONField(help_text="what each level showed when the round began, in dollars")
    refused = models.JSONField(help_text="wagers not accepted, and why")
    status = models.TextField(choices=RoundStatus.choices, db_default=RoundStatus.OPEN)
    started_at = models.DateTimeField(db_default=Now())
    started_by = models.TextField()
    ended_at = models.DateTimeField(null=True)
    ended_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    ended_day = models.DateField(null=True)
    hands = models.JSONField(null=True, help_text="what lay on each box, as it was seen")
    folded = models.JSONField(null=True)
    fed = models.PositiveSmallIntegerField(db_default=0, help_text="how many of its wagers fed the pools")
    fed_day = models.DateField(null=True, help_text="the gaming day on which they did")
    unfed_day = models.DateField(null=True, help_text="the gaming day on which that was reversed")
    why = models.TextField(blank=True, db_default="", help_text="why it is void or invalidated")

    class Meta:
        constraints: ClassVar = [
            one_of("status", RoundStatus, name="jackpot_round_status"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(status="open"), name="jackpot_round_one_open_a_table"
            ),
            together("ended_at", "ended_by", "ended_day", name="jackpot_round_ended_by_somebody"),
            models.CheckConstraint(
                condition=Q(status="open", ended_at__isnull=True) | (~Q(status="open") & Q(ended_at__isnull=False)),
                name="jackpot_round_ended_when",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["open", "finished"]) | ~Q(why=""), name="jackpot_round_void_says_why"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["table", "-id"], name="jackpot_round_of_table"),
            models.Index(fields=["day"], name="jackpot_round_by_day"),
            models.Index(fields=["fed_day"], name="jackpot_round_fed"),
            models.Index(fields=["unfed_day"], condition=Q(unfed_day__isnull=False), name="jackpot_round_unfed"),
        ]
        triggers: ClassVar = [kept_for_good()]


class Wager(models.Model):
    """An accepted jackpot wager on a box."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="wagers")
    box = models.PositiveSmallIntegerField()
    player = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    amount = MoneyField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "box"], name="jackpot_wager_one_a_box"),
            models.UniqueConstraint(
                fields=["round", "player"], condition=Q(player__isnull=False), name="jackpot_wager_one_a_player"
            ),
            models.CheckConstraint(condition=Q(box__gte=1), name="jackpot_wager_box"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="jackpot_wager_positive"),
            models.CheckConstraint(condition=~Q(player=""), name="jackpot_wager_player"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class BatchStatus(models.TextChoices):
    COUNTED = "counted"
    HELD = "held"  # unreasonably much at once: waits for a person
    RELEASED = "released"
    REJECTED = "rejected"


class Batch(models.Model):
    """What one call of a controller brought in for one table under one version of the terms: one set of transfers."""

    Status = BatchStatus

    table = models.ForeignKey(Table, models.PROTECT, related_name="batches")
    terms = models.ForeignKey(Terms, models.PROTECT, related_name="+")
    day = models.DateField(help_text="the gaming day it was booked on")
    at = models.DateTimeField(db_default=Now())
    contributions = models.PositiveIntegerField()
    wagers = models.PositiveBigIntegerField()
    received_by = models.TextField()
    status = models.TextField(choices=BatchStatus.choices, db_default=BatchStatus.COUNTED)
    decided_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            one_of("status", BatchStatus, name="jackpot_batch_status"),
            models.CheckConstraint(condition=Q(wagers__gt=0, contributions__gt=0), name="jackpot_batch_not_empty"),
            models.CheckConstraint(
                condition=Q(status__in=["counted", "held"], decided_by__isnull=True)
                | Q(status__in=["released", "rejected"], decided_by__isnull=False),
                name="jackpot_batch_decided",
            ),
            two_people("received_by", "decided_by", name="jackpot_batch_two_people"),
        ]
        indexes: ClassVar = [models.Index(fields=["table", "day"], name="jackpot_batch_by_table")]
        triggers: ClassVar = [kept_for_good()]


class Contribution(models.Model):
    """One message of a controller. Its id is counted once, ever."""

    # Bytes in order, and one index: this table takes tens of thousands of rows a second (migration 0003).
    id = models.TextField(primary_key=True, db_collation="C")
    # Written by contribute.py in the batch's own transaction; a checked key would double the cost of a row.
    batch = models.ForeignKey(Batch, models.PROTECT, related_name="messages", db_index=False, db_constraint=False)
    wagers = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(wagers__gt=0), name="jackpot_contribution_positive"),
        ]
        indexes: ClassVar = [BrinIndex(fields=["at"], name="jackpot_contribution_when")]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class HitStatus(models.TextChoices):
    CLAIMED = "claimed"
    VERIFIED = "verified"
    PAID = "paid"
    DENIED = "denied"


class HitMethod(models.TextChoices):
    CASH = "cash"
    CHEQUE = "cheque"
    TRANSFER = "transfer"


class Hit(models.Model):
    """Something won. Its amount was fixed, and its money set aside, in the moment the round ended (decision 12)."""

    Status = HitStatus
    Method = HitMethod

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="hits")
    sequence = models.PositiveBigIntegerField(help_text="strict order of everything won on the link")
    round = models.ForeignKey(Round, models.PROTECT, related_name="hits")
    place = models.PositiveSmallIntegerField(help_text="order of payment within the round")
    box = models.PositiveSmallIntegerField()
    player = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    hand = models.TextField(null=True)  # noqa: DJ001  a bonus has no hand of its own
    kind = models.TextField()
    level = models.TextField(null=True)  # noqa: DJ001  a fixed prize comes from no level
    amount = MoneyField()
    from_pool = MoneyField()
    from_house = MoneyField()
    measured_on = MoneyField(null=True)
    restarts = models.BooleanField(help_text="100% of its level was won")
    clause = models.TextField(null=True)  # noqa: DJ001  not every rule set is gazetted
    day = models.DateField()
    status = models.TextField(choices=HitStatus.choices, db_default=HitStatus.CLAIMED)
    claimed_at = models.DateTimeField(db_default=Now())
    claimed_by = models.TextField()
    verified_at = models.DateTimeField(null=True)
    verified_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    verification = models.JSONField(null=True, help_text="what the supervisor saw")
    paid_at = models.DateTimeField(null=True)
    paid_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    paid_day = models.DateField(null=True)
    method = models.TextField(choices=HitMethod.choices, null=True)  # noqa: DJ001  unknown is not empty
    payment_reference = models.TextField(blank=True, db_default="")
    denied_at = models.DateTimeField(null=True)
    denied_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    denied_day = models.DateField(null=True)
    reason = models.TextField(blank=True, db_default="", help_text="why it was denied")

    class Meta:
        constraints: ClassVar = [
            one_of("status", HitStatus, name="jackpot_hit_status"),
            models.UniqueConstraint(fields=["pool", "sequence"], name="jackpot_hit_sequence"),
            models.UniqueConstraint(fields=["round", "place"], name="jackpot_hit_place"),
            models.UniqueConstraint(fields=["round", "box", "kind"], name="jackpot_hit_once_a_box"),
            models.CheckConstraint(
                condition=Q(amount=F("from_pool") + F("from_house")) & Q(amount__gt=Value(0)),
                name="jackpot_hit_adds_up",
            ),
            models.CheckConstraint(
                condition=Q(from_pool__gte=Value(0)) & Q(from_house__gte=Value(0)), name="jackpot_hit_not_negative"
            ),
            two_people("claimed_by", "verified_by", name="jackpot_hit_verified_by_another"),
            two_people("verified_by", "paid_by", name="jackpot_hit_paid_by_a_third"),
            two_people("claimed_by", "paid_by", name="jackpot_hit_paid_by_another"),
            two_people("claimed_by", "denied_by", name="jackpot_hit_denied_by_another"),
            two_people("verified_by", "denied_by", name="jackpot_hit_denied_by_a_third"),
            together("verified_at", "verified_by", "verification", name="jackpot_hit_verified"),
            together("paid_at", "paid_by", "paid_day", "method", name="jackpot_hit_paid"),
            together("denied_at", "denied_by", "denied_day", name="jackpot_hit_denied"),
            models.CheckConstraint(
                condition=Q(status="claimed", verified_at__isnull=True, paid_at__isnull=True, denied_at__isnull=True)
                | Q(status="verified", verified_at__isnull=False, paid_at__isnull=True, denied_at__isnull=True)
                | Q(status="paid", verified_at__isnull=False, paid_at__isnull=False, denied_at__isnull=True)
                | (Q(status="denied", paid_at__isnull=True, denied_at__isnull=False) & ~Q(reason="")),
                name="jackpot_hit_steps",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["day"], name="jackpot_hit_by_day"),
            models.Index(fields=["pool", "-id"], name="jackpot_hit_of_pool"),
        ]
        triggers: ClassVar = [kept_for_good()]


class ThresholdReport(models.Model):
    """Cash of $10,000 or more: who received it, for the report the law asks of the house."""

    hit = models.OneToOneField(Hit, models.PROTECT, related_name="threshold_report")
    amount = MoneyField()
    name = models.TextField()
    date_of_birth = models.DateField()
    address = models.TextField()
    document = models.TextField(help_text="kind and number of the document that was seen")
    made_at = models.DateTimeField(db_default=Now())
    made_by = models.TextField()
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=~Q(name="") & ~Q(address="") & ~Q(document=""), name="jackpot_threshold_says_who"
            ),
        ]
        triggers: ClassVar = [kept_for_good()]


class PoolDay(models.Model):
    """A link's books for a gaming day, as last checked: opening + all that moved = closing (``reconcile.py``).

    Worked out from the ledger and, beside it, from rounds, batches and hits; the two must agree.
    """

    pool = models.ForeignKey(Pool, models.PROTECT, related_name="days")
    day = models.DateField()
    opening = MoneyField()
    contributions = MoneyField()
    topped_up = MoneyField(help_text="put in by the house, less what it was paid back")
    wins = MoneyField()
    adjustments = MoneyField()
    closing = MoneyField()
    wagers = models.BigIntegerField(help_text="counted, less those of rounds taken back")
    # No transfer of this day has a lower transaction id; none of a later day one below tx_upto.
    tx_from = models.BigIntegerField()
    tx_upto = models.BigIntegerField()
    checked_at = models.DateTimeField()
    fault = models.TextField(blank=True, help_text="what does not agree; empty: all is well")

    class Meta:
        ordering = ("-day",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["pool", "day"], name="jackpot_poolday_once"),
        ]
