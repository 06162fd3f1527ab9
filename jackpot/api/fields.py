"""What requests and answers about jackpots hold."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from house.cash.identity import Identity
from jackpot.api.must_hit_by_fields import MustHitByOut
from jackpot.hits import RIGHT_TO_COMPLAIN
from jackpot.models import Hit, Placed
from jackpot.rules.payouts import Dealt
from jackpot.start_round import Offer
from jackpot.steps import what_it_waits_for
from jackpot.void_round import INVALIDATION_CAUSES
from kernel.money import BASIS_POINTS
from kernel.refusal import Malformed
from web.fields import (
    Choice,
    DayField,
    InstantField,
    ListOf,
    MoneyField,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)

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
class RateField(serializers.Field[int, object, str, object]):
    """Inside: whole basis points."""

    default_error_messages: ClassVar = {
        "not-rate": 'Write a rate as a part of the wager, in quotes, like "0.70"; or in whole basis points, 7000.'
    }

    def to_internal_value(self, data: object) -> int:
        if type(data) is int and 0 <= data <= BASIS_POINTS:
            return data
        if not isinstance(data, str) or not _FRACTION.fullmatch(data):
            self.fail("not-rate")
        return int(Decimal(data) * BASIS_POINTS)

    def to_representation(self, value: int) -> str:
        return rate(value)


def rate(basis_points: int) -> str:
    return f"{Decimal(basis_points) / BASIS_POINTS:.4f}".rstrip("0").ljust(4, "0")


class HandIn(StrictSerializer):
    box = WholeNumber(min_value=1, max_value=1000)
    cards = serializers.ListField(child=Text(max_length=16), required=False, max_length=20)
    tiles = serializers.ListField(child=Text(max_length=16), required=False, max_length=20)
    declared = TrueOrFalse(
        required=False, help_text="Boomerang: whether the player declared it in time; left out: yes."
    )
    example = shown({"box": 2, "cards": ["AS", "KS", "QS", "JS", "TS"]})


def dealt(hands: list[HandIn]) -> list[Dealt]:
    return [
        Dealt(box=hand.box, cards=hand.cards, tiles=hand.tiles, declared=hand.declared is not False) for hand in hands
    ]


class Boxes(ListOf[int]):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=WholeNumber(min_value=1, max_value=1000), max_length=1000, **options)


class LevelOut(StrictSerializer):
    name = Text()
    displayed = MoneyField()
    increment_rate = RateField()
    seed = MoneyField()
    ceiling = MoneyField(allow_null=True)
    overflow = MoneyField(help_text="What stands above the ceiling, waiting for the next pool.")


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
    terms = WholeNumber(help_text="The version of its terms.")
    mystery = MustHitByOut(allow_null=True, help_text="Of a must-hit-by link: what decides it.")
    undecided = TrueOrFalse(help_text="A must-hit-by link that waits for its witness: the sign says so.")


class WagerIn(StrictSerializer):
    box = WholeNumber(min_value=1, max_value=1000)
    ante = TrueOrFalse(required=False, default=True)
    player = Text(required=False, max_length=64, allow_null=True, default=None)
    amount = MoneyField(required=False, allow_zero=False, help_text="Where the table can tell it.")
    placed = Choice(
        choices=Placed.values, required=False, help_text="By what right; left out: the box is the player’s."
    )
    allowed_by = Text(required=False, max_length=200, help_text="The supervisor, on another player’s box.")
    example = shown({"box": 1, "ante": True, "player": "P-1042"})


def offered(wagers: list[WagerIn]) -> list[Offer]:
    return [
        Offer(
            box=wager.box,
            ante=wager.ante,
            player_card=wager.player,
            amount=wager.amount,
            placed=wager.placed or Placed.OWN,
            allowed_by=wager.allowed_by,
        )
        for wager in wagers
    ]


class RoundIn(StrictSerializer):
    wagers = WagerIn(many=True, max_length=100)  # type: ignore[call-arg]
    example = shown({"wagers": [{"box": 1}, {"box": 2, "player": "P-1042"}]})


class AcceptedOut(StrictSerializer):
    box = WholeNumber()
    player = Text(allow_null=True)
    amount = MoneyField()
    placed = Choice(choices=Placed.values)


class RefusedOut(StrictSerializer):
    box = WholeNumber()
    code = Text()
    detail = Text()
    clause = Text(allow_null=True)


class RoundOut(StrictSerializer):
    round = WholeNumber()
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
    folded = Boxes(required=False)
    example = shown({"hands": [{"box": 2, "cards": ["AS", "KS", "QS", "JS", "TS"]}], "folded": []})


class WonOut(StrictSerializer):
    hand = Text(allow_null=True)
    kind = Text()
    amount = MoneyField()
    from_pool = MoneyField()
    from_house = MoneyField()
    level = Text(allow_null=True)
    measured_on = MoneyField(allow_null=True)
    clause = Text(allow_null=True)


class WonWhereOut(StrictSerializer):
    id = WholeNumber()
    sequence = WholeNumber(help_text="The strict order of everything won on the link.")
    link = Text(source="link.code")
    table = Text(source="table.code")
    round = WholeNumber(source="round_id", allow_null=True, help_text="None where a controller only counts.")
    message = Text(allow_null=True, help_text="The controller’s message whose wager won it.")
    box = WholeNumber(allow_null=True, help_text="None until it is verified, where a controller only counts.")
    player = Text(allow_null=True, source="player_card")


class HitOut(WonWhereOut, WonOut):
    status = Choice(choices=Hit.Status.values)
    claimed_at = InstantField()
    verified_by = Text(allow_null=True)
    verified_at = InstantField(allow_null=True)
    authorised_by = Text(allow_null=True, help_text="The fourth person, where its amount asks for one.")
    authorised_at = InstantField(allow_null=True)
    paid_by = Text(allow_null=True)
    paid_at = InstantField(allow_null=True)
    method = Choice(choices=Hit.Method.values, allow_null=True)
    withheld = MoneyField(help_text="Of the amount, for the tax authority, once it is paid.")
    denied_by = Text(allow_null=True)
    denied_at = InstantField(allow_null=True)
    reason = Text(allow_blank=True)
    notice = serializers.SerializerMethodField(help_text="What the person must be told.")
    waits = serializers.SerializerMethodField(help_text="Why it cannot be paid yet: who may share it (act-pg:13.3).")

    def get_waits(self, hit: Hit) -> str:
        return what_it_waits_for(hit)

    def get_notice(self, hit: Hit) -> str:
        return RIGHT_TO_COMPLAIN if hit.status == Hit.Status.DENIED else ""


class FinishedOut(StrictSerializer):
    round = WholeNumber()
    status = Text()
    hits = HitOut(many=True, help_text="Waiting for verification, in order of payment.")
    displayed = MoneyField(help_text="What the link shows now.")


class VoidIn(StrictSerializer):
    cause = Choice(choices=["misdeal", "foreign-card", "other"], required=False)
    why = Text(required=False, allow_blank=True, max_length=1000)
    example = shown({"cause": "misdeal", "why": "Box 3 got six cards."})


class InvalidateIn(StrictSerializer):
    cause = Text(max_length=64, help_text=f"One that its rule lists: {', '.join(INVALIDATION_CAUSES)}.")
    why = Text()
    forfeited = Boxes(required=False)
    example = shown({"cause": "fire", "why": "The alarm went off in the middle of the deal.", "forfeited": []})


class VerifyIn(StrictSerializer):
    cards = serializers.ListField(
        child=Text(max_length=16),
        required=False,
        max_length=20,
        help_text="As they lie on the box, in any order, entered without having seen what the table sent.",
    )
    tiles = serializers.ListField(
        child=Text(max_length=16), required=False, max_length=20, help_text="The same where tiles are played."
    )
    box = WholeNumber(required=False, min_value=1, max_value=1000, help_text="Needed where a controller only counts.")
    player = Text(required=False, max_length=64, help_text="Needed where a controller only counts.")
    surveillance = Text(required=False, max_length=200, allow_blank=True, help_text="Its reference; always needed.")
    note = Text(required=False, allow_blank=True)
    example = shown({"cards": ["AS", "KS", "QS", "JS", "TS"], "surveillance": "CAM-12 21:04"})


def seen(data: VerifyIn) -> list[str] | None:
    """The cards or the tiles that the verifier saw."""
    if data.cards is not None and data.tiles is not None:
        raise Malformed("malformed", "Give cards or tiles, not both.", field="tiles")
    return data.tiles if data.cards is None else data.cards


class ReceiverIn(StrictSerializer):
    """Who receives it. ``date_of_birth``, and the kind and number of the document in one, are read too."""

    name = Text(max_length=200)
    address = Text(max_length=500)
    document = Text(max_length=200, help_text="What was shown: a passport, a driver's licence.")
    born = DayField(required=False)
    date_of_birth = DayField(required=False, help_text="The same as `born`.")
    document_number = Text(max_length=60, required=False, help_text="Left out: the last word of `document`.")


def receiver_of(given: ReceiverIn | None) -> Identity | None:
    if given is None:
        return None
    document, number = given.document, given.document_number
    if number is None:
        document, _, number = given.document.rpartition(" ")
    return Identity(
        name=given.name.strip(),
        born=given.born or given.date_of_birth,
        address=given.address.strip(),
        document=document.strip(),
        document_number=number.strip(),
    )


class PayIn(StrictSerializer):
    method = Choice(choices=Hit.Method.values, required=False)
    reference = Text(
        required=False,
        max_length=200,
        allow_blank=True,
        help_text="Of the cheque or the transfer; a cheque of $10,000 or more needs it.",
    )
    identity = ReceiverIn(required=False, help_text="Of who receives $10,000 or more, however it is paid.")
    surveillance = Text(
        required=False, max_length=200, allow_blank=True, help_text="Its reference, where the amount asks for it."
    )
    example = shown({"method": "cheque", "reference": "000123"})


class DenyIn(StrictSerializer):
    reason = Text()
    example = shown({"reason": "The hand had six cards."})


class TableOut(StrictSerializer):
    code = Text()
    link = Text()
    boxes = WholeNumber()
    status = Text()


class MoveIn(StrictSerializer):
    link = Text(max_length=16)
    example = shown({"link": "CSP"})


class SuspendIn(StrictSerializer):
    what = Text(help_text="What went wrong.")
    example = shown({"what": "The meter of the table stays dark."})


class SignPrizeOut(StrictSerializer):
    hand = Text()
    fixed = MoneyField(allow_null=True)
    percent = WholeNumber(allow_null=True, help_text="Whole per cent; null where it is none: see `share`.")
    share = Text(allow_null=True, help_text="Per cent of the level, to the hundredth: 0.50, 10.00.")
    at_least = MoneyField(allow_null=True)
    level = Text(allow_null=True)


class SignOut(StrictSerializer):
    table = Text()
    link = Text()
    title = Text()
    wager = MoneyField()
    bonus = MoneyField(allow_null=True)
    prizes = SignPrizeOut(many=True)
