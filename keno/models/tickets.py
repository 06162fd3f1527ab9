"""Tickets and their plays. A ticket is stored once, however many games it plays: it covers a range of game numbers.

Rows are written by `keno.sell` and changed by `keno.cancel` alone, and only in where they stop playing.
"""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.contrib.postgres.indexes import BrinIndex
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce

from keno.models.fields import NumbersField, nothing
from kernel.checks import one_of, together
from ledger.fields import MoneyField


class TicketKind(models.TextChoices):
    """How the numbers came about (4.7). Jackpot, special schedule and the number of games are columns of their own."""

    STANDARD = "standard"
    WAY = "way"
    QUICK_PICK = "quick-pick"
    MYSTERY = "mystery"
    SET_BET = "set-bet"


class TicketStatus(models.TextChoices):
    ISSUED = "issued"
    CANCELLED = "cancelled"  # all of it; a ticket cancelled for its last games only stays issued
    VOIDED = "voided"  # by the house, for a breach of the rules (14.3)


class Ticket(models.Model):
    """A receipt ticket (1.2): what was sold, for which games, at what price, by whom."""

    # Random, so that it tells nothing about how many were sold. Collated "C": ticket order is the order of its bytes.
    serial = models.CharField(max_length=12, db_collation="C")
    kind = models.CharField(max_length=16, choices=TicketKind.choices)
    status = models.CharField(max_length=16, choices=TicketStatus.choices, default=TicketStatus.ISSUED)
    # [[1, 2, 3], [7, 8]], sorted within each group; a plain ticket has one group.
    groups = models.JSONField()
    schedule = models.CharField(max_length=16)
    # Which approved special 3 it was sold under (house_approvedvalue.id): later ones do not change what it pays.
    schedule_version = models.BigIntegerField(null=True)
    jackpot = models.BooleanField()
    set_bet = models.CharField(max_length=32, blank=True)
    games = models.IntegerField()
    first_game = models.BigIntegerField()
    last_game = models.BigIntegerField()
    # The last game that was paid for: those after it are the free ones (3.1a, 3.1b).
    charged_to = models.BigIntegerField()
    price_a_game = MoneyField(help_text="what each charged game cost: stakes, and the premium of a jackpot ticket")
    premium = MoneyField(help_text="the part of it that is the premium (4.7a)")
    price = MoneyField()
    change = MoneyField(default=nothing, help_text="given back in cash at the sale")
    sold_at = models.DateTimeField()
    day = models.DateField(help_text="the gaming day of issue")
    terminal = models.CharField(max_length=80, help_text="the device or person that sold it")
    writer = models.CharField(max_length=80)
    shift = models.ForeignKey("keno.Shift", models.DO_NOTHING, related_name="tickets", db_index=False)
    # Whose card it was bought with, if any: limits, exclusions and promotions ask. It is not on the paper.
    player = models.ForeignKey(
        "house.Player", models.DO_NOTHING, null=True, related_name="keno_tickets", db_index=False
    )
    # RFC 6962 leaf hash of what `keno.particulars` writes of it: its place in the ticket root.
    leaf = models.BinaryField()
    # What it adds to what each of its games could pay (`keno.rules.exposure`); unknown of what was sold before 2026-11.
    could_pay = MoneyField(null=True, help_text="the most that it could be paid in one game, alone in it")
    could_pay_minors = MoneyField(null=True, help_text="the most in prizes below $200")
    could_pay_held = MoneyField(null=True, help_text="the most with every major at the $200 it never falls below")
    # Which paper is good: a paid one is kept by the house (10.4), and the games to come go on with the next.
    paper = models.SmallIntegerField(default=1, db_default=1)
    cancelled_from = models.BigIntegerField(null=True, help_text="the first game that it does not play any more")
    cancelled_at = models.DateTimeField(null=True)
    cancelled_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # The last game that it really plays; below first_game once all of it is cancelled.
    plays_to = models.GeneratedField(
        expression=Coalesce(F("cancelled_from") - Value(1), F("last_game")),
        output_field=models.BigIntegerField(),
        db_persist=True,
    )

    class Meta:
        constraints: ClassVar = [
            # Not unique=True: that comes with a second index for LIKE, which nobody asks of a serial.
            models.UniqueConstraint(fields=["serial"], name="keno_ticket_serial"),
            one_of("kind", TicketKind, name="keno_ticket_kind_known"),
            one_of("status", TicketStatus, name="keno_ticket_status_known"),
            models.CheckConstraint(
                condition=Q(games__gte=1, last_game=F("first_game") + F("games") - Value(1)), name="keno_ticket_games"
            ),
            models.CheckConstraint(
                condition=Q(charged_to__gte=F("first_game"), charged_to__lte=F("last_game")),
                name="keno_ticket_charged",
            ),
            models.CheckConstraint(
                condition=Q(
                    price_a_game__gt=Value(0), price=F("price_a_game") * (F("charged_to") - F("first_game") + Value(1))
                ),
                name="keno_ticket_price",
            ),
            # $9,999.00 (3.1), in micro-dollars.
            models.CheckConstraint(condition=Q(price__lte=Value(9_999_000_000)), name="keno_ticket_most"),
            together("cancelled_from", "cancelled_at", "cancelled_by", name="keno_ticket_cancelled"),
            models.CheckConstraint(
                condition=Q(cancelled_from__isnull=True)
                | Q(cancelled_from__gte=F("first_game"), cancelled_from__lte=F("last_game")),
                name="keno_ticket_cancelled_from",
            ),
            models.CheckConstraint(
                condition=~Q(status="cancelled") | Q(cancelled_from=F("first_game")), name="keno_ticket_cancelled_whole"
            ),
        ]
        indexes: ClassVar = [
            # The tickets in a game: first_game <= n <= plays_to. Few tickets on record reach past the game at hand.
            models.Index(fields=["plays_to", "first_game"], name="keno_ticket_in_game"),
            # The same for games long over, where the one above would go through every ticket sold since. Tickets lie in
            # the order of their games, so a summary of every few pages is enough, and costs a sale next to nothing.
            BrinIndex(
                fields=["first_game", "plays_to"], name="keno_ticket_played", pages_per_range=32, autosummarize=True
            ),
            models.Index(fields=["shift", "id"], name="keno_ticket_shift"),
            models.Index(fields=["day", "id"], name="keno_ticket_day"),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            # 4.3: the record decides, so nothing that was sold changes, only where it stops.
            pgtrigger.Protect(
                name="as_sold",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(
                    exclude=["status", "cancelled_from", "cancelled_at", "cancelled_by", "plays_to", "paper"]
                ),
            ),
            # Where it stops playing, the game on sale cannot pay it any more.
            pgtrigger.Trigger(
                name="takes_its_exposure_along",
                operation=pgtrigger.UpdateOf("cancelled_from"),
                when=pgtrigger.After,
                condition=pgtrigger.Q(old__cancelled_from__isnull=True, new__could_pay__isnull=False),
                func="""
                    INSERT INTO keno_gameexposure (game, part, most, minors, held)
                    SELECT g.number, -NEW.id, -NEW.could_pay, -NEW.could_pay_minors, -NEW.could_pay_held
                    FROM keno_game g
                    WHERE g.status = 'open' AND g.number BETWEEN NEW.cancelled_from AND NEW.last_game;
                    RETURN NULL;
                """,
            ),
            pgtrigger.Trigger(
                name="one_paper_after_the_other",
                operation=pgtrigger.UpdateOf("paper"),
                when=pgtrigger.Before,
                condition=pgtrigger.AnyChange("paper"),
                func="""
                    IF NEW.paper <> OLD.paper + 1 THEN
                        RAISE check_violation USING CONSTRAINT = 'keno_ticket_one_paper_after_the_other',
                            MESSAGE = 'a ticket goes on with the next paper';
                    END IF;
                    RETURN NEW;
                """,
            ),
        ]

    def __str__(self) -> str:
        return self.serial


# The groups are text of digits, commas, brackets and blanks: without the brackets it is an array of all that is marked.
# By functions in C: a loop in PL/pgSQL would cost a sale several times as much (docs/decisions/0033).
_AS_TICKET = r"""
    SELECT t.schedule, t.schedule_version, t.first_game, t.charged_to, t.plays_to, t.jackpot AND NEW.spots IN (6, 8),
           CASE WHEN cardinality(m.marked) = NEW.spots THEN keno_bits(m.marked) END
    INTO NEW.schedule, NEW.schedule_version, NEW.first_game, NEW.charged_to, NEW.plays_to, NEW.jackpot, NEW.numbers
    FROM keno_ticket t
    CROSS JOIN LATERAL (SELECT ('{' || translate(t.groups::text, '[] ', '') || '}')::smallint[] AS marked) m
    WHERE t.id = NEW.ticket_id;
    IF NOT FOUND THEN
        RAISE foreign_key_violation USING CONSTRAINT = 'keno_play_of_a_ticket', MESSAGE = 'a play belongs to a ticket';
    END IF;
    RETURN NEW;
"""


class Play(models.Model):
    """One play of a ticket: all its ways of *spots* numbers. Carries what settlement needs, so that it reads no more.

    ``numbers`` is there exactly where the play is one way of all the marked numbers: matched in SQL. The others are
    counted from the ticket's groups (`keno.rules.ways`). Whoever writes a play, the database takes ``numbers`` and the
    other copies from its ticket: what pays cannot differ from what was sealed.
    """

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="plays", db_index=False)
    place = models.SmallIntegerField(help_text="its place on the ticket, from 0")
    spots = models.SmallIntegerField()
    ways = models.BigIntegerField()
    stake = MoneyField()
    numbers = NumbersField(null=True)
    jackpot = models.BooleanField(help_text="its ways are in the jackpot of that many numbers")
    schedule = models.CharField(max_length=16)
    schedule_version = models.BigIntegerField(null=True)
    first_game = models.BigIntegerField()
    charged_to = models.BigIntegerField()
    plays_to = models.BigIntegerField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ticket", "place"], name="keno_play_place"),
            models.CheckConstraint(
                condition=Q(spots__range=(1, 15), ways__gte=1, stake__gt=Value(0)), name="keno_play_possible"
            ),
            models.CheckConstraint(condition=Q(numbers__isnull=True) | Q(ways=1), name="keno_play_one_way"),
        ]
        indexes: ClassVar = [
            models.Index(fields=["plays_to", "first_game"], name="keno_play_in_game"),
            # Way tickets alone: what settlement counts by polynomial, and leaves out where it matches by bits.
            models.Index(
                fields=["plays_to", "first_game", "ticket"],
                condition=Q(numbers__isnull=True) | Q(place__gt=Value(0)),
                name="keno_play_of_ways",
            ),
        ]
        triggers: ClassVar = [
            pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete),
            pgtrigger.Protect(
                name="as_sold",
                operation=pgtrigger.Update,
                condition=pgtrigger.AnyChange(exclude=["plays_to"]),
            ),
            pgtrigger.Trigger(name="as_its_ticket", operation=pgtrigger.Insert, when=pgtrigger.Before, func=_AS_TICKET),
            pgtrigger.Trigger(
                name="stops_with_its_ticket",
                operation=pgtrigger.UpdateOf("plays_to"),
                when=pgtrigger.Before,
                condition=pgtrigger.AnyChange("plays_to"),
                func="""
                    SELECT t.plays_to INTO NEW.plays_to FROM keno_ticket t WHERE t.id = NEW.ticket_id;
                    RETURN NEW;
                """,
            ),
        ]


class TenderType(models.TextChoices):
    CASH = "cash"
    CHIPS = "chips"
    VOUCHER = "voucher"  # of an approved type
    KENO_VOUCHER = "keno-voucher"
    TICKET = "ticket"  # a winning one


class Tender(models.Model):
    """What was handed over for a ticket (4.6), one row each."""

    ticket = models.ForeignKey(Ticket, models.DO_NOTHING, related_name="tenders", db_index=False)
    place = models.SmallIntegerField()
    type = models.CharField(max_length=16, choices=TenderType.choices)
    amount = MoneyField()
    reference = models.CharField(max_length=64, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["ticket", "place"], name="keno_tender_place"),
            one_of("type", TenderType, name="keno_tender_type_known"),
            models.CheckConstraint(condition=Q(amount__gt=Value(0)), name="keno_tender_positive"),
            # Cash and chips have no reference; the others have, and it is spent once, ever.
            models.CheckConstraint(
                condition=Q(type__in=["cash", "chips"], reference="")
                | (Q(type__in=["voucher", "keno-voucher", "ticket"]) & ~Q(reference="")),
                name="keno_tender_reference",
            ),
            models.UniqueConstraint(
                fields=["type", "reference"], condition=Q(type__in=["voucher", "keno-voucher"]), name="keno_tender_once"
            ),
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]
