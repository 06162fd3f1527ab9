from __future__ import annotations

from typing import ClassVar

from django.db import models
from django.db.models import Q

from kernel.checks import one_of


class WorkState(models.TextChoices):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


OVER = (WorkState.DONE, WorkState.FAILED, WorkState.CANCELLED)


class Work(models.Model):
    """Long work somebody asked for, how far it is, and what became of it (``web.work``)."""

    kind = models.CharField(max_length=64)
    asked = models.JSONField(default=dict)
    state = models.CharField(max_length=16, choices=WorkState.choices, default=WorkState.WAITING)
    done = models.BigIntegerField(default=0)
    total = models.BigIntegerField(default=0)
    outcome = models.TextField(blank=True)
    file = models.CharField(max_length=200, blank=True, help_text="its name in the work folder")
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    told_at = models.DateTimeField(null=True, help_text="when the worker last told how far it is")
    cancel_asked = models.BooleanField(default=False)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar = [
            one_of("state", WorkState, name="web_work_state_known"),
            models.CheckConstraint(condition=Q(done__gte=0, total__gte=0), name="web_work_counts"),
            models.CheckConstraint(
                condition=Q(state__in=OVER, finished_at__isnull=False)
                | (~Q(state__in=OVER) & Q(finished_at__isnull=True)),
                name="web_work_finished_when_over",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["id"], condition=Q(finished_at__isnull=True), name="web_work_unfinished")
        ]

    @property
    def is_over(self) -> bool:
        return self.finished_at is not None

    @property
    def percent(self) -> int:
        """Never 100 before it is done: the last steps are not counted."""
        if self.state == WorkState.DONE:
            return 100
        return min(99, self.done * 100 // self.total) if self.total else 0
