"""What tables' controllers are known by: when each was last heard of, and the running meters that some of them send."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from jackpot.models.checks import kept_for_good
from jackpot.models.tables import Table
from kernel.checks import one_of, together


class TableWatch(models.Model):
    """A table that has sent a heartbeat: from then on its silence is noticed."""

    table = models.OneToOneField(Table, models.PROTECT, primary_key=True, related_name="watch")
    heard_at = models.DateTimeField()
    silent_since = models.DateTimeField(null=True, help_text="its jackpot is suspended for that")

    class Meta:
        triggers: ClassVar = [kept_for_good()]


class TableMeter(models.Model):
    """Where a table's running meter stands by its last reading."""

    table = models.OneToOneField(Table, models.PROTECT, primary_key=True, related_name="meter")
    run = models.PositiveIntegerField(db_default=1, help_text="counts up with each restart of the controller")
    sequence = models.PositiveBigIntegerField()
    meter = models.PositiveBigIntegerField()
    at = models.DateTimeField()


class MeterReading(models.Model):
    """A reading, once. What it added to the one before is counted as a message (``Contribution``)."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    run = models.PositiveIntegerField()
    sequence = models.PositiveBigIntegerField()
    meter = models.PositiveBigIntegerField()
    at = models.DateTimeField()
    wagers = models.PositiveBigIntegerField(help_text="since the reading before; of a baseline none")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["table", "run", "sequence"], name="jackpot_reading_once"),
            models.CheckConstraint(condition=Q(run__gte=1), name="jackpot_reading_run"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),
        ]


class DisagreementStatus(models.TextChoices):
    OPEN = "open"
    AGREES = "agrees"  # later readings made both sides the same
    CLOSED = "closed"  # explained by one person, decided by another


class MeterDisagreement(models.Model):
    """A table's meter showed other wagers than were counted over the same time, or fell and cannot be believed; or its
    controller restarted, and what was wagered just before no reading shows."""

    table = models.ForeignKey(Table, models.PROTECT, related_name="disagreements")
    since = models.DateTimeField(help_text="the last reading that agreed")
    until = models.DateTimeField(help_text="the last reading")
    shown = models.PositiveBigIntegerField(help_text="wagers by the meter")
    counted = models.PositiveBigIntegerField(help_text="wagers that were counted")
    fell_sequence = models.PositiveBigIntegerField(null=True, help_text="the reading that is not believed")
    fell_meter = models.PositiveBigIntegerField(null=True)
    unseen = models.PositiveBigIntegerField(db_default=0, help_text="wagers, at most, that no reading shows: a restart")
    restarted_at = models.DateTimeField(null=True, help_text="the first reading after the restart")
    status = models.TextField(choices=DisagreementStatus.choices, db_default=DisagreementStatus.OPEN)
    opened_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)
    cause = models.TextField(blank=True, db_default="")
    wagers = models.PositiveBigIntegerField(db_default=0, help_text="counted when it was closed")
    proposal = models.ForeignKey("house.Proposal", models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ("-pk",)
        constraints: ClassVar = [
            one_of("status", DisagreementStatus, name="jackpot_disagreement_status"),
            models.UniqueConstraint(
                fields=["table"], condition=Q(status="open"), name="jackpot_disagreement_one_open_a_table"
            ),
            models.CheckConstraint(
                condition=Q(status="closed", proposal__isnull=False) & ~Q(cause="")
                | ~Q(status="closed") & Q(proposal__isnull=True, cause="", wagers=0),
                name="jackpot_disagreement_closed_by_two",
            ),
            together("fell_sequence", "fell_meter", name="jackpot_disagreement_fell"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(name="as_opened", fields=["table", "since", "opened_at"]),
            pgtrigger.Protect(
                name="closed_once", operation=pgtrigger.Update, condition=~pgtrigger.Q(old__status="open")
            ),
        ]

    @property
    def difference(self) -> int:
        return self.shown - self.counted

    def words(self) -> str:
        said = f"the meter of {self.table.code} shows {self.shown:,} wagers and {self.counted:,} were counted."
        fell = "" if self.fell_meter is None else f" It fell to {self.fell_meter:,}."
        most = f" Its controller restarted: up to {self.unseen:,} wagers were made that no reading shows."
        return f"{said}{fell}{most if self.unseen else ''}"
