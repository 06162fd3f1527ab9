"""Calls that change nothing: what a ticket costs, what a game would pay, what a table of prizes returns."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rest_framework import serializers

from keno.api.forms import SCHEDULES, Numbers, TicketIn, request_of
from keno.entries import Composed, compose, find_schedule
from keno.jackpots import displayed
from keno.queries.exposure import on_sale_now
from keno.rules.exposure import exposure
from keno.rules.mathematics import (
    PrizeTableMathematics,
    cents,
    decimal,
    jackpot_mathematics,
    parse_figure,
    prize_table_mathematics,
    schedule_mathematics,
)
from keno.rules.schedules import GUARANTEES
from keno.rules.settle import GameResult, settle_game
from kernel.actors import Actor
from kernel.refusal import Malformed, Refusal
from web.fields import AnyField, Choice, MoneyField, StrictSerializer, Text, TrueOrFalse, WholeNumber, sent, shown
from web.view import SIGNED_IN, HouseView, verb

PLACES = 10
TICKETS_LIMIT = 10_000


class QuotedPlayOut(StrictSerializer):
    spots = WholeNumber()
    ways = WholeNumber()
    stake = MoneyField()


class QuoteOut(StrictSerializer):
    price = MoneyField()
    games = WholeNumber()
    charged_games = WholeNumber()
    ways = WholeNumber()
    plays = QuotedPlayOut(many=True)
    keno_to_go = TrueOrFalse()
    could_pay = MoneyField(help_text="At most, in one game, in prizes that are fixed; jackpots come on top.")
    example = shown(
        {
            "price": "49.00",
            "games": 50,
            "charged_games": 49,
            "ways": 1,
            "plays": [{"spots": 6, "ways": 1, "stake": "1.00"}],
            "keno_to_go": True,
            "could_pay": "1000.00",
        }
    )


class Quote(HouseView):
    @verb(permission=SIGNED_IN, takes=TicketIn, gives=QuoteOut, needs_key=False)
    def post(self, by: Actor, data: TicketIn) -> dict[str, object]:
        """What a ticket would cost, or why it cannot be sold."""
        composed = compose(request_of(data))
        priced, could_pay = composed.quote, exposure(composed.entry)
        if (on_sale := on_sale_now()) is not None:
            on_sale.require_room(could_pay)
        return {
            "price": priced.price.total,
            "games": priced.price.games,
            "charged_games": priced.price.charged_games,
            "ways": priced.ways,
            "plays": priced.plays,
            "keno_to_go": priced.price.keno_to_go,
            "could_pay": could_pay.payable,
        }


class JackpotsIn(StrictSerializer):
    """The amounts displayed, by numbers in the way."""

    def get_fields(self) -> dict[str, AnyField]:
        return {str(spots): MoneyField(required=False) for spots in GUARANTEES}


class EvaluateIn(StrictSerializer):
    drawn = Numbers(help_text="The twenty numbers.")
    tickets = TicketIn(many=True, help_text="In ticket order.")
    jackpots = JackpotsIn(required=False, help_text="Left out: the guaranteed minimum.")
    example = shown(
        {
            "drawn": list(range(1, 21)),
            "tickets": [{"numbers": [1, 2, 3, 4, 5, 6], "stake": "1.00", "jackpot": True}],
            "jackpots": {"6": "1500.00"},
        }
    )


class WonWaysOut(StrictSerializer):
    spots = WholeNumber()
    matches = WholeNumber()
    count = WholeNumber(help_text="How many ways of that play matched so much.")
    prize = MoneyField(help_text="Of one way, before loose cents are handed out.")
    jackpot = TrueOrFalse()
    prorated = TrueOrFalse()


class WonOut(StrictSerializer):
    prize = MoneyField(help_text="Final.")
    ways = WonWaysOut(many=True)


class EvaluatedMajorsOut(StrictSerializer):
    before = MoneyField()
    after = MoneyField()
    count = WholeNumber()


class EvaluateOut(StrictSerializer):
    tickets = WonOut(many=True)
    majors = EvaluatedMajorsOut()
    example = shown(
        {
            "tickets": [
                {
                    "prize": "1500.00",
                    "ways": [
                        {
                            "spots": 6,
                            "matches": 6,
                            "count": 1,
                            "prize": "1500.00",
                            "jackpot": True,
                            "prorated": False,
                        }
                    ],
                }
            ],
            "majors": {"before": "0.00", "after": "0.00", "count": 0},
        }
    )


class Evaluate(HouseView):
    @verb(permission=SIGNED_IN, takes=EvaluateIn, gives=EvaluateOut, needs_key=False)
    def post(self, by: Actor, data: EvaluateIn) -> GameResult:
        """What one game would pay to these tickets.

        Caps, majors, pro-rating and jackpots included; each ticket must be one that can be sold.
        """
        tickets = data.tickets
        if len(tickets) > TICKETS_LIMIT:
            raise Malformed("too-many-tickets", f"At most {TICKETS_LIMIT} tickets at a time.", field="tickets")
        composed = [_nth(i, ticket) for i, ticket in enumerate(tickets)]
        return settle_game(
            drawn=data.drawn,
            entries=[one.entry for one in composed],
            jackpots={} if data.jackpots is None else {int(spots): each for spots, each in sent(data.jackpots).items()},
        )


def _nth(place: int, ticket: TicketIn) -> Composed:
    try:
        return compose(request_of(ticket))
    except Refusal as refusal:
        where = f"tickets[{place}]" + (f".{refusal.field}" if refusal.field else "")
        raise type(refusal)(refusal.code, refusal.detail, clause=refusal.clause, field=where) from None


class MathematicsIn(StrictSerializer):
    """A table (`spots` and `prizes`), or a whole `schedule`."""

    spots = WholeNumber(required=False)
    prizes = serializers.DictField(child=Text(max_length=20), required=False, help_text="Per dollar, by matches.")
    schedule = Choice(choices=SCHEDULES, required=False)
    example = shown({"spots": 6, "prizes": {"3": "1", "4": "2", "5": "70"}})


class ExactOut(StrictSerializer):
    fraction = Text()
    decimal = Text()


class JackpotOut(StrictSerializer):
    amount = MoneyField(help_text="As displayed now.")
    returned = ExactOut(help_text="Of a dollar staked on one way that wins it alone.")
    break_even = MoneyField(help_text="The jackpot at which a dollar brings back a dollar, to the nearest cent.")

    def get_fields(self) -> dict[str, AnyField]:
        fields = super().get_fields()
        return {"return" if name == "returned" else name: field for name, field in fields.items()}


class TableOut(StrictSerializer):
    spots = WholeNumber()
    odds = serializers.DictField(child=ExactOut(), help_text="The chance of exactly so many matches.")
    hit_rate = ExactOut(help_text="The chance of any prize.")
    variance = ExactOut()
    top_prize_odds = ExactOut()
    jackpot = JackpotOut(required=False, help_text="Where a full match of so many numbers is a jackpot.")

    def get_fields(self) -> dict[str, AnyField]:
        return {**super().get_fields(), "return": ExactOut(help_text="What comes back of a dollar.")}


class MathematicsOut(TableOut):
    """One table; of a schedule, its tables."""

    schedule = Text(required=False)
    tables = TableOut(many=True, required=False)

    def get_fields(self) -> dict[str, AnyField]:
        fields = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields


class Mathematics(HouseView):
    @verb(permission=SIGNED_IN, takes=MathematicsIn, gives=MathematicsOut, needs_key=False)
    def post(self, by: Actor, data: MathematicsIn) -> dict[str, object]:
        """The exact mathematics of a table of prizes, or of a schedule's tables."""
        if data.schedule is not None:
            if data.spots is not None or data.prizes is not None:
                raise Malformed("two-questions", "Ask for a schedule, or for one table.", field="schedule")
            schedule, _ = find_schedule(data.schedule)
            live = schedule.jackpot_spots
            tables = [_table(each, live=each.spots in live) for each in schedule_mathematics(schedule)]
            return {"schedule": schedule.code, "tables": tables}
        if data.spots is None or data.prizes is None:
            missing = "spots" if data.spots is None else "prizes"
            raise Malformed("question-incomplete", "Give spots and prizes, or a schedule.", field=missing)
        table = prize_table_mathematics(data.spots, _prizes(data.prizes))
        return _table(table, live=table.spots in GUARANTEES)


def _prizes(written: Mapping[str, str]) -> dict[int, Fraction]:
    prizes: dict[int, Fraction] = {}
    for matches, figure in written.items():
        field = f"prizes.{matches}"
        if not (matches.isascii() and matches.isdigit() and len(matches) <= 2):
            raise Malformed("matches-unreadable", "Write the number of matches in digits.", field=field)
        if int(matches) in prizes:
            raise Malformed("matches-repeated", "A number of matches has one prize.", field=field)
        prizes[int(matches)] = parse_figure(figure, field=field)
    return prizes


def _table(table: PrizeTableMathematics, *, live: bool) -> dict[str, object]:
    answer: dict[str, object] = {
        "spots": table.spots,
        "return": _exact(table.returned),
        "odds": {str(matches): _exact(chance) for matches, chance in enumerate(table.odds)},
        "hit_rate": _exact(table.hit_rate),
        "variance": _exact(table.variance),
        "top_prize_odds": _exact(table.top_prize_odds),
    }
    if live:
        jackpot = jackpot_mathematics(table, displayed()[table.spots])
        answer["jackpot"] = {
            "amount": jackpot.amount,
            "return": _exact(jackpot.returned),
            "break_even": cents(jackpot.break_even),
        }
    return answer


def _exact(value: Fraction) -> dict[str, str]:
    return {"fraction": f"{value.numerator}/{value.denominator}", "decimal": decimal(value, PLACES)}
