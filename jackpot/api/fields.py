"""What requests and answers about jackpots hold."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from house.api.fields import Choice, DayField, InstantField, MoneyField, StrictSerializer, Text, Truth, Whole, shown
from jackpot.hits import RIGHT_TO_COMPLAIN
from jackpot.models import Hit, Placed, TriggerStatus
from jackpot.rules.catalogue import RULE_SETS
from jackpot.rules.payouts import Dealt
from ledger.money import BASIS_POINTS

_FRACTION = re.compile(r"(0(\.\d{1,4})?|1(\.0{1,4})?)", re.ASCII)


@extend_schema_field(
    {
        "anyOf": [
            {"type": "string", "pattern": r"^(0(\.\d{1,4})?|1(\.0{1,4})?)$"},
            {"type": "integer", "minimum": 0, "maximum": BASIS_POINTS},
        ],
        "description": 'A part of the wager, like "0.70"; or in whole basis points, 7000.',
        "examples": ["0.70"],
    }
)
class RateField(serializers.Field[int, Any, str, Any]):
    """Inside: whole basis points."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "not-rate": 'Write a rate as a part of the wager, in quotes, like "0.70"; or in whole basis points, 7000.'
    }

    def to_internal_value(self, data: Any) -> int:
        if type(data) is int and 0 <= data <= BASIS_POINTS:
            return data
        if not isinstance(data, str) or not _FRACTION.fullmatch(data):
            self.fail("not-rate")
        return int(Decimal(data) * BASIS_POINTS)

    def to_representation(self, value: int) -> str:
        return rate(value)


def rate(basis_points: int) -> str:
    return f"{Decimal(basis_points) / BASIS_POINTS:.4f}".rstrip("0").ljust(4, "0")


Rules = list(RULE_SETS)


class HandIn(StrictSerializer):
    box = Whole(min_value=1, max_value=1000)
    cards = serializers.ListField(child=Text(max_length=16), required=False, max_length=20)
    tiles = serializers.ListField(child=Text(max_length=16), required=False, max_length=20)
    declared = Truth(required=False, help_text="Boomerang: whether the player declared it in time; left out: yes.")
    example = shown({"box": 2, "cards": ["AS", "KS", "QS", "JS", "TS"]})


def dealt(hands: list[dict[str, Any]]) -> list[Dealt]:
    return [Dealt(**hand) for hand in hands]


def boxes(**options: Any) -> serializers.ListField:
    return serializers.ListField(child=Whole(min_value=1, max_value=1000), max_length=1000, **options)


class EvaluateIn(StrictSerializer):
    rules = Choice(choices=Rules)
    meter = MoneyField(required=False, help_text="The pool, the round’s own contributions included.")
    meters = serializers.DictField(child=MoneyField(), required=False, help_text="By level, where there are several.")
    displayed = MoneyField(required=False, help_text="What was shown when the round began; left out: the meter.")
    wagers = boxes(help_text="The boxes with a jackpot wager.")
    hands = HandIn(many=True, max_length=1000)  # type: ignore[call-arg]
    bonus = MoneyField(required=False)
    folded = boxes(required=False)
    example = shown(
        {
            "rules": "caribbean-stud",
            "meter": "100000.00",
            "wagers": [1, 2, 3],
            "hands": [{"box": 2, "cards": ["AS", "KS", "QS", "JS", "TS"]}],
            "bonus": "100.00",
        }
    )


class PayoutOut(StrictSerializer):
    box = Whole()
    hand = Text(allow_null=True)
    kind = Text()
    amount = MoneyField()
    from_pool = MoneyField()
    from_house = MoneyField()
    level = Text(allow_null=True)
    measured_on = MoneyField(allow_null=True)
    clause = Text(allow_null=True)


class EvaluationOut(StrictSerializer):
    payouts = PayoutOut(many=True, help_text="In order of payment.")
    pool_after = MoneyField(help_text="What the payouts leave, before the pool restarts.")
    pools_after = serializers.DictField(child=MoneyField(), help_text="The same by level.")


class MathematicsIn(StrictSerializer):
    rules = Choice(choices=Rules)
    wager = MoneyField(required=False, allow_zero=False, help_text="Left out: one dollar.")
    seed = MoneyField(required=False)
    increment_rate = RateField(required=False)
    ceiling = MoneyField(required=False, help_text="For a jackpot that must be hit by it.")
    prizes = serializers.DictField(
        child=MoneyField(allow_zero=False), required=False, help_text="Other fixed prizes than the gazetted, by hand."
    )
    turnover = MoneyField(required=False, allow_zero=False, help_text="Wagered a day, for the days to a win.")
    example = shown({"rules": "caribbean-stud", "wager": "2.50", "seed": "50000.00", "increment_rate": "0.70"})


class FigureOut(StrictSerializer):
    fraction = Text()
    decimal = Text()


class HandFiguresOut(StrictSerializer):
    hand = Text()
    kind = Text()
    prize = Text(allow_null=True)
    percent = Text(allow_null=True)
    at_least = Text(allow_null=True)
    ways = Whole()
    outcomes = Whole()
    frequency = FigureOut()
    odds_against = FigureOut()


class LevelFiguresOut(StrictSerializer):
    level = Text()
    wagers_to_win = FigureOut()
    return_per_1000 = FigureOut(allow_null=True)
    break_even = FigureOut(allow_null=True)
    mean_when_won = FigureOut(allow_null=True)
    days_to_win = FigureOut(allow_null=True)


class MathematicsOut(StrictSerializer):
    rules = Text()
    wager = Text()
    hands = HandFiguresOut(many=True)
    hit_rate = FigureOut()
    fixed_return = FigureOut()
    wagers_to_win = FigureOut(allow_null=True, help_text="This and the next three where there is one level.")
    return_per_1000 = FigureOut(allow_null=True)
    break_even = FigureOut(allow_null=True)
    mean_when_won = FigureOut(allow_null=True)
    levels = LevelFiguresOut(many=True)


class LevelOut(StrictSerializer):
    name = Text()
    displayed = MoneyField()
    increment_rate = RateField()
    seed = MoneyField()
    ceiling = MoneyField(allow_null=True)
    overflow = MoneyField(help_text="What stands above the ceiling, waiting for the next pool.")


class PromisedOut(StrictSerializer):
    """A sealed trigger point, as it is published before anybody reaches it."""

    number = Whole()
    floor = MoneyField(help_text="The point lies above it.")
    ceiling = MoneyField(help_text="It is not above this.")
    commitment = Text(help_text="The hash of the sealed seed, in hexadecimal: note it.")
    ticket_root = Text(help_text="The hash of the bounds, to which the draw of the point is bound.")


class TriggerOut(PromisedOut):
    link = Text()
    status = Choice(choices=TriggerStatus.values)
    sealed_at = InstantField()
    ended_at = InstantField(allow_null=True)
    point = MoneyField(allow_null=True, help_text="This and what follows: once it is over.")
    sequence = Whole(allow_null=True, help_text="Of the hit that it paid.")
    proof = serializers.DictField(allow_null=True, help_text="As docs/proof/README.md has it: one number of the cents.")
    entry = serializers.DictField(allow_null=True, help_text="That the draw was bound to these bounds.")


class PoolOut(StrictSerializer):
    code = Text()
    title = Text()
    rules = Text()
    displayed = MoneyField(help_text="All levels together.")
    reserve = MoneyField()
    increment_rate = RateField()
    reserve_rate = RateField()
    seed = MoneyField()
    wager = MoneyField()
    bonus = MoneyField()
    status = Text()
    tables = serializers.ListField(child=Text())
    levels = LevelOut(many=True)
    terms = Whole(help_text="The version of its terms.")
    mystery = PromisedOut(allow_null=True, help_text="The point by which it must be hit, sealed.")


class WagerIn(StrictSerializer):
    box = Whole(min_value=1, max_value=1000)
    ante = Truth(required=False, default=True)
    player = Text(required=False, max_length=64, allow_null=True, default=None)
    amount = MoneyField(required=False, allow_zero=False, help_text="Where the table can tell it.")
    placed = Choice(
        choices=Placed.values, required=False, help_text="By what right; left out: the box is the player’s."
    )
    allowed_by = Text(required=False, max_length=200, help_text="The supervisor, on another player’s box.")
    example = shown({"box": 1, "ante": True, "player": "P-1042"})


class RoundIn(StrictSerializer):
    wagers = WagerIn(many=True, max_length=100)  # type: ignore[call-arg]
    example = shown({"wagers": [{"box": 1}, {"box": 2, "player": "P-1042"}]})


class AcceptedOut(StrictSerializer):
    box = Whole()
    player = Text(allow_null=True)
    amount = MoneyField()
    placed = Choice(choices=Placed.values)


class RefusedOut(StrictSerializer):
    box = Whole()
    code = Text()
    detail = Text()
    clause = Text(allow_null=True)


class RoundOut(StrictSerializer):
    round = Whole()
    table = Text()
    link = Text()
    status = Text()
    displayed = MoneyField(help_text="When the round began, all levels together.")
    levels = serializers.DictField(child=Text(), help_text="The same by level.")
    accepted = AcceptedOut(many=True)
    refused = RefusedOut(many=True)
    started_at = InstantField()
    ended_at = InstantField(allow_null=True)
    why = Text(allow_blank=True)


class FinishIn(StrictSerializer):
    hands = HandIn(many=True, max_length=100)  # type: ignore[call-arg]
    folded = boxes(required=False)
    example = shown({"hands": [{"box": 2, "cards": ["AS", "KS", "QS", "JS", "TS"]}], "folded": []})


class HitOut(StrictSerializer):
    id = Whole()
    sequence = Whole(help_text="The strict order of everything won on the link.")
    link = Text(source="pool.code")
    table = Text(source="table.code")
    round = Whole(source="round_id", allow_null=True, help_text="None where a controller only counts.")
    message = Text(allow_null=True, help_text="The controller’s message that reached a trigger point.")
    box = Whole(allow_null=True, help_text="None until it is verified, where a controller only counts.")
    player = Text(allow_null=True)
    hand = Text(allow_null=True)
    kind = Text()
    amount = MoneyField()
    from_pool = MoneyField()
    from_house = MoneyField()
    level = Text(allow_null=True)
    measured_on = MoneyField(allow_null=True)
    clause = Text(allow_null=True)
    status = Choice(choices=Hit.Status.values)
    claimed_at = InstantField()
    verified_by = Text(allow_null=True)
    verified_at = InstantField(allow_null=True)
    paid_by = Text(allow_null=True)
    paid_at = InstantField(allow_null=True)
    method = Choice(choices=Hit.Method.values, allow_null=True)
    denied_by = Text(allow_null=True)
    denied_at = InstantField(allow_null=True)
    reason = Text(allow_blank=True)
    notice = serializers.SerializerMethodField(help_text="What the person must be told.")

    def get_notice(self, hit: Any) -> str:
        return RIGHT_TO_COMPLAIN if hit.status == Hit.Status.DENIED else ""


class FinishedOut(StrictSerializer):
    round = Whole()
    status = Text()
    hits = HitOut(many=True, help_text="Waiting for verification, in order of payment.")
    displayed = MoneyField(help_text="What the link shows now.")


class VoidIn(StrictSerializer):
    cause = Choice(choices=["misdeal", "foreign-card", "other"], required=False)
    why = Text(required=False, allow_blank=True, max_length=1000)
    example = shown({"cause": "misdeal", "why": "Box 3 got six cards."})


class InvalidateIn(StrictSerializer):
    cause = Text(max_length=64)
    why = Text()
    forfeited = boxes(required=False)
    example = shown({"cause": "error-of-staff", "why": "The deck was not shuffled.", "forfeited": []})


class VerifyIn(StrictSerializer):
    cards = serializers.ListField(child=Text(max_length=16), required=False, max_length=20)
    box = Whole(required=False, min_value=1, max_value=1000)
    player = Text(required=False, max_length=64)
    surveillance = Text(required=False, max_length=200, allow_blank=True)
    note = Text(required=False, allow_blank=True)
    example = shown({"cards": ["AS", "KS", "QS", "JS", "TS"], "surveillance": "CAM-12 21:04"})


class IdentityIn(StrictSerializer):
    name = Text(max_length=200)
    date_of_birth = DayField()
    address = Text(max_length=500)
    document = Text(max_length=200)


class PayIn(StrictSerializer):
    method = Choice(choices=Hit.Method.values, required=False)
    reference = Text(required=False, max_length=200, allow_blank=True, help_text="Of the cheque or the transfer.")
    identity = IdentityIn(required=False, help_text="Of who receives $10,000 or more in cash.")
    example = shown({"method": "cheque", "reference": "000123"})


class DenyIn(StrictSerializer):
    reason = Text()
    example = shown({"reason": "The hand had six cards."})


class TableOut(StrictSerializer):
    code = Text()
    link = Text()
    boxes = Whole()
    status = Text()


class SuspendIn(StrictSerializer):
    what = Text(help_text="What went wrong.")
    example = shown({"what": "The meter of the table stays dark."})


class SignPrizeOut(StrictSerializer):
    hand = Text()
    fixed = MoneyField(allow_null=True)
    percent = Whole(allow_null=True)
    at_least = MoneyField(allow_null=True)
    level = Text(allow_null=True)


class SignOut(StrictSerializer):
    table = Text()
    link = Text()
    title = Text()
    wager = MoneyField()
    bonus = MoneyField(allow_null=True)
    prizes = SignPrizeOut(many=True)
