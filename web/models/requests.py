"""Request keys (decision 10): what each caller asked under which key, and what it was answered."""

from __future__ import annotations

from typing import ClassVar

from django.db import models


class RequestKey(models.Model):
    """One keyed request. Written in the transaction of its effect: the row is there exactly if the effect is."""

    actor = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    method = models.CharField(max_length=10)
    path = models.TextField()
    body_hash = models.BinaryField(max_length=32)  # SHA-256 of method, path and the body as canonical JSON
    status = models.PositiveSmallIntegerField(null=True)  # null only inside the effect's own transaction
    answer = models.TextField(default="")  # as sent, without its secrets: a replay is the same, not a similar one
    created_at = models.DateTimeField(db_index=True)

    fleeting: ClassVar = True

    class Meta:
        constraints = (models.UniqueConstraint(fields=["actor", "key"], name="web_requestkey_once_an_actor"),)
