"""What is kept of a draw between two parties: the promised master, and what stood in for a witness that was away."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from chance.two_party import How, Promise
from kernel.checks import together

_PUBLISHED = ("commitment", "escrow", "act", "made_at")


class Commitment(models.Model):
    """One master, promised before anything depends on it and revealed when nothing does any more. Of one name there is
    another only where a new witness was appointed before it opened; the last one counts."""

    id = models.BigAutoField(primary_key=True)
    venue = models.TextField()
    purpose = models.TextField()
    name = models.TextField()
    device = models.TextField()
    witness = models.TextField()
    witness_key = models.BinaryField()
    beacon = models.TextField(blank=True)
    commitment = models.BinaryField()
    encrypted_master = models.BinaryField()  # by a key of this installation; another only when an inspector restores it
    escrow = models.BinaryField()
    act = models.BigIntegerField()  # the row of the log by which it was promised
    made_at = models.DateTimeField(db_default=Now())
    master = models.BinaryField(null=True)
    revealed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["purpose", "name", "witness_key"], name="draws_promised_once"),
            models.UniqueConstraint(
                fields=["purpose", "name"], condition=Q(master__isnull=True), name="draws_one_to_be_kept"
            ),
            together("master", "revealed_at", name="draws_revealed"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(master__isnull=True), name="draws_to_be_kept"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="promised",
                fields=["venue", "purpose", "name", "device", "witness", "witness_key", "beacon", *_PUBLISHED],
            ),
            pgtrigger.Protect(
                name="revealed_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__master__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.name}"

    @property
    def promise(self) -> Promise:
        return Promise(
            venue=self.venue,
            purpose=self.purpose,
            name=self.name,
            device=self.device,
            witness_key=bytes(self.witness_key),
            beacon=self.beacon,
        )


class Replacement(models.Model):
    """What stands in the place of the witness's answer to one attempt, by an inspector's act. Never changed."""

    class Way(models.TextChoices):
        DICE = How.DICE.value
        BEACON = How.BEACON.value

    id = models.BigAutoField(primary_key=True)
    purpose = models.TextField()
    occasion = models.TextField()
    attempt = models.IntegerField()
    how = models.TextField(choices=Way.choices)
    round = models.BigIntegerField(null=True)  # that was named, while it was still to come
    said = models.BinaryField(null=True)  # null until that round is there
    why = models.TextField()
    by = models.TextField()
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["purpose", "occasion", "attempt"], name="draws_replaced_once"),
            models.CheckConstraint(condition=Q(how__in=["dice", "beacon"]), name="draws_replaced_how"),
            models.CheckConstraint(
                condition=Q(how="dice", round__isnull=True, said__isnull=False) | Q(how="beacon", round__isnull=False),
                name="draws_replaced_by_what",
            ),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="as_decided", fields=["purpose", "occasion", "attempt", "how", "round", "why", "by", "at"]
            ),
            pgtrigger.Protect(
                name="said_once", operation=pgtrigger.Update, condition=pgtrigger.Q(old__said__isnull=False)
            ),
        ]


class BeaconRound(models.Model):
    """The beacon's round that takes part in an attempt, where its promise named a beacon. Never changed."""

    id = models.BigAutoField(primary_key=True)
    purpose = models.TextField()
    occasion = models.TextField()
    attempt = models.IntegerField()
    round = models.BigIntegerField()
    signature = models.BinaryField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["purpose", "occasion", "attempt"], name="draws_beacon_once"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.Protect(name="as_heard", operation=pgtrigger.Update),
        ]
