from __future__ import annotations

from typing import Final

import pgtrigger
from django.db import models
from django.db.models import F, Func, Q, Value
from django.db.models.functions import Lower
from django.db.models.lookups import Exact, LessThanOrEqual

from house.models.approvals import Proposal
from kernel.authority import Authority
from kernel.checks import one_of, together, two_people

DOCUMENT_BYTES_LIMIT: Final = 5 * 1024 * 1024
_STANDS: Final = ~Q(status="discarded")


class LetterStatus(models.TextChoices):
    RECORDED = "recorded"  # by one person of the house; a second has to confirm it
    CONFIRMED = "confirmed"  # the proposal is approved by it; the authority has not countersigned yet
    COUNTERSIGNED = "countersigned"
    DISPUTED = "disputed"  # the authority says that it is not its own
    DISCARDED = "discarded"  # recorded wrongly, or not needed any more


class Letter(models.Model):
    """A letter in which an authority approves a proposal: who signed it, and the document itself.

    Two people of the house put it on record, and two people can invent a letter: until the authority countersigns in
    its own name, whatever is in force by it is marked so. The document never changes, and is what its hash says.
    """

    proposal = models.ForeignKey(Proposal, models.PROTECT, related_name="letters")
    authority = models.CharField(max_length=16)
    signed_by = models.CharField(max_length=120, help_text="the name under it")
    office = models.CharField(max_length=160)
    reference = models.CharField(max_length=80)
    dated = models.DateField()
    document = models.BinaryField()
    media_type = models.CharField(max_length=32)
    sha256 = models.CharField(max_length=64)
    status = models.CharField(max_length=16, choices=LetterStatus.choices, default=LetterStatus.RECORDED)
    recorded_by = models.CharField(max_length=80)
    recorded_at = models.DateTimeField()
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    confirmed_at = models.DateTimeField(null=True)
    answered_by = models.CharField(max_length=80, null=True, help_text="the inspector")  # noqa: DJ001
    answered_at = models.DateTimeField(null=True, help_text="countersigned, or disputed")
    discarded_by = models.CharField(max_length=80, null=True)  # noqa: DJ001
    discarded_at = models.DateTimeField(null=True)
    comment = models.TextField(blank=True)

    class Meta:
        ordering = ("-id",)
        constraints = (
            one_of("status", LetterStatus, name="house_letter_status_known"),
            one_of("authority", Authority, name="house_letter_authority_known"),
            two_people("recorded_by", "confirmed_by", name="house_letter_two_people"),
            together("confirmed_by", "confirmed_at", name="house_letter_confirmed"),
            together("answered_by", "answered_at", name="house_letter_answered"),
            together("discarded_by", "discarded_at", name="house_letter_discarded"),
            models.CheckConstraint(
                condition=Q(status="recorded", confirmed_by__isnull=True, answered_by__isnull=True)
                | Q(status="confirmed", confirmed_by__isnull=False, answered_by__isnull=True)
                | Q(status__in=["countersigned", "disputed"], confirmed_by__isnull=False, answered_by__isnull=False)
                | Q(status="discarded", confirmed_by__isnull=True, discarded_by__isnull=False),
                name="house_letter_by_status",
            ),
            models.CheckConstraint(
                condition=Exact(
                    F("sha256"),
                    Func(
                        Func(F("document"), function="sha256", output_field=models.BinaryField()),
                        Value("hex"),
                        function="encode",
                        output_field=models.TextField(),
                    ),
                ),
                name="house_letter_is_what_its_hash_says",
            ),
            models.CheckConstraint(
                condition=LessThanOrEqual(
                    Func(F("document"), function="octet_length", output_field=models.IntegerField()),
                    Value(DOCUMENT_BYTES_LIMIT),
                ),
                name="house_letter_document_size",
            ),
            # One letter approves one proposal: neither its paper nor its reference serves twice.
            models.UniqueConstraint(fields=["proposal"], condition=_STANDS, name="house_letter_one_a_proposal"),
            models.UniqueConstraint(fields=["sha256"], condition=_STANDS, name="house_letter_document_once"),
            models.UniqueConstraint(
                F("authority"), Lower("reference"), condition=_STANDS, name="house_letter_reference_once"
            ),
        )
        triggers = (
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(
                name="as_recorded",
                fields=[
                    "proposal",
                    "authority",
                    "signed_by",
                    "office",
                    "reference",
                    "dated",
                    "document",
                    "media_type",
                    "sha256",
                    "recorded_by",
                    "recorded_at",
                ],
            ),
            pgtrigger.Protect(
                name="answered_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__status__in=["countersigned", "disputed", "discarded"]),
            ),
        )
