"""Calls about tournaments: entering, finishing, paying."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash import IdentityIn, identity_of
from keno import tournaments
from keno.api.forms import Numbers
from keno.permissions import PAY, PAY_LARGE, SEE, SELL, TOURNAMENT
from kernel.actors import Actor
from kernel.money import Money
from tournaments.api.forms import NOT_PAID_YET, CallOffIn, CallOffOut, EntryInAnyGame, to_be_called_off
from tournaments.models import TournamentEntry
from tournaments.queries import entries_of
from web.fields import MoneyField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.view import HouseView, Paging, listing, verb


class ScoreField(MoneyField):
    """What an entry would have won; the row keeps it in micro-dollars."""

    def to_representation(self, value: Any) -> str:
        return super().to_representation(Money(value))


class TournamentEntryOut(EntryInAnyGame):
    numbers = serializers.ListField(child=WholeNumber())
    score = ScoreField(allow_null=True)
    example = shown(
        {
            "id": 12,
            "tournament": "SPRING",
            "player": "Anna Marsh",
            "card": "C-1001",
            "numbers": [4, 8, 15, 16],
            "fee": "50.00",
            "entered_at": "2026-11-16T21:04:00+11:00",
            "score": None,
            "place": None,
            "prize": None,
        }
        | NOT_PAID_YET
    )


class TournamentEntryIn(StrictSerializer):
    card = Text(max_length=32, help_text="The player card that was shown; an unknown one is refused.")
    numbers = Numbers()
    identity = IdentityIn(required=False, help_text="Who the player is, from the approved limit on.")
    example = shown({"card": "C-1001", "numbers": [4, 8, 15, 16]})


class Entries(HouseView):
    @listing(permission=SEE, gives=TournamentEntryOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[TournamentEntry]:
        """The entries of a tournament; once it is finished with score, place and prize."""
        return entries_of(tournaments.KENO, code)

    @verb(permission=SELL, takes=TournamentEntryIn, gives=TournamentEntryOut, status=201)
    def post(self, by: Actor, data: TournamentEntryIn, *, code: str) -> TournamentEntry:
        """Enter the player of a card in an approved tournament; the fee is taken in cash."""
        return tournaments.enter_tournament(
            code=code,
            card=data.card,
            numbers=data.numbers,
            identity=identity_of(data.identity),
            by=by,
        )


class RankedOut(StrictSerializer):
    results = TournamentEntryOut(many=True, help_text="The first place first.")
    example = shown({"results": [TournamentEntryOut.example]})


class Finish(HouseView):
    @verb(permission=TOURNAMENT, gives=RankedOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Score and rank the entries, once every game is over."""
        return {"results": tournaments.finish_tournament(code=code, by=by)}


class CallOff(HouseView):
    @verb(permission=TOURNAMENT, takes=CallOffIn, gives=CallOffOut)
    def post(self, by: Actor, data: CallOffIn, *, code: str) -> dict[str, object]:
        """Propose to give a tournament up before it begins, or where none of its games was valid.

        Once another person has decided so, every fee is owed back; neither of the two hands one over.
        """
        return to_be_called_off(code, tournaments.propose_calling_off(code=code, why=data.why, by=by))


class AuthoriseRefund(HouseView):
    @verb(permission=TOURNAMENT, takes=CallOffIn, gives=TournamentEntryOut)
    def post(self, by: Actor, data: CallOffIn, *, id: int) -> TournamentEntry:
        """Say that the fee of an entry goes back, until the tournament begins; another person hands it over."""
        return tournaments.authorise_refund(entry_id=id, why=data.why, by=by)


class RefundIn(StrictSerializer):
    identity = IdentityIn(required=False, help_text="Who the customer is, from the approved limit on.")
    example = shown({})


class RefundEntry(HouseView):
    @verb(permission=PAY, takes=RefundIn, gives=TournamentEntryOut)
    def post(self, by: Actor, data: RefundIn, *, id: int) -> TournamentEntry:
        """Hand the fee of an entry back, in cash, once another person said so."""
        return tournaments.refund_entry(entry_id=id, identity=identity_of(data.identity), by=by)


class TournamentPayIn(StrictSerializer):
    cheque_number = Text(max_length=32, required=False, help_text="From $10,000, which is paid by cheque.")
    identity = IdentityIn(required=False, help_text="Who the customer is, from the approved limit on.")
    example = shown({"cheque_number": "000779"})


class AuthorisePrize(HouseView):
    @verb(permission=PAY_LARGE, gives=TournamentEntryOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> TournamentEntry:
        """Authorise the payment of a large prize; another person then pays it."""
        return tournaments.authorise_prize(entry_id=id, by=by)


class PayPrize(HouseView):
    @verb(permission=PAY, takes=TournamentPayIn, gives=TournamentEntryOut)
    def post(self, by: Actor, data: TournamentPayIn, *, id: int) -> TournamentEntry:
        """Pay the prize of an entry: in cash, from $10,000 by cheque."""
        return tournaments.pay_tournament_prize(
            entry_id=id, by=by, cheque_number=data.cheque_number or "", identity=identity_of(data.identity)
        )
