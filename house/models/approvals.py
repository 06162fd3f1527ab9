from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q

from house.models.checks import one_of, together, two_people


class ProposalStatus(models.TextChoices):
    PROPOSED = "proposed"
    APPROVED = "approved"  # decided; takes effect at its time or on its condition
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"
    EFFECTIVE = "effective"
    STALE = "stale"  # what it was to replace had changed meanwhile
    FAILED = "failed"  # approved, and no longer possible when its time came


class Proposal(models.Model):
    """Decision 11: a change as data (what, old, new, from when, why), decided by a second person, kept for good."""

    kind = models.CharField(max_length=64)
    subject = models.CharField(max_length=120)
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    effective_from = models.DateTimeField(null=True, help_text="empty: at once on approval, or on the condition")
    condition = models.CharField(max_length=32, blank=True, help_text="a named moment of the kind, such as when-won")
    why = models.TextField()
    status = models.CharField(max_length=16, choices=ProposalStatus.choices, default=ProposalStatus.PROPOSED)
    proposed_by = models.CharField(max_length=80)
    proposed_at = models.DateTimeField()
    decided_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    decided_at = models.DateTimeField(null=True)
    comment = models.TextField(blank=True)
    effective_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True, help_text="why it became stale or failed")

    class Meta:
        ordering = ("-id",)
        constraints = (
            one_of("status", ProposalStatus, name="house_proposal_status_known"),
            two_people("proposed_by", "decided_by", name="house_proposal_two_people"),
            together("decided_by", "decided_at", name="house_proposal_decided"),
            models.CheckConstraint(
                condition=(Q(status__in=["proposed", "withdrawn"], decided_by__isnull=True))
                | Q(status__in=["approved", "rejected", "effective", "stale", "failed"], decided_by__isnull=False),
                name="house_proposal_decided_by_status",
            ),
            models.CheckConstraint(
                condition=Q(status="effective", effective_at__isnull=False)
                | (~Q(status="effective") & Q(effective_at__isnull=True)),
                name="house_proposal_effective_when",
            ),
            models.CheckConstraint(
                condition=Q(condition="") | Q(effective_from__isnull=True), name="house_proposal_one_moment"
            ),
            models.CheckConstraint(condition=~Q(why=""), name="house_proposal_says_why"),
        )
        indexes = (
            models.Index(fields=["kind", "subject", "-id"], name="house_proposal_history"),
            models.Index(fields=["effective_from", "id"], condition=Q(status="approved"), name="house_proposal_due"),
        )
        triggers = (pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),)
