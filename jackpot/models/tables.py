"""Tables on a link, the rounds played there, and what controllers count."""

from __future__ import annotations

from typing import ClassVar, Final

import pgtrigger
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now

from jackpot.models.checks import kept_for_good, unchanged_once
from jackpot.models.links import Link, Terms
from kernel.checks import one_of, together, two_people
from ledger.fields import MoneyField


class TableStatus(models.TextChoices):
    OPEN = "open"
    CLOSED = "closed"
    SUSPENDED = "suspended"  # a malfunction: play goes on without the jackpot (nsw-csp:14.15)


class Table(models.Model):
    """A table on a link. It has nothing of its own but its boxes: all else is the link's (nsw-csp:11.9)."""

    Status = TableStatus

    code = models.TextField(unique=True)
    link = models.ForeignKey(Link, models.PROTECT, related_name="tables")
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


class TableSpell(models.Model):
    """From when on a table played for a link, and whether its jackpot was open: what late messages count by."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="spells")
    link = models.ForeignKey(Link, models.PROTECT, related_name="+")
    status = models.TextField(choices=TableStatus.choices)
    since = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [one_of("status", TableStatus, name="jackpot_spell_status")]
        indexes: ClassVar = [models.Index(fields=["table", "since"], name="jackpot_spell_since")]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class Pace(models.Model):
    """How much a table has brought in lately, as time: played at its fastest, it would have lasted until then.

    One row a table, written by whoever brings its wagers in (``jackpot/pace.py``)."""

    table = models.OneToOneField(Table, models.PROTECT, primary_key=True, related_name="pace")
    played_until = models.DateTimeField()


class RoundStatus(models.TextChoices):
    OPEN = "open"
    FINISHED = "finished"
    VOID = "void"  # dealt wrongly (nsw-csp:14.4, 14.9)
    INVALIDATED = "invalidated"  # by a supervisor, for a listed cause (nsw-csp:16.9, act-cp:15.4)


_AS_STARTED: Final = [
    "table", "terms", "day", "displayed", "refused", "started_at", "started_by", "started_device",
]  # fmt: skip
_AS_FINISHED: Final = [
    "hands", "folded", "salt", "finished_act", "fed", "fed_day", "voided", "voided_day", "waits_for",
]  # fmt: skip


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
    started_device = models.TextField(null=True)  # noqa: DJ001  at the console there is none
    ended_at = models.DateTimeField(null=True)
    ended_by = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    ended_device = models.TextField(null=True)  # noqa: DJ001  at the console there is none
    ended_day = models.DateField(null=True)
    hands = models.JSONField(null=True, help_text="what lay on each box, as it was seen")
    folded = models.JSONField(null=True)
    salt = models.BinaryField(null=True, help_text="with which the hands that won were sealed into the log")
    started_act = models.BigIntegerField(null=True, help_text="the row of the log that says how it began")
    finished_act = models.BigIntegerField(null=True, help_text="and how it ended: what a hit is paid by")
    fed = models.PositiveSmallIntegerField(db_default=0, help_text="how many of its wagers fed the pools")
    fed_day = models.DateField(null=True, help_text="the gaming day on which they did")
    unfed_day = models.DateField(null=True, help_text="the gaming day on which that was reversed")
    voided = models.PositiveSmallIntegerField(
        db_default=0, help_text="of those that had fed the pools, how many went back with a void hand"
    )
    voided_day = models.DateField(null=True, help_text="the gaming day on which they did")
    waits_for = models.JSONField(
        null=True, help_text="the rounds that were open on the link when its major was locked (act-pg:13.3)"
    )
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
            models.Index(fields=["table", "ended_at"], name="jackpot_round_until"),
            models.Index(fields=["fed_day"], name="jackpot_round_fed"),
            models.Index(fields=["unfed_day"], condition=Q(unfed_day__isnull=False), name="jackpot_round_unfed"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(name="as_started", fields=_AS_STARTED),
            unchanged_once("as_finished", _AS_FINISHED, when=pgtrigger.Q(old__ended_at__isnull=False)),
            unchanged_once("act_once", ["started_act"], when=pgtrigger.Q(old__started_act__isnull=False)),
            pgtrigger.Protect(
                name="taken_back_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__status__in=["void", "invalidated"]),
            ),
        ]


class LateHand(models.Model):
    """A hand that was not named when its round was finished: claimed late, by two people."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="late_hands")
    box = models.PositiveSmallIntegerField()
    pieces = models.JSONField()
    act = models.BigIntegerField(help_text="the row of the log that says so: what a hit is paid by")
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, related_name="+")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["round", "box"], name="jackpot_late_hand_once")]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class Placed(models.TextChoices):
    """By what right a player wagers on a box."""

    OWN = "own"
    OTHER_PLAYER = "other-player"  # on a box whose player does not; a supervisor allows it (nsw-csp:11.1.1)
    SETTER = "setter"  # of several on a box, who sets the hand (act-pg:12.4)
    SECOND = "second"  # the other one, for the setter declined (act-pg:12.5)
    AGREED = "agreed"  # of three, as they agreed (act-pg:12.6)


class Wager(models.Model):
    """An accepted jackpot wager on a box."""

    round = models.ForeignKey(Round, models.PROTECT, related_name="wagers")
    box = models.PositiveSmallIntegerField()
    player_card = models.TextField(null=True)  # noqa: DJ001  unknown is not empty
    amount = MoneyField()
    placed = models.TextField(choices=Placed.choices, db_default=Placed.OWN)
    allowed_by = models.TextField(null=True, help_text="the supervisor, for another player's box")  # noqa: DJ001

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["round", "box"], name="jackpot_wager_one_a_box"),
            models.UniqueConstraint(
                fields=["round", "player_card"],
                condition=Q(player_card__isnull=False),
                name="jackpot_wager_one_a_player",
            ),
            models.CheckConstraint(condition=Q(box__gte=1), name="jackpot_wager_box"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="jackpot_wager_positive"),
            models.CheckConstraint(condition=~Q(player_card=""), name="jackpot_wager_player"),
            one_of("placed", Placed, name="jackpot_wager_placed"),
            models.CheckConstraint(
                condition=Q(placed="other-player", allowed_by__isnull=False)
                | (~Q(placed="other-player") & Q(allowed_by__isnull=True)),
                name="jackpot_wager_allowed",
            ),
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
    first = models.DateTimeField(null=True, help_text="when the earliest of its wagers was played")
    last = models.DateTimeField(null=True, help_text="and the latest")
    next_pool = models.BooleanField(db_default=False, help_text="on a must-hit-by link: these wagers cannot win")

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
