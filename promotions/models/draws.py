"""Draws: what was promised, the drawn order, who won what by it, and which prizes were lost and drawn again.

A promotion has one draw and one promise; an attempt that is void is followed by another, from the same master and the
same list. What was promised, asked and drawn stands: triggers refuse to change it. Only what became of an entry
(`Pick.outcome`) follows the losses.
"""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from draws.models import Commitment
from kernel.checks import one_of, together
from promotions.models.entries import Entry, EntryList
from promotions.models.terms import APPEND_ONLY, KEPT, Promotion, TermsVersion

# What is decided before the witness is asked, besides whose entries are passed over: all of it, or nothing.
FIXED = (
    "begun_at",
    "begun_by",
    "begun_act",
    "entry_list",
    "version",
    "scrutinised",
    "prizes",
    "alternates",
    "one_prize_a_person",
)


class Draw(models.Model):
    """One attempt at the draw of a promotion; at most one is not void.

    It begins with the promotion, and again when an attempt is void. Before the witness is asked (*begun_at*) everything
    that decides is fixed: the list, the terms, how many prizes, and whose entries are passed over (*barred*). *numbers*
    are places in the sealed list, from 1, in the order drawn; a prize that is drawn again appends to them.
    *void_numbers* are those that a void attempt gave, or would have given.
    """

    promotion = models.ForeignKey(Promotion, models.PROTECT, related_name="draws")
    attempt = models.SmallIntegerField()
    promise = models.ForeignKey(Commitment, models.PROTECT, related_name="+", help_text="one for every attempt")
    made_at = models.DateTimeField()
    made_by = models.CharField(max_length=80)
    # 17.2, 15.2: nominated by the operator; there at the draw; signs what came of it.
    scrutineer = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    nominated_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    attended_at = models.DateTimeField(null=True)
    signed_at = models.DateTimeField(null=True)
    signed_result = models.CharField(max_length=64, blank=True, help_text="SHA-256 of the outcome that was signed")
    # Before the witness is asked: all of these, or none.
    begun_at = models.DateTimeField(null=True)
    begun_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    begun_act = models.BigIntegerField(null=True, help_text="the row of the log by which it was fixed")
    entry_list = models.ForeignKey(EntryList, models.PROTECT, null=True, related_name="draws")
    version = models.ForeignKey(TermsVersion, models.PROTECT, null=True, related_name="draws")
    scrutinised = models.BooleanField(null=True, help_text="whether the rules asked for a scrutineer")
    prizes = models.IntegerField(null=True)
    alternates = models.IntegerField(null=True)
    one_prize_a_person = models.BooleanField(null=True)
    barred = ArrayField(models.BigIntegerField(), default=list)
    # The draw.
    drawn_at = models.DateTimeField(null=True)
    drawn_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    numbers = ArrayField(models.BigIntegerField(), default=list)
    published_at = models.DateTimeField(null=True)
    voided_at = models.DateTimeField(null=True)
    voided_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    void_reason = models.TextField(blank=True)
    void_numbers = ArrayField(models.BigIntegerField(), default=list)

    class Meta:
        ordering = ("promotion", "attempt")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["promotion", "attempt"], name="promotions_draw_attempts_counted"),
            models.UniqueConstraint(
                fields=["promotion"], condition=Q(voided_at__isnull=True), name="promotions_draw_one_stands"
            ),
            models.CheckConstraint(condition=Q(attempt__gte=1), name="promotions_draw_attempts_from_one"),
            together("scrutineer", "nominated_by", name="promotions_draw_nominated"),
            models.CheckConstraint(
                condition=Q(scrutineer__isnull=True) | Q(scrutineer__startswith="staff:"),
                name="promotions_draw_scrutineer_is_a_person",
            ),
            models.CheckConstraint(
                condition=Q(attended_at__isnull=True) | Q(scrutineer__isnull=False), name="promotions_draw_attended"
            ),
            models.CheckConstraint(
                condition=Q(signed_at__isnull=True, signed_result="")
                | (
                    Q(signed_at__isnull=False, attended_at__isnull=False, drawn_at__isnull=False) & ~Q(signed_result="")
                ),
                name="promotions_draw_signed",
            ),
            # Two people: who draws is not who watches.
            models.CheckConstraint(
                condition=Q(scrutineer__isnull=True) | Q(drawn_by__isnull=True) | ~Q(scrutineer=F("drawn_by")),
                name="promotions_draw_scrutineer_is_another",
            ),
            models.CheckConstraint(
                condition=Q(scrutineer__isnull=True) | Q(begun_by__isnull=True) | ~Q(scrutineer=F("begun_by")),
                name="promotions_draw_begun_by_another",
            ),
            together(*FIXED, name="promotions_draw_begun_whole"),
            models.CheckConstraint(
                condition=Q(begun_at__isnull=False) | Q(barred=[]), name="promotions_draw_barred_when_begun"
            ),
            together("drawn_at", "drawn_by", name="promotions_draw_whole"),
            models.CheckConstraint(
                condition=Q(drawn_at__isnull=True, numbers=[]) | Q(drawn_at__isnull=False, begun_at__isnull=False),
                name="promotions_draw_numbers_when_drawn",
            ),
            # 17.2, 15.2: no draw without the scrutineer where there must be one, no result without the signature.
            models.CheckConstraint(
                condition=Q(scrutinised__isnull=True) | Q(scrutinised=False) | Q(attended_at__lte=F("begun_at")),
                name="promotions_draw_overseen",
            ),
            models.CheckConstraint(
                condition=Q(published_at__isnull=True)
                | (Q(drawn_at__isnull=False) & (Q(scrutinised=False) | Q(signed_at__isnull=False))),
                name="promotions_draw_published_when_signed",
            ),
            together("voided_at", "voided_by", name="promotions_draw_voided"),
            models.CheckConstraint(
                condition=Q(voided_at__isnull=True, void_reason="", void_numbers=[])
                | (Q(voided_at__isnull=False, begun_at__isnull=False) & ~Q(void_reason="")),
                name="promotions_draw_void_says_why",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(name="promised", fields=["promotion", "attempt", "promise", "made_at", "made_by"]),
            pgtrigger.Trigger(
                name="official_record",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF OLD.begun_at IS NOT NULL AND (
                            (NEW.begun_at, NEW.begun_by, NEW.begun_act, NEW.entry_list_id, NEW.version_id,
                             NEW.scrutinised, NEW.prizes, NEW.alternates, NEW.one_prize_a_person, NEW.barred)
                            IS DISTINCT FROM
                            (OLD.begun_at, OLD.begun_by, OLD.begun_act, OLD.entry_list_id, OLD.version_id,
                             OLD.scrutinised, OLD.prizes, OLD.alternates, OLD.one_prize_a_person, OLD.barred)
                            OR OLD.attended_at IS NOT NULL AND (NEW.scrutineer, NEW.attended_at)
                            IS DISTINCT FROM (OLD.scrutineer, OLD.attended_at))
                        OR OLD.drawn_at IS NOT NULL AND (
                            (NEW.drawn_at, NEW.drawn_by) IS DISTINCT FROM (OLD.drawn_at, OLD.drawn_by)
                            OR NEW.numbers[1:cardinality(OLD.numbers)] <> OLD.numbers)
                        OR OLD.signed_at IS NOT NULL AND (NEW.signed_at, NEW.signed_result)
                            IS DISTINCT FROM (OLD.signed_at, OLD.signed_result)
                        OR OLD.voided_at IS NOT NULL AND (NEW.voided_at, NEW.numbers, NEW.drawn_at, NEW.void_numbers)
                            IS DISTINCT FROM (OLD.voided_at, OLD.numbers, OLD.drawn_at, OLD.void_numbers)
                    THEN
                        RAISE check_violation USING CONSTRAINT = 'promotions_draw_official_record',
                            MESSAGE = 'what a draw has recorded stands';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]


class Outcomes(models.TextChoices):
    WINNER = "winner"
    ALTERNATE = "alternate"
    PASSED_OVER = "passed-over"
    LOST = "lost"


class Pick(models.Model):
    """One drawn entry: its place in the drawn order, its number in the sealed list, and what became of it.

    *path* are the neighbours that lead from its leaf to the root, 32 bytes each. *person* is the made-up name under
    which it is published: the same for all entries of one entrant in this draw.
    """

    draw = models.ForeignKey(Draw, models.PROTECT, related_name="picks", db_index=False)
    place = models.IntegerField()
    number = models.BigIntegerField()
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="picks")
    person = models.CharField(max_length=16)
    path = models.BinaryField()
    outcome = models.CharField(max_length=16, choices=Outcomes.choices)
    prize = models.IntegerField(null=True, help_text="from 1, in the order of the terms, each single one counted")

    class Meta:
        ordering = ("draw", "place")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["draw", "place"], name="promotions_pick_place"),
            models.UniqueConstraint(fields=["draw", "number"], name="promotions_pick_once"),
            models.UniqueConstraint(
                fields=["draw", "prize"], condition=Q(outcome="winner"), name="promotions_pick_one_winner"
            ),
            one_of("outcome", Outcomes, name="promotions_pick_outcome_known"),
            models.CheckConstraint(
                condition=Q(outcome__in=["winner", "lost"], prize__gte=1)
                | Q(outcome__in=["alternate", "passed-over"], prize__isnull=True),
                name="promotions_pick_prize_when_won",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(name="as_drawn", fields=["draw", "place", "number", "entry", "person", "path"]),
        ]


class LossReason(models.TextChoices):
    ABSENT = "absent", "did not come forward when called"
    INELIGIBLE = "ineligible", "was found not to be eligible"
    DENIED = "denied", "the claim was denied"
    UNCLAIMED = "unclaimed", "not claimed in time"
    DECLINED = "declined", "did not want it"


class Loss(models.Model):
    """A prize that its winner lost, in the order recorded; *redraw*: the next in the drawn order won it."""

    draw = models.ForeignKey(Draw, models.PROTECT, related_name="losses")
    place = models.IntegerField()
    reason = models.CharField(max_length=16, choices=LossReason.choices)
    redraw = models.BooleanField()
    at = models.DateTimeField()
    by = models.CharField(max_length=80)

    class Meta:
        ordering = ("id",)
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["draw", "place"], name="promotions_loss_once"),
            one_of("reason", LossReason, name="promotions_loss_reason_known"),
        ]
        triggers: ClassVar = [APPEND_ONLY]
