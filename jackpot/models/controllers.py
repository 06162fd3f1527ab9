"""What tables' controllers are known by: when each was last heard of, and the running meters that some of them send."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q

from jackpot.models.checks import kept_for_good
from jackpot.models.tables import Table


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
