"""The sealed trigger points of must-hit-by links, one after the other."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from chance.commitment import Occasion
from jackpot.models.checks import kept_for_good
from jackpot.models.hits import Hit
from jackpot.models.links import Link
from kernel.checks import one_of
from ledger.fields import MoneyField

PURPOSE = "jackpot-mystery"


class TriggerStatus(models.TextChoices):
    RUNNING = "running"
    REACHED = "reached"
    WITHDRAWN = "withdrawn"  # its link was retired, or other bounds were approved: nobody won it
    VOID = "void"  # its seed does not open any more


class TriggerPoint(models.Model):
    """A point between floor and ceiling that nobody knows before a wager reaches it; then everybody can check it."""

    Status = TriggerStatus

    link = models.ForeignKey(Link, models.PROTECT, related_name="trigger_points")
    number = models.PositiveIntegerField()
    floor = MoneyField(help_text="what was displayed when it was sealed; the point lies above it")
    ceiling = MoneyField(help_text="the point is not above it")
    commitment = models.BinaryField()
    encrypted_seed = models.BinaryField()
    # Where its meter began: this much, after so many wagers of that transfer. What came later counts for it.
    start = MoneyField()
    after_transfer = models.BigIntegerField()
    after_wager = models.BigIntegerField(db_default=0)
    status = models.TextField(choices=TriggerStatus.choices, db_default=TriggerStatus.RUNNING)
    sealed_at = models.DateTimeField(db_default=Now())
    ended_at = models.DateTimeField(null=True)
    seed = models.BinaryField(null=True)
    point = MoneyField(null=True)
    hit = models.OneToOneField(Hit, models.PROTECT, null=True, related_name="trigger_point")

    class Meta:
        constraints: ClassVar = [
            one_of("status", TriggerStatus, name="jackpot_trigger_status"),
            models.UniqueConstraint(fields=["link", "number"], name="jackpot_trigger_number"),
            models.UniqueConstraint(fields=["link"], condition=Q(status="running"), name="jackpot_trigger_one_running"),
            models.CheckConstraint(condition=Q(floor__lt=F("ceiling")), name="jackpot_trigger_range"),
            models.CheckConstraint(
                condition=Q(point__isnull=True) | Q(point__gt=F("floor"), point__lte=F("ceiling")),
                name="jackpot_trigger_in_range",
            ),
            models.CheckConstraint(
                condition=Q(status="running", ended_at__isnull=True, seed__isnull=True, point__isnull=True, hit=None)
                | Q(
                    status="reached", ended_at__isnull=False, seed__isnull=False, point__isnull=False, hit__isnull=False
                )
                | Q(status="withdrawn", ended_at__isnull=False, seed__isnull=False, point__isnull=False, hit=None)
                | Q(status="void", ended_at__isnull=False, seed__isnull=True, point__isnull=True, hit=None),
                name="jackpot_trigger_steps",
            ),
        ]
        triggers: ClassVar = [kept_for_good()]

    @property
    def occasion(self) -> Occasion:
        return Occasion(purpose=PURPOSE, game=self.link.code, attempt=self.number)
