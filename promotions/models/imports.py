"""Files of entries: what was brought in, by whom, who confirmed or rejected it; rows that wait or were refused."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q

from kernel.checks import one_of, together, two_people
from promotions.models.terms import KEPT, Promotion
from web.models import Work


class ImportState(models.TextChoices):
    WAITING = "waiting"
    CHECKED = "checked"  # every row has been looked at; now they are entered
    DONE = "done"
    REFUSED = "refused"  # all or nothing, and a row was bad; or the promotion had closed
    CANCELLED = "cancelled"


class Import(models.Model):
    """One file of entries and what became of it. Its rows wait in `ImportPart`; personal data leaves with them.

    What one person brought in is not sealed into a list before another has looked at it and confirmed it, or two have
    rejected it: then everything it entered is withdrawn.
    """

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="imports")
    name = models.CharField(max_length=200)
    sha256 = models.CharField(max_length=64)
    state = models.CharField(max_length=16, choices=ImportState.choices, default=ImportState.WAITING)
    all_or_nothing = models.BooleanField()
    total = models.IntegerField()
    checked = models.IntegerField(default=0)
    entered = models.IntegerField(default=0)
    refused = models.IntegerField(default=0)
    outcome = models.TextField(blank=True)
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    work = models.OneToOneField(Work, models.PROTECT, related_name="+")  # how far it is, and whether it is to stop
    finished_at = models.DateTimeField(null=True)
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    rejection_said_at = models.DateTimeField(null=True)
    rejection_said_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    rejection_why = models.CharField(max_length=200, blank=True)
    rejected_at = models.DateTimeField(null=True)
    rejected_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("-id",)
        constraints: ClassVar = [
            together("rejection_said_at", "rejection_said_by", name="promotions_import_rejection_said"),
            together("rejected_at", "rejected_by", name="promotions_import_rejected"),
            two_people("rejection_said_by", "rejected_by", name="promotions_import_rejected_by_two"),
            models.CheckConstraint(
                condition=Q(rejection_said_at__isnull=True, rejection_why="", rejected_at__isnull=True)
                | (Q(rejection_said_at__isnull=False) & ~Q(rejection_why="")),
                name="promotions_import_rejection_why",
            ),
            together("confirmed_at", "confirmed_by", name="promotions_import_confirmed"),
            two_people("made_by", "confirmed_by", name="promotions_import_two_people"),
            models.CheckConstraint(
                condition=Q(total__gte=0, checked__gte=0, entered__gte=0, refused__gte=0),
                name="promotions_import_counts",
            ),
            one_of("state", ImportState, name="promotions_import_state_known"),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "checked"], finished_at__isnull=True)
                | Q(state__in=["done", "refused", "cancelled"], finished_at__isnull=False),
                name="promotions_import_finished_when",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["id"], condition=Q(state__in=["waiting", "checked"]), name="promotions_import_waiting"
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="judged_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Condition(
                    "OLD.confirmed_at IS NOT NULL AND NEW.confirmed_at IS DISTINCT FROM OLD.confirmed_at"
                    " OR OLD.rejected_at IS NOT NULL AND NEW.rejected_at IS DISTINCT FROM OLD.rejected_at"
                    " OR OLD.finished_at IS NOT NULL AND NEW.entered IS DISTINCT FROM OLD.entered"
                ),
            ),
        ]


class ImportPart(models.Model):
    """Many rows of a file that are not entered yet, as `promotions.import_rows` writes them: gone once they are."""

    pk = models.CompositePrimaryKey("of_id", "place")
    of = models.ForeignKey(Import, models.CASCADE, related_name="parts", db_constraint=False, db_index=False)
    place = models.IntegerField(help_text="in the file, from 0")
    rows = models.BinaryField()

    fleeting: ClassVar = True


class ImportRow(models.Model):
    """A row of a file that was refused: where it is and why, and nothing of the person."""

    pk = models.CompositePrimaryKey("of_id", "line")
    of = models.ForeignKey(Import, models.CASCADE, related_name="rows", db_constraint=False, db_index=False)
    line = models.IntegerField(help_text="in the file, from 1, its heading counted")
    reference = models.TextField(blank=True)
    error = models.TextField()

    fleeting: ClassVar = True
