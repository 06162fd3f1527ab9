"""What an inspector has decided about a dispute (14.6)."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q


class DisputeReview(models.Model):
    """The operator decides a dispute; an inspector may review it, in his own name, once."""

    incident = models.OneToOneField("house.Incident", models.PROTECT, related_name="+")
    decision = models.TextField()
    decided_by = models.CharField(max_length=80)
    decided_at = models.DateTimeField()
    # What the operator had decided before, where he had.
    operators = models.TextField(blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(decision=""), name="keno_disputereview_says_what"),
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]
