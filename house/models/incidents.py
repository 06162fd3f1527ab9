from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Func, Q
from django.db.models.lookups import IsNull

from house.models.venue import GamingDay
from kernel.checks import one_of, together


class IncidentStatus(models.TextChoices):
    OPEN = "open"
    CLOSED = "closed"


class Incident(models.Model):
    """Something that went wrong or had to be reported, and what was done about it."""

    kind = models.CharField(max_length=64)
    clause = models.CharField(max_length=40, blank=True)
    what = models.TextField()
    happened_at = models.DateTimeField()
    gaming_day = models.ForeignKey(GamingDay, null=True, on_delete=models.PROTECT, related_name="incidents")
    subject = models.CharField(max_length=120, blank=True)
    concerns = ArrayField(
        models.CharField(max_length=80), default=list, db_default=[], help_text="whom it is about, and who caused it"
    )
    reported_by = models.CharField(max_length=80)
    reported_at = models.DateTimeField()
    status = models.CharField(max_length=16, choices=IncidentStatus.choices, default=IncidentStatus.OPEN)
    closed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    closed_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            one_of("status", IncidentStatus, name="house_incident_status_known"),
            together("closed_by", "closed_at", name="house_incident_closed_by_somebody"),
            models.CheckConstraint(
                condition=Q(status="open", closed_at__isnull=True) | Q(status="closed", closed_at__isnull=False),
                name="house_incident_closed_when",
            ),
            models.CheckConstraint(condition=~Q(what=""), name="house_incident_says_what"),
            models.CheckConstraint(
                condition=IsNull(
                    Func(F("concerns"), F("closed_by"), function="array_position", output_field=models.IntegerField()),
                    True,
                ),
                name="house_incident_closed_by_another",
            ),
        )
        indexes = (models.Index(fields=["gaming_day", "-id"], name="house_incident_by_day"),)
        triggers = (pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),)


class Notice(models.Model):
    """Somebody who must be told, and by when; or somebody told beyond duty, then without a time."""

    incident = models.ForeignKey(Incident, on_delete=models.PROTECT, related_name="notices")
    to = models.CharField(max_length=64)
    deadline = models.CharField(max_length=32, blank=True)
    due_at = models.DateTimeField(null=True)
    told_at = models.DateTimeField(null=True)

    class Meta:
        ordering = (
            "due_at",
            "id",
        )
        constraints = (models.UniqueConstraint(fields=["incident", "to"], name="house_notice_once"),)
        indexes = (
            models.Index(
                fields=["due_at"], condition=Q(told_at__isnull=True, due_at__isnull=False), name="house_notice_owed"
            ),
        )


class NoticeAttempt(models.Model):
    """Each time somebody told, or tried to tell, the addressee. Never changed afterwards."""

    notice = models.ForeignKey(Notice, on_delete=models.PROTECT, related_name="attempts")
    at = models.DateTimeField()
    by = models.CharField(max_length=80)
    how = models.CharField(max_length=80)
    reached = models.BooleanField()
    reference = models.CharField(max_length=120, blank=True)
    notes = models.TextField(blank=True)

    class Meta:
        ordering = (
            "at",
            "id",
        )
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)
