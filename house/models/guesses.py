"""What was tried at the door and was not right. Counted here; the log gets one act a burst (house/guesses.py)."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models

from house.models.staff import Staff


class Guesses(models.Model):
    """How often somebody was tried at a place since it last went well, and when the next try is heard."""

    step = models.CharField(max_length=16)
    who = models.CharField(max_length=32, help_text="a keyed hash of the name as typed: it may be a password")
    place = models.CharField(max_length=64)
    tries = models.PositiveIntegerField()
    tried_at = models.DateTimeField()
    heard_at = models.DateTimeField(help_text="the next try is heard from then on")

    fleeting: ClassVar = True

    class Meta:
        constraints = (models.UniqueConstraint(fields=["step", "who", "place"], name="house_guesses_once"),)
        indexes = (models.Index(fields=["tried_at"], name="house_guesses_by_time"),)


class KnownPlace(models.Model):
    """An address or browser from which this person has signed in, both steps."""

    person = models.ForeignKey(Staff, on_delete=models.CASCADE, related_name="known_places")
    place = models.CharField(max_length=64)
    last_at = models.DateTimeField()

    fleeting: ClassVar = True

    class Meta:
        constraints = (models.UniqueConstraint(fields=["person", "place"], name="house_known_place_once"),)


class Burst(models.Model):
    """Failures that follow each other. One act when it is over, one incident when it passes the limit."""

    step = models.CharField(max_length=16)
    person = models.CharField(max_length=32, help_text="a user name, or “unknown” for every name that nobody has")
    failures = models.PositiveIntegerField()
    addresses = ArrayField(models.CharField(max_length=64), help_text="the first few")
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    fleeting: ClassVar = True

    class Meta:
        constraints = (models.UniqueConstraint(fields=["step", "person"], name="house_burst_once"),)
