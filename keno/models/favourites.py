"""A player's usual tickets, kept under his card so that a writer sells them again with a key."""

from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q


class Favourite(models.Model):
    """What a player plays, under the name he gave it. Personal data, and no record of anything: it is forgotten when he
    says so. What was sold is on its ticket."""

    player = models.ForeignKey("house.Player", models.CASCADE, related_name="keno_favourites")
    name = models.CharField(max_length=40)
    request = models.JSONField(help_text="the ticket asked for, as the API takes it")
    kept_at = models.DateTimeField()
    kept_by = models.CharField(max_length=80)

    fleeting: ClassVar = True

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["player", "name"], name="keno_favourite_once"),
            models.CheckConstraint(condition=~Q(name=""), name="keno_favourite_named"),
        ]

    def __str__(self) -> str:
        return self.name
