from __future__ import annotations

import datetime as dt
import io
import json
from contextlib import suppress
from typing import Any, assert_type

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rest_framework import serializers

from kernel.money import Money
from kernel.refusal import Malformed
from web.fields import (
    Choice,
    DayField,
    InstantField,
    MoneyField,
    QueryFlag,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    sent,
)
from web.json import DEPTH_LIMIT, JSONOnly, read_json
from web.view import Limit


def rejected(field: serializers.Field[Any, Any, Any, Any], value: object) -> bool:
    try:
        field.run_validation(value)
    except serializers.ValidationError:
        return True
    return False


@pytest.mark.parametrize("value", [True, False, 1.0, 1.5, "1", None, [], {}, 2**63, -(2**63), float("nan")])
def test_whole_numbers_are_not_made_of_other_things(value: Any) -> None:
    assert rejected(WholeNumber(), value)


def test_whole_numbers() -> None:
    assert WholeNumber().run_validation(0) == 0
    assert WholeNumber().run_validation(2**63 - 1) == 2**63 - 1
    assert WholeNumber(min_value=1, max_value=80).run_validation(80) == 80
    assert rejected(WholeNumber(min_value=1, max_value=80), 81)


@pytest.mark.parametrize("value", [0, 1, "true", "", None, "on", []])
def test_truth_is_true_or_false(value: Any) -> None:
    assert rejected(TrueOrFalse(), value)
    assert TrueOrFalse().run_validation(True) is True


@pytest.mark.parametrize("value", [1, True, None, ["a"], {}, "", "  \n"])
def test_text_is_text(value: Any) -> None:
    assert rejected(Text(), value)


def test_text_is_kept_as_it_is() -> None:
    assert Text().run_validation("  Two  spaces ") == "  Two  spaces "
    assert Text(allow_blank=True).run_validation("") == ""
    assert rejected(Text(max_length=3), "four")


def test_a_choice_is_written_exactly() -> None:
    choice = Choice(choices=["open", "closed"])
    assert choice.run_validation("open") == "open"
    strange: list[object] = ["Open", "open ", "", 1, True, ["open"], {}]
    for value in strange:
        assert rejected(choice, value), value
    assert QueryFlag().run_validation("true") is True
    assert QueryFlag().run_validation("false") is False
    assert rejected(QueryFlag(), "1")


@pytest.mark.parametrize("value", ["0", "201", "-1", "1.0", "", "ten", "٣", "1e2", "00001"])
def test_limits(value: str) -> None:
    assert rejected(Limit(), value)


@pytest.mark.parametrize(
    "value",
    [
        "12.5",
        "12",
        "12.500",
        ".50",
        "+1.00",
        "1,000.00",
        "1e2",
        " 1.00",
        "1.00 ",
        "",
        12.50,
        12,
        True,
        None,
        "١.٠٠",
        "-1.00",
    ],
)
def test_money_has_two_decimals_and_quotes(value: Any) -> None:
    assert rejected(MoneyField(), value)


@given(st.integers(0, 10**14 - 1))
def test_money_there_and_back(cents: int) -> None:
    text = f"{cents // 100}.{cents % 100:02d}"
    amount = MoneyField().run_validation(text)
    assert amount == Money(cents * 10_000)
    assert MoneyField().to_representation(amount) == text


def test_money_that_is_no_amount() -> None:
    assert rejected(MoneyField(allow_zero=False), "0.00")
    assert MoneyField(allow_negative=True).run_validation("-2.50") == Money.cents(-250)
    with pytest.raises(ValueError, match="not whole cents"):
        MoneyField().to_representation(Money(12_345))


@pytest.mark.parametrize(
    ("text", "utc"),
    [
        ("2026-11-16T21:04:00+11:00", dt.datetime(2026, 11, 16, 10, 4, tzinfo=dt.UTC)),
        ("2026-11-16t10:04:00z", dt.datetime(2026, 11, 16, 10, 4, tzinfo=dt.UTC)),
        ("2026-11-16T10:04:00.25Z", dt.datetime(2026, 11, 16, 10, 4, 0, 250_000, tzinfo=dt.UTC)),
        ("2026-11-16T00:34:00-09:30", dt.datetime(2026, 11, 16, 10, 4, tzinfo=dt.UTC)),
    ],
)
@pytest.mark.django_db
def test_instants_there_and_back_in_the_venues_zone(text: str, utc: dt.datetime) -> None:
    assert InstantField().run_validation(text) == utc
    shown = InstantField().to_representation(utc)
    assert shown.endswith("+11:00")  # Sydney in November
    assert dt.datetime.fromisoformat(shown) == utc
    winter = dt.datetime(2026, 6, 1, tzinfo=dt.UTC)
    assert InstantField().to_representation(winter) == "2026-06-01T10:00:00+10:00"


@pytest.mark.parametrize(
    "value",
    [
        "2026-11-16T21:04:00",
        "2026-11-16",
        "2026-11-16 21:04:00+11:00",
        "2026-11-16T21:04+11:00",
        "2026-11-16T24:04:00Z",
        "2026-13-16T21:04:00Z",
        "2026-11-16T21:04:00+1100",
        "2026-11-16T21:04:60Z",
        "0001-01-01T00:00:00+14:00",
        "",
        None,
        20261116,
    ],
)
def test_instants_need_an_offset_and_must_exist(value: int | str | None) -> None:
    assert rejected(InstantField(), value)


@pytest.mark.parametrize("value", ["2026-11-31", "2026-1-1", "16.11.2026", "20261116", "2026-W47-1", "", None, 3])
def test_days_must_exist(value: int | str | None) -> None:
    assert rejected(DayField(), value)
    assert DayField().run_validation("2026-11-16") == dt.date(2026, 11, 16)


class Play(StrictSerializer):
    spots = WholeNumber()
    stake = MoneyField(required=False)


class Ticket(StrictSerializer):
    plays = Play(many=True)
    price = MoneyField(read_only=True)


def test_unknown_fields_are_refused_at_every_level() -> None:
    assert Ticket(data={"plays": [{"spots": 3}]}).is_valid()
    deep = Ticket(data={"plays": [{"spots": 3}, {"spots": 3, "steak": "1.00"}]})
    assert not deep.is_valid()
    assert deep.errors["plays"][1]["steak"][0].code == "unknown-field"
    written = Ticket(data={"plays": [], "price": "1.00"})  # what is only answered cannot be sent
    assert not written.is_valid()
    assert written.errors["price"][0].code == "unknown-field"


class Sold(StrictSerializer):
    plays = Play(many=True)
    first = Play(required=False)
    numbers = serializers.ListField(child=WholeNumber(), required=False)
    by_name = serializers.DictField(child=MoneyField(), default=dict)
    day = DayField(required=False, allow_null=True)
    games = WholeNumber(default=1)
    player = Text(allow_null=True)


def test_what_was_sent_has_the_types_of_its_fields() -> None:
    """``assert_type`` is mypy's: it fails where mypy takes a field for something else."""
    data: Sold = Sold().run_validation({"plays": [{"spots": 3, "stake": "1.00"}, {"spots": 4}], "player": None})
    assert_type(data.plays, list[Play])
    assert_type(data.first, Play | None)
    assert_type(data.numbers, list[int] | None)
    assert_type(data.by_name, dict[str, Money])
    assert_type(data.day, dt.date | None)
    assert_type(data.games, int)
    assert_type(data.player, str | None)
    assert [(play.spots, play.stake) for play in data.plays] == [(3, Money.dollars(1)), (4, None)]
    assert (data.first, data.numbers, data.by_name, data.day, data.games, data.player) == (
        None,
        None,
        {},
        None,
        1,
        None,
    )


def test_left_out_and_null_are_told_apart_where_it_matters() -> None:
    plays: list[object] = [{"spots": 4}]
    left_out: Sold = Sold().run_validation({"plays": plays, "player": "P-1"})
    null: Sold = Sold().run_validation({"plays": plays, "player": "P-1", "day": None})
    assert left_out.day is None
    assert null.day is None
    assert sent(left_out) == {"plays": plays, "by_name": {}, "games": 1, "player": "P-1"}
    assert sent(null) == sent(left_out) | {"day": None}


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63) + 1, 2**63 - 1)
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.just("a") | st.just("b"), inner, max_size=2),
    max_leaves=8,
)


@given(json_values)
def test_plain_json_is_read_as_it_is(value: Any) -> None:
    assert read_json(json.dumps(value)) == value


@given(st.binary(max_size=40))
def test_any_bytes_are_read_or_refused_never_a_crash(data: bytes) -> None:
    with suppress(Malformed):
        JSONOnly().parse(io.BytesIO(data))


def test_nesting_ends_at_a_stated_depth() -> None:
    def nested(levels: int) -> str:
        return "[" * levels + "]" * levels

    read_json(nested(DEPTH_LIMIT))
    with pytest.raises(Malformed):
        read_json(nested(DEPTH_LIMIT + 1))
