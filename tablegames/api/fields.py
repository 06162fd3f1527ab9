"""What requests and answers about table games hold."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from house.api.cash import IdentityIn
from house.rules.invalid_wagers import Found
from tablegames.models import Cause
from tablegames.payment_errors import RIGHT_TO_COMPLAIN
from tablegames.rules.catalogue import GAMES
from tablegames.rules.payment_errors import Direction, Intent, Status, Step
from web.fields import (
    AnyField,
    Choice,
    DayField,
    InstantField,
    MoneyField,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)

WAGERS_LIMIT = 200


@extend_schema_field(
    {
        "anyOf": [
            {"type": "array", "items": {"type": "string", "maxLength": 16}, "maxItems": 30},
            {"type": "string", "maxLength": 200},
        ],
        "description": "Cards or tiles by name, as a list or in one line: `AS KD TH 2C 2D`.",
        "examples": ["AS KD TH 2C 2D"],
    }
)
class CardsField(serializers.Field[list[str], object, list[str], object]):
    default_error_messages: ClassVar = {"not-cards": 'Write the cards as a list, or in one line: "AS KD TH 2C 2D".'}

    def to_internal_value(self, data: object) -> list[str]:
        found = data.split() if isinstance(data, str) and len(data) <= 200 else data
        if (
            not isinstance(found, list)
            or len(found) > 30
            or not all(isinstance(x, str) and len(x) <= 16 for x in found)
        ):
            self.fail("not-cards")
        return found

    def to_representation(self, value: list[str]) -> list[str]:
        return value


class Named(serializers.DictField):
    """An object whose names the game decides."""

    default_error_messages: ClassVar = {"too-many": f"At most {WAGERS_LIMIT} at a time."}

    def to_internal_value(self, data: Any) -> dict[str, object]:
        if isinstance(data, dict) and (len(data) > WAGERS_LIMIT or any(len(str(name)) > 64 for name in data)):
            self.fail("too-many")
        return super().to_internal_value(data)


class ChoicesIn(StrictSerializer):
    play = Text(required=False, max_length=16, help_text="`bet`, `fold` or `concede`; left out: as the wagers say.")
    draw = Text(required=False, max_length=16, help_text="`none`, `exchange` or `sixth-card`.")
    force = TrueOrFalse(required=False, help_text="The player forced the dealer.")
    declared = TrueOrFalse(required=False, help_text="`false`: winning first cards were not declared in time.")
    elected = TrueOrFalse(required=False, help_text="The house elected to pay what was declared too late.")
    reshuffled = TrueOrFalse(required=False, help_text="The deck ran out and discards were dealt again.")
    even_money = TrueOrFalse(required=False, help_text="Blackjack: paid at once against the dealer's ace.")
    box_doubled = TrueOrFalse(
        required=False, help_text="Blackjack: who decides for the box doubled, this player did not."
    )
    box_split = TrueOrFalse(required=False, help_text="Blackjack: who decides for the box split, this player did not.")
    house_hand = TrueOrFalse(required=False, help_text="Pai Gow: a hand that the House wagers on.")
    bank = Choice(
        choices=["player", "co-bank"],
        required=False,
        help_text="Pai Gow: who held the Bank beside the House; then all boxes are entered.",
    )
    interim = Choice(
        choices=["taken", "paid"],
        required=False,
        help_text="Lunar Poker (NSW): what had become of the super wager before the cards were lost.",
    )
    irregularity = Text(required=False, max_length=40, help_text="What went wrong, by its name in the game's rules.")
    invalid = Choice(
        choices=list(Found), required=False, help_text="When wagers without the player's own card were found."
    )


class LimitIn(StrictSerializer):
    minimum = Text(required=False, max_length=20, allow_null=True)
    maximum = Text(required=False, max_length=20, allow_null=True)
    multiple = Text(required=False, max_length=20, allow_null=True)


class TermsIn(StrictSerializer):
    super = Text(required=False, allow_null=True, max_length=40)
    instant = Text(required=False, allow_null=True, max_length=40)
    maximum_payout = Text(required=False, allow_null=True, max_length=20)
    decks = WholeNumber(required=False, allow_null=True)
    commission = WholeNumber(
        required=False, allow_null=True, help_text="Pai Gow: basis points, where less than 5% is charged."
    )
    differential = Text(required=False, allow_null=True, max_length=20)
    limits = Named(child=LimitIn(), required=False)


class EvaluateIn(StrictSerializer):
    game = Choice(choices=list(GAMES), required=False, help_text="Left out: the one played at the table.")
    table = Text(required=False, max_length=16, help_text="Its sign says which pay tables are chosen.")
    terms = TermsIn(required=False, help_text="What the sign says, where no table is named.")
    box = WholeNumber(required=False, min_value=1, max_value=30, help_text="Whose limits count, where players sit.")
    wagers = Named(child=MoneyField(allow_zero=False), help_text="By name, such as `ante` or `split:17/20`.")
    cards = Named(child=CardsField(), required=False, help_text="By whose they are, such as `player` and `dealer`.")
    outcome = Text(required=False, max_length=40, help_text="In one line, such as `17` or `2 5 5`.")
    choices = ChoicesIn(required=False)
    paid = Named(child=MoneyField(), required=False, help_text="What was paid on each wager, the stake not counted.")
    returned = Named(
        child=MoneyField(), required=False, help_text="What of a stake went back, where it was not as the rules say."
    )
    example = shown(
        {
            "game": "caribbean-stud",
            "wagers": {"ante": "10.00", "bet": "20.00"},
            "cards": {"player": "8S 8H 5D 5C 3C", "dealer": "AD KC 9H 4S 2D"},
            "paid": {"ante": "10.00", "bet": "60.00"},
        }
    )


class SettleIn(StrictSerializer):
    game = Choice(choices=list(GAMES), required=False, help_text="Left out: the one played at the table.")
    table = Text(required=False, max_length=16)
    box = WholeNumber(required=False, min_value=1, max_value=30)
    wagers = Named(child=MoneyField(allow_zero=False))
    cards = Named(child=CardsField(), required=False)
    outcome = Text(required=False, max_length=40)
    choices = ChoicesIn(required=False)
    paid = Named(child=MoneyField(), help_text="What was paid on each wager, the stake not counted.")
    returned = Named(child=MoneyField(), required=False)
    player = Text(required=False, max_length=80, allow_blank=True)
    note = Text(required=False, max_length=1000, allow_blank=True)
    happened_at = InstantField(required=False, help_text="Left out: now.")
    example = shown(
        {
            "table": "CSP-01",
            "wagers": {"ante": "10.00", "bet": "20.00"},
            "cards": {"player": "8S 8H 5D 5C 3C", "dealer": "AD KC 9H 4S 2D"},
            "paid": {"ante": "10.00", "bet": "60.00"},
            "player": "P-1042",
        }
    )


class PaymentOut(StrictSerializer):
    what = Text()
    odds = Text()
    amount = Text()
    clause = Text()
    capped_by = Text(allow_null=True, help_text="The clause of the maximum payout, where it bit.")


class OwedOut(StrictSerializer):
    wager = Text()
    stake = Text()
    result = Text(help_text="`wins`, `loses`, `stands-off`, `void` or `fee`.")
    pays = Text(help_text="Owed beyond the stake.")
    returns = Text(help_text="Of the stake.")
    clause = Text()
    why = Text()
    payments = PaymentOut(many=True)
    paid = Text(allow_null=True)
    returned = Text(allow_null=True)
    difference = Text(allow_null=True, help_text="Too much; below zero too little.")


class OutsideOut(StrictSerializer):
    wager = Text()
    says = Text()


class AnswerOut(StrictSerializer):
    game = Text()
    outside_limits = OutsideOut(many=True, help_text="Wagers that are not within the limits of the sign.")
    owed = OwedOut(many=True)
    pays = Text()
    difference = Text(allow_null=True)
    notes = serializers.ListField(child=Text())


class CheckOut(StrictSerializer):
    id = WholeNumber()
    table = Text(allow_null=True)
    box = WholeNumber(allow_null=True)
    game = Text()
    terms = serializers.JSONField()
    entered = serializers.JSONField()
    owed = OwedOut(many=True)
    difference = MoneyField(allow_negative=True)
    payment_error = WholeNumber(allow_null=True, help_text="The first over- or underpayment it opened.")
    payment_errors = serializers.ListField(
        child=WholeNumber(), help_text="Every over- or underpayment it opened: one for each wager paid wrongly."
    )
    player = Text(allow_blank=True)
    note = Text(allow_blank=True)
    gaming_day = DayField()
    happened_at = InstantField()
    at = InstantField()
    by = Text()
    notice = Text(allow_blank=True, help_text="What the person is told, where there is a difference.")


class StepOut(StrictSerializer):
    kind = Text()
    how = Text()
    succeeded = TrueOrFalse()
    amount = MoneyField(allow_null=True)
    reference = Text(allow_blank=True)
    at = InstantField()
    by = Text()


class PaymentErrorOut(StrictSerializer):
    id = WholeNumber()
    check_id = WholeNumber(source="check_of_id", allow_null=True)
    wager = Text(help_text="Of the hand that was checked; empty for a change of cash or colours.", allow_blank=True)
    cause = Choice(choices=Cause.values)
    table = Text(source="table.code", allow_null=True, default=None)
    direction = Choice(choices=list(Direction))
    amount = MoneyField()
    rectified = MoneyField()
    intent = Choice(choices=list(Intent))
    enquiries = Text(allow_blank=True)
    status = Choice(choices=list(Status))
    player = Text(allow_blank=True, source="player_card")
    what = Text()
    incident = WholeNumber(source="incident_id")
    gaming_day = DayField(source="day")
    found_at = InstantField()
    found_by = Text()
    steps = StepOut(many=True)
    closed_at = InstantField(allow_null=True)
    closed_by = Text(allow_null=True)
    outcome = Text(allow_blank=True)
    notice = serializers.SerializerMethodField()

    def get_notice(self, error: object) -> str:
        """What the person is told (nsw-csp:16.18)."""
        return RIGHT_TO_COMPLAIN


class ChangeErrorIn(StrictSerializer):
    cause = Choice(choices=[Cause.CASH_CHANGE.value, Cause.COLOUR_CHANGE.value])
    owed = MoneyField()
    paid = MoneyField()
    what = Text()
    table = Text(required=False, max_length=16)
    player = Text(required=False, max_length=80, allow_blank=True)
    happened_at = InstantField(required=False)
    example = shown(
        {"cause": "colour-change", "owed": "500.00", "paid": "550.00", "what": "Eleven black for five hundred."}
    )


class IntentIn(StrictSerializer):
    intent = Choice(choices=[str(Intent.UNINTENTIONAL), str(Intent.SUSPECTED)])
    enquiries = Text(help_text="What was enquired into, and what came out.")
    example = shown({"intent": "unintentional", "enquiries": "Footage seen: the dealer read three of a kind."})


class StepIn(StrictSerializer):
    kind = Choice(choices=list(Step))
    how = Text()
    succeeded = TrueOrFalse()
    at = InstantField(required=False)
    reference = Text(required=False, max_length=120, allow_blank=True)
    example = shown({"kind": "contact", "how": "Called the number on the player card.", "succeeded": False})


class RectifyIn(StrictSerializer):
    amount = MoneyField(allow_zero=False)
    how = Text(help_text="In chips, in cash.")
    reference = Text(required=False, max_length=120, allow_blank=True)
    identity = IdentityIn(required=False, help_text="Who the patron is, from the approved limit on.")
    example = shown({"amount": "20.00", "how": "In chips, at the table."})


class CloseErrorIn(StrictSerializer):
    outcome = Choice(choices=[str(Status.ATTEMPTED), str(Status.REPORTED)])
    what = Text(help_text="What came of it.")
    example = shown({"outcome": "attempted", "what": "The patron had left and is not known to us."})


class MonthIn(StrictSerializer):
    month = DayField(help_text="Any day of the month.")
    how = Text(max_length=80, help_text="How the report was sent.")
    reference = Text(required=False, max_length=120, allow_blank=True)
    example = shown({"month": "2026-11-30", "how": "regulator's portal", "reference": "N-2026-11"})


class MonthOut(StrictSerializer):
    payment_errors = serializers.ListField(child=WholeNumber())


class CellOut(StrictSerializer):
    what = Text()
    odds = Text()
    clause = Text()


class PayTableOut(StrictSerializer):
    name = Text()
    cells = CellOut(many=True)


class GameOut(StrictSerializer):
    code = Text()
    title = Text()
    takes = Text(help_text="`cards`, or one `outcome` in one line.")
    wagers = serializers.ListField(child=Text())
    selectable = serializers.DictField(child=serializers.ListField(child=Text()))
    irregularities = serializers.ListField(child=Text())
    pay_tables = PayTableOut(many=True)


class GamesOut(StrictSerializer):
    games = GameOut(many=True)


class MathematicsIn(StrictSerializer):
    game = Choice(choices=list(GAMES))
    example = shown({"game": "baccarat"})


class FractionOut(StrictSerializer):
    fraction = Text()
    decimal = Text()


class FigureRowOut(StrictSerializer):
    what = Text()
    odds = Text()
    clause = Text()
    frequency = FractionOut()


class FigureOut(StrictSerializer):
    wager = Text()
    table = Text(allow_blank=True)
    rows = FigureRowOut(many=True)
    hit_rate = FractionOut()
    house_edge = FractionOut()

    def get_fields(self) -> dict[str, AnyField]:
        return {**super().get_fields(), "return": FractionOut(source="returned")}


class FiguresOut(StrictSerializer):
    game = Text()
    figures = FigureOut(many=True)


class ReportAsked(StrictSerializer):
    first = DayField(help_text="The first day.")
    last = DayField(help_text="The last one.")


class TableGamesReportOut(StrictSerializer):
    title = Text()
    columns = serializers.ListField(child=Text())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))
