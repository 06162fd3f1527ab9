"""Suspicious matters. Who sees one has the power to, and is not concerned by it (``house.cash.matters``)."""

from __future__ import annotations

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from house.models.cash import CashLine, Customer
from house.models.incidents import Incident
from house.models.players import Player
from kernel.checks import together, two_people
from kernel.retention import ERASED, YEARS_BY_LAW
from kernel.triggers import changed

# When the law keeps it no longer, and all of it at once.
_IS_ERASED = (
    f"NEW.what = '{ERASED}' AND NEW.reference = '' AND NEW.salt = '' AND NEW.concerns = '{{}}' "
    "AND NEW.name_marks = '{}' AND NEW.player_id IS NULL AND NEW.customer_id IS NULL "
    f"AND coalesce(OLD.sent_at, OLD.agreed_at) < now() - INTERVAL '{YEARS_BY_LAW} years'"
)
_SAID = changed("what", "reference", "player_id", "customer_id", "concerns", "name_marks", "salt")
_ENDED = changed("sent_at", "sent_by", "sent_reference", "dismissed_at", "dismissed_by", "agreed_at", "agreed_by")
_WHY = changed("dismissed_why")


class SuspiciousMatter(models.Model):
    """Somebody suspects something: a payment, a player, or what he saw. Reported to the authority, or dismissed by two.

    Nothing of it is in the log but that a confidential record was kept, with the hash of what it says.
    """

    what = models.TextField(help_text="what was seen, and why it is suspicious")
    terrorism = models.BooleanField(help_text="about the financing of terrorism: the shorter deadline")
    reference = models.CharField(max_length=120, blank=True, help_text="of a payment, as people call it")
    line = models.ForeignKey(CashLine, models.PROTECT, null=True, related_name="+")
    player = models.ForeignKey(Player, models.PROTECT, null=True, related_name="+")
    customer = models.ForeignKey(Customer, models.PROTECT, null=True, related_name="+")
    concerns = ArrayField(models.CharField(max_length=80), default=list, help_text="staff whom it is about")
    name_marks = ArrayField(
        models.CharField(max_length=64), default=list, help_text="keyed hashes of the names that it is about"
    )
    raised_at = models.DateTimeField()
    raised_by = models.CharField(max_length=80)
    salt = models.CharField(max_length=64, help_text="of the hash in the log: nobody guesses the words from it")
    due_at = models.DateTimeField(help_text="the first moment at which its report is late")
    late_incident = models.ForeignKey(Incident, models.PROTECT, null=True, related_name="+")
    sent_at = models.DateTimeField(null=True)
    sent_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    sent_reference = models.CharField(max_length=80, blank=True)
    # Not suspicious after all: one says why, another agrees. Until then it is due.
    dismissed_at = models.DateTimeField(null=True)
    dismissed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    dismissed_why = models.TextField(blank=True)
    agreed_at = models.DateTimeField(null=True)
    agreed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints = (
            together("sent_at", "sent_by", name="house_matter_sent"),
            together("dismissed_at", "dismissed_by", name="house_matter_dismissed"),
            together("agreed_at", "agreed_by", name="house_matter_agreed"),
            two_people("dismissed_by", "agreed_by", name="house_matter_two_people"),
            models.CheckConstraint(condition=~Q(what=""), name="house_matter_says_what"),
            models.CheckConstraint(
                condition=Q(dismissed_at__isnull=True) | ~Q(dismissed_why=""), name="house_matter_dismissed_why"
            ),
            models.CheckConstraint(
                condition=Q(agreed_at__isnull=True) | Q(dismissed_at__isnull=False, sent_at__isnull=True),
                name="house_matter_sent_or_dismissed",
            ),
        )
        indexes = (models.Index(fields=["due_at"], condition=Q(sent_at=None, agreed_at=None), name="house_matter_due"),)
        triggers = (
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="as_raised", fields=["terrorism", "line", "raised_at", "raised_by", "due_at"]
            ),
            pgtrigger.Protect(
                name="said_kept",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(f"NOT ({_IS_ERASED}) AND ({_SAID})"),
            ),
            pgtrigger.Protect(
                name="ended_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "coalesce(OLD.sent_at, OLD.agreed_at) IS NOT NULL "
                    f"AND ({_ENDED} OR ({_WHY} AND NOT ({_IS_ERASED} AND NEW.dismissed_why = '{ERASED}')))"
                ),
            ),
        )  # fmt: skip

    @property
    def is_open(self) -> bool:
        return self.sent_at is None and self.agreed_at is None
