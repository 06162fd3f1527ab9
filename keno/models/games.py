"""Games and the attempts at drawing them.

One numbered series of games, never restarted: rows are never deleted and the next number is the last one plus one.
Times are UTC. At most one game is open; the one after it is scheduled. Ask ``keno.locks.hold_game_on_sale`` for the
open one before selling, and ``keno.locks.hold_before_first_number`` before cancelling.

A ticket plays in game n if first_game <= n <= plays_to. Its set is sealed once, after the close: what was cancelled
between that and the asking is kept (LateCancellation), so that a ticket root can be computed again years later.
"""

from __future__ import annotations

from datetime import timedelta
from typing import ClassVar

import pgtrigger
from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import BigIntegerField, F, Func, Q
from django.db.models.functions import Now
from django.db.models.lookups import Exact

from keno.acts import game_subject
from keno.steps import CHANGES, Status
from kernel.checks import one_of, together
from ledger.fields import MoneyField


class GameStatus(models.TextChoices):
    SCHEDULED = Status.SCHEDULED.value
    OPEN = Status.OPEN.value
    CLOSED = Status.CLOSED.value
    SEALED = Status.SEALED.value
    DRAWING = Status.DRAWING.value
    DRAWN = Status.DRAWN.value
    SETTLED = Status.SETTLED.value
    INVALIDATED = Status.INVALIDATED.value


class DrawDevice(models.TextChoices):
    RNG = "rng"
    MECHANICAL = "mechanical"


class InvalidationCause(models.TextChoices):
    """14.1 lists the first six, 14.4 the last two."""

    CIVIL_COMMOTION = "civil-commotion"
    FIRE = "fire"
    RIOT = "riot"
    BRAWL = "brawl"
    ROBBERY = "robbery"
    ACT_OF_GOD = "act-of-god"
    IMPRACTICAL = "impractical"
    FRAUD = "fraud"


PACE_AT_FIRST = timedelta(milliseconds=2_500)  # of a new house, and of the demo: each ball is seen to come


class KenoSettings(models.Model):
    """How the venue runs its games. One row; changes hold from the next game on."""

    id = models.SmallIntegerField(primary_key=True, default=1)
    device = models.CharField(max_length=16, choices=DrawDevice.choices, default=DrawDevice.RNG)
    interval = models.DurationField(default=timedelta(minutes=3), help_text="from one close to the next")
    draw_after = models.DurationField(default=timedelta(seconds=5), help_text="from the close to the first number")
    pace = models.DurationField(default=timedelta(milliseconds=500), help_text="from one number to the next")
    balls_confirmed = models.BooleanField(default=False, help_text="a second person reads the twenty balls back")
    # Not a setting but how far a chore has come: the gaming day of the last whole look for unclaimed prizes (11.2).
    unclaimed_swept = models.DateField(null=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(id=1), name="keno_settings_one_row"),
            one_of("device", DrawDevice, name="keno_settings_device_known"),
            # A draw is over before the next game closes, so that games are drawn in their order without a queue.
            models.CheckConstraint(
                condition=Q(interval__gt=F("draw_after") + F("pace") * 20)
                & Q(draw_after__gte=timedelta(0))
                & Q(pace__gte=timedelta(0)),
                name="keno_settings_draw_fits",
            ),
        )

    @classmethod
    def current(cls) -> KenoSettings:
        """A real house begins with a second person reading balls back; the demo does without."""
        begins = {"balls_confirmed": not settings.DEMO, "pace": PACE_AT_FIRST}
        return cls.objects.filter(pk=1).first() or cls.objects.get_or_create(pk=1, defaults=begins)[0]


class Game(models.Model):
    """One game: *closes_at* is when it should close, *closed_at* when it did.

    *sealed_at* is when its set of tickets was sealed, which never changes. *asked_at* is when it was first locked for
    the witness to be asked, *began_at* when its first number ever was recorded; both stay when that attempt is void:
    from then on no entry can be cancelled (6.1). *gaming_day* is the date of the gaming day it is to be drawn on; a
    game left over at the close of a day moves to the next (4.5).
    """

    number = models.BigIntegerField(primary_key=True)
    status = models.CharField(max_length=16, choices=GameStatus.choices, default=GameStatus.SCHEDULED)
    device = models.CharField(max_length=16, choices=DrawDevice.choices)
    gaming_day = models.DateField()
    opens_at = models.DateTimeField()
    closes_at = models.DateTimeField()
    opened_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True)
    sealed_at = models.DateTimeField(null=True)
    ticket_root = models.BinaryField(null=True)
    ticket_count = models.BigIntegerField(null=True)
    # What was paid for the game by the tickets in the set, summed where they are read to be sealed.
    sealed_stakes = MoneyField(null=True)
    asked_at = models.DateTimeField(null=True)
    began_at = models.DateTimeField(null=True)
    drawn_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    invalidated_at = models.DateTimeField(null=True)
    invalidated_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    invalidation_cause = models.CharField(max_length=32, choices=InvalidationCause.choices, blank=True)
    invalidation_reason = models.TextField(blank=True)
    # Set once the jackpots' share of its stakes is booked (5.3).
    contributed_at = models.DateTimeField(null=True)
    # How far the winners are written: the id of the last ticket matched. Settlement goes on from here after a crash.
    matched_upto = models.BigIntegerField(null=True)
    # What it came to, when settled: {"tickets", "stakes", "prizes", "winners", "biggest", "majors", "jackpots"}.
    totals = models.JSONField(null=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            one_of("status", GameStatus, name="keno_game_status_known"),
            one_of("device", DrawDevice, name="keno_game_device_known"),
            models.CheckConstraint(condition=Q(number__gte=1), name="keno_game_numbered_from_one"),
            models.CheckConstraint(condition=Q(opens_at__lt=F("closes_at")), name="keno_game_opens_first"),
            models.UniqueConstraint(fields=["status"], condition=Q(status="open"), name="keno_game_one_open"),
            models.UniqueConstraint(fields=["status"], condition=Q(status="scheduled"), name="keno_game_one_scheduled"),
            models.UniqueConstraint(fields=["status"], condition=Q(status="drawing"), name="keno_game_one_drawing"),
            # Each status with the times it implies, and none that it excludes.
            models.CheckConstraint(
                condition=Q(status="scheduled", opened_at__isnull=True)
                | (~Q(status="scheduled") & Q(opened_at__isnull=False)),
                name="keno_game_opened_when",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["scheduled", "open"], closed_at__isnull=True)
                | Q(status__in=["closed", "sealed", "drawing", "drawn", "settled"], closed_at__isnull=False)
                | Q(status="invalidated"),
                name="keno_game_closed_when",
            ),
            # No attempt without a sealed set of tickets, and none sealed before the close.
            models.CheckConstraint(
                condition=Q(status__in=["scheduled", "open", "closed"], sealed_at__isnull=True)
                | Q(status__in=["sealed", "drawing", "drawn", "settled"], sealed_at__isnull=False)
                | Q(status="invalidated"),
                name="keno_game_sealed_when",
            ),
            together("sealed_at", "ticket_root", "ticket_count", "sealed_stakes", name="keno_game_sealed_whole"),
            models.CheckConstraint(
                condition=Q(asked_at__isnull=True) | Q(sealed_at__isnull=False), name="keno_game_asked_when_sealed"
            ),
            models.CheckConstraint(
                condition=Q(status__in=["scheduled", "open", "closed"], began_at__isnull=True)
                | Q(status__in=["drawing", "drawn", "settled"], began_at__isnull=False)
                | Q(status__in=["sealed", "invalidated"]),
                name="keno_game_began_when",
            ),
            models.CheckConstraint(
                condition=Q(status__in=["scheduled", "open", "closed", "sealed", "drawing"], drawn_at__isnull=True)
                | Q(status__in=["drawn", "settled"], drawn_at__isnull=False)
                | Q(status="invalidated"),
                name="keno_game_drawn_when",
            ),
            models.CheckConstraint(
                condition=Q(status="settled", settled_at__isnull=False, totals__isnull=False)
                | (~Q(status="settled") & Q(settled_at__isnull=True, totals__isnull=True)),
                name="keno_game_settled_when",
            ),
            models.CheckConstraint(
                condition=(
                    Q(status="invalidated", invalidated_at__isnull=False)
                    & ~Q(invalidation_reason="")
                    & Q(invalidation_cause__in=InvalidationCause.values)
                )
                | (
                    ~Q(status="invalidated")
                    & Q(invalidated_at__isnull=True, invalidation_reason="", invalidation_cause="")
                ),
                name="keno_game_invalidated_why",
            ),
            together("invalidated_at", "invalidated_by", name="keno_game_invalidated_by_somebody"),
            models.CheckConstraint(
                condition=Q(matched_upto__isnull=True) | Q(status__in=["drawn", "settled", "invalidated"]),
                name="keno_game_matched_when_drawn",
            ),
            models.CheckConstraint(
                condition=Q(contributed_at__isnull=True) | Q(closed_at__isnull=False),
                name="keno_game_contributes_once_closed",
            ),
        )
        indexes = (
            models.Index(
                fields=["number"], condition=~Q(status__in=["settled", "invalidated"]), name="keno_game_unfinished"
            ),
            models.Index(fields=["gaming_day", "number"], name="keno_game_by_day"),
        )
        triggers = (
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="named_for_good", fields=["number"]),
            pgtrigger.FSM(name="transitions", field="status", transitions=CHANGES),
            # The set is sealed once, and who was asked about it cannot be unasked.
            pgtrigger.Trigger(
                name="sealed_once",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF OLD.sealed_at IS NOT NULL
                            AND (NEW.sealed_at, NEW.ticket_root, NEW.ticket_count, NEW.sealed_stakes)
                                IS DISTINCT FROM (OLD.sealed_at, OLD.ticket_root, OLD.ticket_count, OLD.sealed_stakes)
                        OR OLD.asked_at IS NOT NULL AND NEW.asked_at IS DISTINCT FROM OLD.asked_at
                    THEN
                        RAISE check_violation USING CONSTRAINT = 'keno_game_sealed_once',
                            MESSAGE = 'a set of tickets is sealed once, and asked about for good';
                    END IF;
                    RETURN NEW;
                """,
            ),
        )

    def __str__(self) -> str:
        return f"game {self.number}"

    @property
    def subject(self) -> str:
        """What the log calls it."""
        return game_subject(self.number)


class Draw(models.Model):
    """One attempt at drawing a game; at most one is not void. *numbers* stand in the order drawn.

    By random number generator: the numbers follow from the game's one master (``draws.Commitment``) and from what was
    said when the witness was asked, under the number *asked*. By mechanical device: nobody is asked. The set of tickets
    is the game's, the same for every attempt.
    """

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, models.PROTECT, related_name="draws")
    attempt = models.SmallIntegerField()
    device = models.CharField(max_length=16, choices=DrawDevice.choices)
    made_at = models.DateTimeField(db_default=Now())
    # The number under which the witness is asked: attempts that ask nobody (balls, or void before) have none.
    asked = models.SmallIntegerField(null=True)
    # Since when it is known that the witness is away, while it was.
    waits_since = models.DateTimeField(null=True)
    # What was paid for the game by the tickets that play in it: those sealed, without what was cancelled since.
    stakes = MoneyField(null=True)
    numbers = ArrayField(models.SmallIntegerField(), default=list)
    began_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    voided_at = models.DateTimeField(null=True)
    voided_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    void_reason = models.TextField(blank=True)
    # What would have come, published with the decision that it is void.
    would_be = ArrayField(models.SmallIntegerField(), default=list)
    # By which two people and the inspector have decided it, once the witness had been asked.
    void_proposal = models.ForeignKey("house.Proposal", models.PROTECT, null=True, related_name="+")
    # Mechanical: the count before the draw, of an approved set (2.1, 12.2); who entered balls, and who read them back.
    balls_counted = models.SmallIntegerField(null=True)
    counted_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    ball_set = models.CharField(max_length=16, null=True)  # noqa: DJ001  unknown is not empty
    entered_by = ArrayField(models.CharField(max_length=80), default=list)
    read_back_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        ordering = ("game", "attempt")
        constraints = (
            models.UniqueConstraint(fields=["game", "attempt"], name="keno_draw_attempts_counted"),
            models.UniqueConstraint(fields=["game"], condition=Q(voided_at__isnull=True), name="keno_draw_one_stands"),
            one_of("device", DrawDevice, name="keno_draw_device_known"),
            models.CheckConstraint(condition=Q(attempt__gte=1), name="keno_draw_attempts_from_one"),
            models.UniqueConstraint(fields=["game", "asked"], name="keno_draw_asked_once"),
            models.CheckConstraint(
                condition=Q(asked__isnull=True) | Q(device="rng", asked__gte=1), name="keno_draw_balls_ask_nobody"
            ),
            # No number of a generator that nobody else had a part in.
            models.CheckConstraint(
                condition=Q(began_at__isnull=True) | Q(device="mechanical") | Q(asked__isnull=False),
                name="keno_draw_asked_when_begun",
            ),
            together("began_at", "stakes", name="keno_draw_stakes_when_begun"),
            models.CheckConstraint(
                condition=Q(waits_since__isnull=True) | Q(asked__isnull=False), name="keno_draw_waits_once_asked"
            ),
            models.CheckConstraint(
                condition=Q(began_at__isnull=False) | Q(numbers=[]), name="keno_draw_numbers_when_begun"
            ),
            models.CheckConstraint(condition=Q(numbers__len__lte=20), name="keno_draw_at_most_twenty"),
            # Numbers of 1 to 80 (keno_bits fails on others), none twice: as many bits as numbers.
            models.CheckConstraint(
                condition=Exact(
                    Func(
                        Func(F("numbers"), function="keno_bits"), function="bit_count", output_field=BigIntegerField()
                    ),
                    Func(F("numbers"), function="cardinality", output_field=BigIntegerField()),
                ),
                name="keno_draw_numbers_different",
            ),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True) | Q(numbers__len=20), name="keno_draw_finished_with_twenty"
            ),
            together("voided_at", "voided_by", name="keno_draw_voided_by_somebody"),
            models.CheckConstraint(
                condition=Q(voided_at__isnull=True, void_reason="") | (Q(voided_at__isnull=False) & ~Q(void_reason="")),
                name="keno_draw_void_says_why",
            ),
            models.CheckConstraint(
                condition=Q(would_be=[]) | Q(would_be__len=20, voided_at__isnull=False), name="keno_draw_would_be_void"
            ),
            together("balls_counted", "counted_by", "ball_set", name="keno_draw_counted_by_somebody"),
            models.CheckConstraint(
                condition=Q(device="mechanical") | Q(balls_counted__isnull=True, entered_by=[]),
                name="keno_draw_balls_are_mechanical",
            ),
            # 2.1, 12.2: no ball of a set that was not counted, and found whole.
            models.CheckConstraint(
                condition=Q(device="rng") | Q(began_at__isnull=True) | Q(balls_counted__isnull=False, balls_counted=80),
                name="keno_draw_counted_first",
            ),
            models.CheckConstraint(
                condition=Q(read_back_by__isnull=True) | Q(finished_at__isnull=False), name="keno_draw_read_back_whole"
            ),
        )
        triggers = (
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.ReadOnly(name="promised", fields=["game", "attempt", "device"]),
            # 12.1: the numbers recorded are the official record. A generator's are only ever added to; a ball may fall
            # back into the machine until the draw is complete (12.4b). What was recorded wrongly is put right after
            # that by the decision of two people alone, and only to what they decided.
            pgtrigger.Trigger(
                name="official_record",
                operation=pgtrigger.Update,
                when=pgtrigger.Before,
                func="""
                    IF (OLD.numbers IS DISTINCT FROM NEW.numbers AND (
                            OLD.voided_at IS NOT NULL OR OLD.finished_at IS NOT NULL AND NOT EXISTS (
                                SELECT FROM keno_resettlement r
                                WHERE r.game_id = OLD.game_id AND r.recorded = OLD.numbers AND r.numbers = NEW.numbers)
                            OR OLD.device = 'rng' AND NEW.numbers[1:cardinality(OLD.numbers)] <> OLD.numbers))
                        OR OLD.asked IS NOT NULL AND NEW.asked IS DISTINCT FROM OLD.asked
                        OR OLD.stakes IS NOT NULL AND NEW.stakes IS DISTINCT FROM OLD.stakes
                        OR OLD.finished_at IS NOT NULL AND NEW.finished_at IS DISTINCT FROM OLD.finished_at
                        OR OLD.voided_at IS NOT NULL AND NEW.voided_at IS DISTINCT FROM OLD.voided_at
                    THEN
                        RAISE check_violation USING CONSTRAINT = 'keno_draw_official_record',
                            MESSAGE = 'what a draw has recorded stands';
                    END IF;
                    RETURN NEW;
                """,
            ),
        )


class Match(models.Model):
    """Winning ways of a way ticket in a game that is being settled, by play and matches: a batch at a time, so that a
    settlement that stops half-way goes on where it was. Gone once the prizes are written."""

    id = models.BigAutoField(primary_key=True)
    game = models.ForeignKey(Game, models.DO_NOTHING, related_name="matches", db_index=False)
    ticket_id = models.BigIntegerField()
    place = models.SmallIntegerField()
    spots = models.SmallIntegerField()
    matches = models.SmallIntegerField()
    ways = models.BigIntegerField()
    stake = MoneyField()
    prize = MoneyField(help_text="of one way, before majors and jackpots are settled")
    jackpot = models.BooleanField()

    fleeting: ClassVar = True

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["game", "ticket_id", "place", "matches"], name="keno_match_once"),
        )
