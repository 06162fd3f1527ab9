"""Calls about tournaments: entering, scoring, finishing, paying."""

from __future__ import annotations

from typing import Any

from house.actors import Actor
from house.api.fields import Choice, InstantField, MoneyField, StrictSerializer, Text, Whole, shown
from house.api.view import HouseView, Paging, listing, verb
from promotions import tournaments
from promotions.draw_permissions import ENTER_TOURNAMENT, RUN_TOURNAMENT
from promotions.models import Tournament, TournamentEntry
from promotions.permissions import SEE


class TournamentPlayerOut(StrictSerializer):
    id = Whole()
    tournament = Text(source="tournament.code")
    player = Text()
    fee = MoneyField()
    entered_at = InstantField()
    score = Whole(allow_null=True)
    place = Whole(allow_null=True)
    prize = MoneyField(allow_null=True)
    paid_at = InstantField(allow_null=True)
    refunded_at = InstantField(allow_null=True)
    example = shown(
        {
            "id": 12,
            "tournament": "SPRING",
            "player": "Anna Marsh",
            "fee": "50.00",
            "entered_at": "2026-11-16T21:04:00+11:00",
            "score": 900,
            "place": 1,
            "prize": "225.00",
            "paid_at": None,
            "refunded_at": None,
        }
    )


class TournamentPlayerIn(StrictSerializer):
    player = Text(max_length=120)
    example = shown({"player": "Anna Marsh"})


class Entries(HouseView):
    @listing(permission=SEE, gives=TournamentPlayerOut, asks=Paging)
    def get(self, by: Actor, asked: dict[str, Any], *, code: str) -> Any:
        """The entries of a tournament; once it is finished with score, place and prize."""
        return TournamentEntry.objects.filter(tournament__code=code).select_related("tournament")

    @verb(permission=ENTER_TOURNAMENT, takes=TournamentPlayerIn, gives=TournamentPlayerOut, status=201)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> TournamentEntry:
        """Enter a player in an approved tournament; the fee is taken in cash.

        Its conditions are proposed and approved at `approvals/` as `promotions.tournament`, subject `tournament:CODE`.
        """
        return tournaments.enter_tournament(code=code, by=by, **data)


class ScoreIn(StrictSerializer):
    entry = Whole(min_value=1)
    score = Whole()


class ScoresIn(StrictSerializer):
    scores = ScoreIn(many=True, help_text="Every entry with its points or chips, the more the better.")
    example = shown({"scores": [{"entry": 12, "score": 900}, {"entry": 13, "score": 40}]})


class TournamentRankingOut(StrictSerializer):
    results = TournamentPlayerOut(many=True)
    example = shown({"results": [TournamentPlayerOut.example]})


class Score(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=ScoresIn, gives=TournamentRankingOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> dict[str, Any]:
        """Write down the scores, once entries have closed; another person finishes the tournament."""
        scores = {line["entry"]: line["score"] for line in data["scores"]}
        return {"results": tournaments.score_tournament(code=code, scores=scores, by=by)}


class Finish(HouseView):
    @verb(permission=RUN_TOURNAMENT, gives=TournamentRankingOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> dict[str, Any]:
        """Rank the entries; the balance of the fees becomes prizes, all of it. The first place first."""
        return {"results": tournaments.finish_tournament(code=code, by=by)}


class CancelIn(StrictSerializer):
    why = Text()
    example = shown({"why": "Too few players."})


class TournamentOut(StrictSerializer):
    code = Text()
    cancelled_at = InstantField(allow_null=True)
    cancel_reason = Text(allow_blank=True)
    example = shown(
        {"code": "SPRING", "cancelled_at": "2026-11-16T21:04:00+11:00", "cancel_reason": "Too few players."}
    )


class Cancel(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=CancelIn, gives=TournamentOut)
    def post(self, by: Actor, data: dict[str, Any], *, code: str) -> Tournament:
        """Give a tournament up before it is finished: every fee goes back."""
        return tournaments.cancel_tournament(code=code, by=by, **data)


class PayPrizeIn(StrictSerializer):
    method = Choice(choices=list(tournaments.PAID_BY), default="cash")
    example = shown({"method": "cash"})


class PayPrize(HouseView):
    @verb(permission=RUN_TOURNAMENT, takes=PayPrizeIn, gives=TournamentPlayerOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> TournamentEntry:
        """Pay the prize of an entry, once."""
        return tournaments.pay_tournament_prize(entry_id=id, by=by, **data)
