"""Tournaments of every game (act-keno:15, act-cp:16 and their like): entries, places, prizes."""

from __future__ import annotations

from typing import ClassVar

import pgtrigger
from django.db import models
from django.db.models import Q, Value

from house.models import ApprovedValue
from kernel.checks import together, two_people
from kernel.money import ZERO, Money
from ledger.fields import MoneyField


def nothing() -> Money:
    return ZERO


KEPT = pgtrigger.Protect(name="kept_for_good", operation=pgtrigger.Delete)


class Tournament(models.Model):
    """One tournament, from its first entry on; it is played under the conditions of that moment."""

    kind = models.CharField(max_length=32, help_text="whose it is: keno, promotions")
    code = models.CharField(max_length=32)
    terms = models.JSONField(help_text="the approved conditions, as they were when it opened")
    conditions = models.ForeignKey(ApprovedValue, models.PROTECT, related_name="+")
    approved_by = models.CharField(max_length=80)
    approved_at = models.DateTimeField()
    opened_at = models.DateTimeField()
    sealed_at = models.DateTimeField(null=True, help_text="when the list of entries was sealed for the lot")
    scored_at = models.DateTimeField(null=True)
    scored_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # Scores that a person writes down stand once another has written down the same.
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    finished_at = models.DateTimeField(null=True)
    finished_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    # One proposes to call it off, another decides; neither hands a fee back.
    cancelled_at = models.DateTimeField(null=True)
    cancelled_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    cancel_proposed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    cancel_reason = models.TextField(blank=True)
    fees = MoneyField(null=True)
    retained = MoneyField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "code"], name="tournaments_tournament_code"),
            together("scored_at", "scored_by", name="tournaments_tournament_scored"),
            together("confirmed_at", "confirmed_by", name="tournaments_tournament_confirmed"),
            together("finished_at", "finished_by", "fees", "retained", name="tournaments_tournament_finished"),
            together("cancelled_at", "cancelled_by", "cancel_proposed_by", name="tournaments_tournament_cancelled"),
            two_people("cancelled_by", "cancel_proposed_by", name="tournaments_tournament_cancelled_by_two"),
            models.CheckConstraint(
                condition=Q(finished_at__isnull=True)
                | Q(scored_at__isnull=False, confirmed_at__isnull=False, cancelled_at__isnull=True),
                name="tournaments_tournament_scored_first",
            ),
            two_people("scored_by", "confirmed_by", name="tournaments_tournament_two_people"),
            models.CheckConstraint(
                condition=Q(fees__isnull=True) | Q(retained__gte=Value(0), fees__gt=models.F("retained")),
                name="tournaments_tournament_balance",
            ),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(
                name="opened_for_good",
                fields=["kind", "code", "terms", "conditions", "approved_by", "approved_at", "opened_at"],
            ),
            pgtrigger.Protect(
                name="over_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__finished_at__isnull=False) | pgtrigger.Q(old__cancelled_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def entry_fee(self) -> Money:
        return Money.parse(self.terms["entry_fee"])


class TournamentEntry(models.Model):
    """One player in one tournament: the fee paid; once it is over score, place and prize, and the payment."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="entries", db_index=False)
    player = models.CharField(max_length=120, help_text="whose card it is, by name")
    card = models.CharField(max_length=32, help_text="the player card that was shown, in its one form")
    numbers = models.JSONField(null=True, help_text="what the player marked, in a game where he does")
    fee = MoneyField()
    drawer = models.CharField(max_length=80, help_text="the account that took the fee")
    entered_at = models.DateTimeField()
    day = models.DateField()
    entered_by = models.CharField(max_length=80)
    rebought = MoneyField(default=nothing, help_text="what was paid for rebuys, all together")
    # Where he plays: as it was drawn by lot, or assigned.
    heat = models.IntegerField(null=True)
    table = models.CharField(max_length=32, blank=True)
    seat = models.IntegerField(null=True)
    score = models.BigIntegerField(null=True, help_text="points, chips, or micro-dollars; the more the better")
    # After the heats: what decided a tie for the last place, whether he is in the final, and how he plays there.
    tie_score = models.BigIntegerField(null=True, help_text="in the play-off or the lot; the more the better")
    in_final = models.BooleanField(null=True, help_text="unknown until the heats are closed")
    final_table = models.CharField(max_length=32, blank=True, default="")
    final_seat = models.IntegerField(null=True)
    final_score = models.BigIntegerField(null=True)
    place = models.IntegerField(null=True)
    prize = MoneyField(null=True)
    # From the reporting threshold by cheque, made out to somebody who showed who he is; above the limit by two people.
    authorised_at = models.DateTimeField(null=True)
    authorised_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    paid_at = models.DateTimeField(null=True)
    paid_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    paid_how = models.CharField(max_length=16, blank=True)
    cheque_number = models.CharField(max_length=32, blank=True, help_text="of the cheque or the transfer")
    # One person says that the fee of this entry goes back, and why; another hands it over, or says so, too, and then a
    # device on the floor may.
    refund_authorised_at = models.DateTimeField(null=True)
    refund_authorised_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    refund_seconded_at = models.DateTimeField(null=True)
    refund_seconded_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    refund_reason = models.TextField(blank=True, default="")
    refunded_at = models.DateTimeField(null=True)
    refunded_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(fee__gt=Value(0)), name="tournaments_entry_fee"),
            models.CheckConstraint(condition=Q(rebought__gte=Value(0)), name="tournaments_entry_rebought"),
            together("heat", "seat", name="tournaments_entry_seated"),
            models.UniqueConstraint(fields=["tournament", "heat", "table", "seat"], name="tournaments_entry_own_seat"),
            models.UniqueConstraint(
                fields=["tournament", "final_table", "final_seat"], name="tournaments_entry_own_final_seat"
            ),
            models.CheckConstraint(
                condition=Q(in_final__isnull=False, in_final=True)
                | Q(final_seat__isnull=True, final_score__isnull=True),
                name="tournaments_entry_in_final",
            ),
            models.CheckConstraint(
                condition=Q(place__isnull=True)
                | Q(in_final__isnull=True)
                | Q(in_final=True, final_score__isnull=False),
                name="tournaments_entry_ranked_by_final",
            ),
            together("place", "prize", name="tournaments_entry_ranked"),
            models.CheckConstraint(
                condition=Q(place__isnull=True) | Q(score__isnull=False, prize__gte=Value(0)),
                name="tournaments_entry_scored_first",
            ),
            together("authorised_at", "authorised_by", name="tournaments_entry_authorised"),
            two_people("paid_by", "authorised_by", name="tournaments_entry_two_people"),
            together("paid_at", "paid_by", name="tournaments_entry_paid"),
            together("refunded_at", "refunded_by", name="tournaments_entry_refunded"),
            together("refund_authorised_at", "refund_authorised_by", name="tournaments_entry_refund_authorised"),
            two_people("refunded_by", "refund_authorised_by", name="tournaments_entry_refund_two_people"),
            together("refund_seconded_at", "refund_seconded_by", name="tournaments_entry_refund_seconded"),
            two_people("refund_authorised_by", "refund_seconded_by", name="tournaments_entry_refund_by_another"),
            models.CheckConstraint(
                condition=Q(refunded_at__isnull=True) | Q(place__isnull=True),
                name="tournaments_entry_refunded_or_ranked",
            ),
            models.CheckConstraint(
                condition=Q(paid_at__isnull=True) | (Q(prize__gt=Value(0), refunded_at__isnull=True) & ~Q(paid_how="")),
                name="tournaments_entry_paid_a_prize",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["tournament", "id"], name="tournaments_entry_of")]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.ReadOnly(
                name="as_entered",
                fields=["tournament", "player", "card", "numbers", "fee", "drawer", "entered_at", "day", "entered_by"],
            ),
            pgtrigger.Protect(
                name="qualified_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__in_final__isnull=False)
                & (
                    pgtrigger.Q(old__heat__df=pgtrigger.F("new__heat"))
                    | pgtrigger.Q(old__score__df=pgtrigger.F("new__score"))
                    | pgtrigger.Q(old__tie_score__df=pgtrigger.F("new__tie_score"))
                    | pgtrigger.Q(old__in_final__df=pgtrigger.F("new__in_final"))
                ),
            ),
            pgtrigger.Protect(
                name="paid_once",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__paid_at__isnull=False) | pgtrigger.Q(old__refunded_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} in {self.tournament_id}"

    @property
    def paid_in(self) -> Money:
        """The fee and every rebuy: what becomes prizes, or goes back."""
        return Money.total([self.fee, self.rebought])


class TournamentRound(models.Model):
    """What comes after the heats: a play-off or a lot between those who tie for the last place, and the final."""

    tournament = models.ForeignKey(Tournament, models.PROTECT, related_name="rounds", db_index=False)
    name = models.CharField(max_length=16, help_text="ties, final")
    opened_at = models.DateTimeField()
    opened_by = models.CharField(max_length=80)
    sealed_at = models.DateTimeField(null=True, help_text="when the list of its entries was sealed for the lot")
    scored_at = models.DateTimeField(null=True)
    scored_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.CharField(max_length=80, null=True)  # noqa: DJ001  unknown is not empty

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "name"], name="tournaments_round_once"),
            together("scored_at", "scored_by", name="tournaments_round_scored"),
            together("confirmed_at", "confirmed_by", name="tournaments_round_confirmed"),
            two_people("scored_by", "confirmed_by", name="tournaments_round_two_people"),
        ]
        triggers: ClassVar = [
            KEPT,
            pgtrigger.Protect(
                name="stands_for_good",
                operation=pgtrigger.Update,
                condition=pgtrigger.Q(old__confirmed_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} of {self.tournament_id}"


class TournamentRebuy(models.Model):
    """Chips bought again by a player who is in, as the conditions allow it."""

    entry = models.ForeignKey(TournamentEntry, models.PROTECT, related_name="rebuys")
    number = models.IntegerField(help_text="1 for the first rebuy of this entry")
    price = MoneyField()
    drawer = models.CharField(max_length=80, help_text="the account that took it")
    at = models.DateTimeField()
    day = models.DateField()
    by = models.CharField(max_length=80)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["entry", "number"], name="tournaments_rebuy_number"),
            models.CheckConstraint(condition=Q(number__gte=1, price__gt=Value(0)), name="tournaments_rebuy_price"),
        ]
        triggers: ClassVar = [pgtrigger.Protect(name="append_only", operation=pgtrigger.Update | pgtrigger.Delete)]

    def __str__(self) -> str:
        return f"rebuy {self.number} of {self.entry_id}"
