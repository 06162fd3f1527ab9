from __future__ import annotations

import pgtrigger
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from kernel.authority import Authority
from kernel.checks import one_of, together, two_people


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
    authority = models.CharField(max_length=16, help_text="whose approval the rule asks for")
    old = models.JSONField(null=True)
    new = models.JSONField(null=True)
    effective_from = models.DateTimeField(null=True, help_text="empty: at once on approval, or on the condition")
    condition = models.CharField(max_length=32, blank=True, help_text="a named moment of the kind, such as when-won")
    why = models.TextField()
    status = models.CharField(max_length=16, choices=ProposalStatus.choices, default=ProposalStatus.PROPOSED)
    proposed_by = models.CharField(max_length=80)
    proposed_at = models.DateTimeField()
    # Where the kind asks for it: another person of the house, who stood behind it before its authority decided.
    seconded_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    decided_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    decided_at = models.DateTimeField(null=True)
    by_letter = models.BooleanField(
        default=False, db_default=False, help_text="decided by a letter of the authority; decided_by confirmed it"
    )
    comment = models.TextField(blank=True)
    effective_at = models.DateTimeField(null=True)
    outcome = models.TextField(blank=True, help_text="why it became stale or failed")

    class Meta:
        ordering = ("-id",)
        constraints = (
            one_of("status", ProposalStatus, name="house_proposal_status_known"),
            one_of("authority", Authority, name="house_proposal_authority_known"),
            two_people("proposed_by", "decided_by", name="house_proposal_two_people"),
            two_people("proposed_by", "seconded_by", name="house_proposal_seconded_by_another"),
            two_people("decided_by", "seconded_by", name="house_proposal_decided_by_a_third"),
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
            models.CheckConstraint(
                condition=Q(by_letter=False) | (~Q(authority="house") & Q(decided_by__isnull=False)),
                name="house_proposal_letter_of_authority",
            ),
            models.CheckConstraint(
                condition=~Q(authority="commission") | Q(decided_by__isnull=True) | Q(by_letter=True),
                name="house_proposal_commission_by_letter",
            ),
        )
        indexes = (
            models.Index(fields=["kind", "subject", "-id"], name="house_proposal_history"),
            models.Index(fields=["effective_from", "id"], condition=Q(status="approved"), name="house_proposal_due"),
        )
        triggers = (pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),)

    @property
    def countersigned(self) -> bool:
        """Whether the authority has said in its own name that the letter is its own."""
        return self.by_letter and self.letters.filter(status="countersigned").exists()

    @property
    def disputed(self) -> bool:
        return self.by_letter and self.letters.filter(status="disputed").exists()


class ApprovedValue(models.Model):
    """A value that had to be approved, in one of its versions: a set bet, a table's sign, the look of the boards.

    The latest version of (kind, code) is in force; null says that it is withdrawn. Never changed: what was sold,
    entered or played under a version points at it for good. Read it through ``house.approved``, which knows its type.
    """

    kind = models.CharField(max_length=64, help_text="the kind of change, as a proposal names it")
    code = models.CharField(max_length=64, help_text="which one of that kind")
    version = models.PositiveIntegerField(help_text="from 1, of this kind and code")
    value = models.JSONField(null=True, help_text="in the kind's shape; null: withdrawn")
    since = models.DateTimeField(db_default=Now())
    authority = models.CharField(max_length=16)
    approved_by = models.CharField(max_length=80)
    proposal = models.ForeignKey(Proposal, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["kind", "code", "version"], name="house_approvedvalue_version"),
            models.CheckConstraint(condition=Q(version__gt=0), name="house_approvedvalue_from_one"),
            one_of("authority", Authority, name="house_approvedvalue_authority_known"),
            # Without a proposal nobody decided: only the demo or the installation starts with such a value.
            models.CheckConstraint(
                condition=Q(proposal__isnull=False) | Q(approved_by__startswith="system:"),
                name="house_approvedvalue_decided",
            ),
        )
        triggers = (pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete),)
