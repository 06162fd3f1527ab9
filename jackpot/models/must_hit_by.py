"""Must-hit-by links: the wagers that count, and the seals by which the movements of the meter are decided."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value
from django.db.models.functions import Now

from draws.models import Commitment
from jackpot.models.checks import kept_for_good
from jackpot.models.links import Link
from jackpot.models.tables import Batch, Round, Table
from jackpot.rules.must_hit_by import Counted
from kernel.checks import together
from ledger.fields import MoneyField


class MeterSeal(models.Model):
    """One movement of a link's meter: the wagers that made it are sealed, then it is decided, once and for good."""

    link = models.ForeignKey(Link, models.PROTECT, related_name="meter_seals")
    level = models.TextField(null=True, help_text="where the link has several")  # noqa: DJ001  the only one has no name
    number = models.PositiveBigIntegerField(help_text="counts for ever on its link, without a gap")
    day = models.DateField(help_text="the gaming day whose promise decides it")
    commitment = models.ForeignKey(Commitment, models.PROTECT, related_name="+")
    root = models.BinaryField(help_text="over its wagers")
    count = models.PositiveIntegerField()
    moved = MoneyField(help_text="how far these wagers move the meter")
    sealed_at = models.DateTimeField(db_default=Now())
    attempt = models.PositiveSmallIntegerField(db_default=1)
    waits = models.BooleanField(db_default=False, help_text="the witness was away when it was asked")
    before = MoneyField(null=True, help_text="where the meter stood")
    after = MoneyField(null=True, help_text="and where it stands once this is decided")
    ceiling = MoneyField(null=True, help_text="by which it had to be hit")
    falls = models.JSONField(null=True, help_text="what fell: point, amount, wager, start of the next pool, hit")
    how = models.TextField(null=True, help_text="by whose word: the witness's, or what stood in its place")  # noqa: DJ001
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["link", "number"], name="jackpot_seal_number"),
            models.CheckConstraint(
                condition=Q(number__gte=1, count__gte=1, attempt__gte=1, moved__gt=Value(0)), name="jackpot_seal_moves"
            ),
            together("before", "after", "ceiling", "falls", "how", "decided_at", name="jackpot_seal_decided"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["link"], condition=Q(decided_at__isnull=True), name="jackpot_seal_undecided"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(
                name="as_sealed",
                fields=["link", "level", "number", "day", "commitment", "root", "count", "moved", "sealed_at"],
            ),
            pgtrigger.Protect(
                name="decided_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__decided_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return self.occasion

    @property
    def of_level(self) -> str:
        """The level, by its name."""
        return self.level or self.link.levels[0]

    @property
    def occasion(self) -> str:
        """What the witness is asked about."""
        return f"{self.commitment.name}/{self.number}"


class CountedWager(models.Model):
    """A wager whose round has ended, with its box: it moves the meter and may win. Written before it is sealed."""

    link = models.ForeignKey(Link, models.PROTECT, related_name="+")
    seal = models.ForeignKey(MeterSeal, models.PROTECT, null=True, related_name="wagers")
    wager = models.TextField()
    level = models.TextField(null=True, help_text="where the link has several")  # noqa: DJ001
    table = models.ForeignKey(Table, models.PROTECT, related_name="+")
    round = models.ForeignKey(Round, models.PROTECT, null=True, related_name="+")
    batch = models.ForeignKey(Batch, models.PROTECT, null=True, related_name="+")
    message = models.TextField(null=True)  # noqa: DJ001  of a round that was played here there is none
    box = models.PositiveSmallIntegerField()
    received = models.BigIntegerField(help_text="the second in which the end of its round came in, since 1970")
    increment = MoneyField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["wager", "level"], name="jackpot_counted_once", nulls_distinct=False),
            models.CheckConstraint(
                condition=Q(round__isnull=False, batch__isnull=True, message__isnull=True)
                | Q(round__isnull=True, batch__isnull=False, message__isnull=False),
                name="jackpot_counted_somewhere",
            ),
            models.CheckConstraint(condition=Q(box__gte=1, increment__gt=Value(0)), name="jackpot_counted_moves"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["link"], condition=Q(seal__isnull=True), name="jackpot_counted_unsealed"),
        ]
        triggers: ClassVar = [
            kept_for_good(),
            pgtrigger.ReadOnly(
                name="as_counted",
                fields=["link", "wager", "level", "table", "round", "batch", "message", "box", "received", "increment"],
            ),
            pgtrigger.Protect(
                name="sealed_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__seal__isnull=False)
            ),
        ]

    def as_sealed(self) -> Counted:
        return Counted(
            wager=self.wager,
            table=self.table.code,
            box=self.box,
            received=self.received,
            increment=self.increment,
        )


class ControllerRound(models.Model):
    """The last round of a table that its controller has told of: after it comes the next one, or there is a gap."""

    table = models.OneToOneField(Table, models.PROTECT, primary_key=True, related_name="+")
    number = models.PositiveBigIntegerField()
