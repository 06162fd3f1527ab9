"""Calls about tournaments: entering, scoring, finishing, paying."""

from __future__ import annotations

from django.db.models import QuerySet

from house.api.cash import IdentityIn, identity_of
from kernel.actors import Actor
from kernel.refusal import Refusal
from promotions import tournaments
from promotions.permissions import (
    ENTER_TOURNAMENT,
    PAY_TOURNAMENT,
    REFUND_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_TOURNAMENTS,
)
from tournaments.acts import SeatTaken
from tournaments.api.forms import NOT_PAID_YET, CallOffIn, CallOffOut, EntryInAnyGame, to_be_called_off
from tournaments.models import TournamentEntry
from tournaments.queries import entries_of, find_entry
from tournaments.rules.seats import ASSIGNED, LOT
from web.fields import Choice, MoneyField, Nothing, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.view import HouseView, Paging, listing, verb


class TournamentPlayerOut(EntryInAnyGame):
    rebought = MoneyField(help_text="What was paid for rebuys.")
    heat = WholeNumber(allow_null=True)
    table = Text(allow_blank=True)
    seat = WholeNumber(allow_null=True)
    score = WholeNumber(allow_null=True, help_text="Of the heats, where there is a final.")
    tie_score = WholeNumber(
        allow_null=True, help_text="What decided a tie for the last place of the final, the more the better."
    )
    in_final = TrueOrFalse(allow_null=True, help_text="null until the heats are closed.")
    final_table = Text(allow_blank=True)
    final_seat = WholeNumber(allow_null=True)
    final_score = WholeNumber(allow_null=True)
    example = shown(
        {
            "id": 12,
            "tournament": "SPRING",
            "player": "Anna Marsh",
            "card": "C-1001",
            "fee": "50.00",
            "rebought": "0.00",
            "entered_at": "2026-11-16T21:04:00+11:00",
            "heat": 1,
            "table": "LP-02",
            "seat": 4,
            "score": 900,
            "tie_score": None,
            "in_final": None,
            "final_table": "",
            "final_seat": None,
            "final_score": None,
            "place": 1,
            "prize": "225.00",
        }
        | NOT_PAID_YET
    )


class TournamentRankingOut(StrictSerializer):
    results = TournamentPlayerOut(many=True)
    example = shown({"results": [TournamentPlayerOut.example]})


class TournamentPlayerIn(StrictSerializer):
    card = Text(max_length=32, help_text="The player card that was shown; an unknown one is refused.")
    identity = IdentityIn(required=False, help_text="Who the player is, from the approved limit on.")
    example = shown({"card": "C-1001"})


class Entries(HouseView):
    @listing(permission=SEE_TOURNAMENTS, gives=TournamentPlayerOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, code: str) -> QuerySet[TournamentEntry]:
        """The entries of a tournament; once it is finished with score, place and prize."""
        return entries_of(tournaments.ANY_GAME, code)

    @verb(permission=ENTER_TOURNAMENT, takes=TournamentPlayerIn, gives=TournamentPlayerOut, status=201)
    def post(self, by: Actor, data: TournamentPlayerIn, *, code: str) -> TournamentEntry:
        """Enter the player of a card in an approved tournament; the fee is taken in cash.

        Its conditions are proposed and approved at `approvals/` as `promotions.tournament`, subject `tournament:CODE`.
        """
        return tournaments.enter_tournament(code=code, card=data.card, identity=identity_of(data.identity), by=by)


class RebuyIn(StrictSerializer):
    identity = IdentityIn(required=False, help_text="Who the player is, from the approved limit on.")
    example = shown({})


class Rebuy(HouseView):
    @verb(permission=ENTER_TOURNAMENT, takes=RebuyIn, gives=TournamentPlayerOut, status=201)
    def post(self, by: Actor, data: RebuyIn, *, id: int) -> TournamentEntry:
        """Take the price of one more stack from a player who is in, as the conditions allow it."""
        made = tournaments.rebuy(entry_id=id, identity=identity_of(data.identity), by=by)
        return find_entry(tournaments.ANY_GAME, made.entry_id)


class FeeBackIn(StrictSerializer):
    why = Text()
    example = shown({"why": "Called away."})


class AuthoriseFeeBack(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=FeeBackIn, gives=TournamentPlayerOut)
    def post(self, by: Actor, data: FeeBackIn, *, id: int) -> TournamentEntry:
        """Say that the fee of an entry goes back, while entries are open; another person hands it over."""
        return tournaments.authorise_refund(entry_id=id, why=data.why, by=by)


class FeeBack(HouseView):
    @verb(permission=REFUND_TOURNAMENT, takes=RebuyIn, gives=TournamentPlayerOut)
    def post(self, by: Actor, data: RebuyIn, *, id: int) -> TournamentEntry:
        """Hand back what was paid for an entry, in cash, once another person said so."""
        return tournaments.refund_entry(entry_id=id, identity=identity_of(data.identity), by=by)


class SeatIn(StrictSerializer):
    entry = WholeNumber(min_value=1)
    heat = WholeNumber(min_value=1, default=1)
    table = Text(max_length=32)
    seat = WholeNumber(min_value=1)


class SeatsIn(StrictSerializer):
    how = Choice(choices=[LOT, ASSIGNED])
    seats = SeatIn(many=True, required=False, help_text="Where the house assigns them: every entry once.")
    example = shown({"how": "lot"})


class Seats(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=SeatsIn, gives=TournamentRankingOut, waits=True)
    def post(self, by: Actor, data: SeatsIn, *, code: str) -> dict[str, object]:
        """Seat the entries, once entries have closed: by lot, or as assigned where the conditions say so. Once the
        heats are closed: those in the final.

        A lot is drawn by house and witness together, from a promise made with the first entry: nobody names a seat.
        """
        given = data.seats or []
        if data.how == LOT:
            if given:
                raise Refusal("seats-are-drawn", "A lot is drawn: nobody names a seat.", field="seats")
            return {"results": tournaments.draw_seats(code=code, by=by)}
        seats = [SeatTaken(each.entry, each.heat, each.table, each.seat) for each in given]
        return {"results": tournaments.assign_seats(code=code, seats=seats, by=by)}


class ScoreIn(StrictSerializer):
    entry = WholeNumber(min_value=1)
    score = WholeNumber()


class ScoresIn(StrictSerializer):
    scores = ScoreIn(many=True, help_text="Every entry with its points or chips, the more the better.")
    example = shown({"scores": [{"entry": 12, "score": 900}, {"entry": 13, "score": 40}]})


class Score(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=ScoresIn, gives=TournamentRankingOut)
    def post(self, by: Actor, data: ScoresIn, *, code: str) -> dict[str, object]:
        """Write down the scores, once entries have closed; they stand once another person has written down the same.

        Where the conditions have a final: of the heats, then of a play-off by those who tie for its last place, then of
        the final.
        """
        scores = {line.entry: line.score for line in data.scores}
        return {"results": tournaments.score_tournament(code=code, scores=scores, by=by)}


class Qualify(HouseView):
    @verb(permission=RUN_TOURNAMENT, gives=TournamentRankingOut, waits=True)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Close the heats, once their scores stand: who is in the final follows from them, and stands.

        Where some tie for the last place all are in, or a play-off was scored, or house and witness draw a lot, as the
        conditions say.
        """
        return {"results": tournaments.close_heats(code=code, by=by)}


class Finish(HouseView):
    @verb(permission=RUN_TOURNAMENT, gives=TournamentRankingOut)
    def post(self, by: Actor, data: Nothing, *, code: str) -> dict[str, object]:
        """Rank the entries, those of the final where there is one; the balance of the fees becomes prizes, all of it.

        The first place first.
        """
        return {"results": tournaments.finish_tournament(code=code, by=by)}


class Cancel(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=CallOffIn, gives=CallOffOut)
    def post(self, by: Actor, data: CallOffIn, *, code: str) -> dict[str, object]:
        """Propose to call a tournament off, before its scores stand. Another person decides.

        From then on every fee is owed back; neither of the two hands one over.
        """
        return to_be_called_off(code, tournaments.propose_calling_off(code=code, why=data.why, by=by))


class PayPrizeIn(StrictSerializer):
    method = Choice(choices=list(tournaments.ANY_GAME.methods), default="cash")
    cheque_number = Text(max_length=32, required=False, help_text="Of the cheque or transfer; needed from $10,000.")
    identity = IdentityIn(required=False, help_text="Who the player is, from the approved limit on.")
    example = shown({"method": "cash"})


class PayPrize(HouseView):
    @verb(permission=PAY_TOURNAMENT, takes=PayPrizeIn, gives=TournamentPlayerOut)
    def post(self, by: Actor, data: PayPrizeIn, *, id: int) -> TournamentEntry:
        """Pay the prize of an entry, once; from $10,000 by cheque or transfer, authorised by another person."""
        return tournaments.pay_tournament_prize(
            entry_id=id,
            method=data.method,
            cheque_number=data.cheque_number or "",
            identity=identity_of(data.identity),
            by=by,
        )


class AuthorisePrize(HouseView):
    @verb(permission=PAY_TOURNAMENT, gives=TournamentPlayerOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> TournamentEntry:
        """Authorise the payment of a large prize; another person then pays it."""
        return tournaments.authorise_prize(entry_id=id, by=by)
