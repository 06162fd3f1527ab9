"""Contributions in a request: up to ten thousand."""

from __future__ import annotations

import datetime as dt
from typing import Final

from rest_framework import serializers

from jackpot import contribute
from kernel.refusal import Malformed
from web.fields import InstantField, MoneyField, StrictSerializer, Text, WholeNumber, shown

_NAMES: Final = {"id", "table", "wagers", "at"}
_WITH_BOXES: Final = _NAMES | {"round", "boxes"}
_ROUND_LIMIT: Final = (1 << 63) - 1
_BOXES_LIMIT: Final = 20
_INSTANT: Final = InstantField()


class ContributionList(serializers.ListSerializer[object]):
    """Ten thousand at once, read by hand: field by field through the framework takes ten times as long."""

    def run_validation(self, data: object = serializers.empty) -> list[contribute.Message]:
        if not isinstance(data, list) or not 0 < len(data) <= contribute.MESSAGES_LIMIT:
            raise Malformed("malformed", f"Send a list of 1 to {contribute.MESSAGES_LIMIT:,} contributions.")
        instants: dict[object, dt.datetime] = {}
        return [self._read(i, item, instants) for i, item in enumerate(data)]

    def _read(self, i: int, item: object, instants: dict[object, dt.datetime]) -> contribute.Message:
        """*instants*: of the messages before it. Many have the same, and to read one takes as long as all the rest."""
        if not isinstance(item, dict) or (item.keys() != _NAMES and item.keys() != _WITH_BOXES):
            raise Malformed(
                "malformed",
                "A contribution has id, table, wagers and at; where it names its round and boxes, both; nothing else.",
                field=f"[{i}]",
            )
        name, table, wagers, at = item["id"], item["table"], item["wagers"], item["at"]
        if not isinstance(name, str) or not name.strip() or len(name) > contribute.ID_CHARACTERS_LIMIT:
            raise Malformed(
                "malformed", f"An id is text of 1 to {contribute.ID_CHARACTERS_LIMIT} characters.", field=f"[{i}].id"
            )
        if not isinstance(table, str):
            raise Malformed("malformed", "Write the table’s code, in quotes.", field=f"[{i}].table")
        if type(wagers) is not int or not 1 <= wagers <= contribute.WAGERS_LIMIT:
            raise Malformed(
                "malformed", f"Write a whole number from 1 to {contribute.WAGERS_LIMIT:,}.", field=f"[{i}].wagers"
            )
        if not isinstance(at, str) or (played := instants.get(at)) is None:
            played = instants[at] = self._instant(i, at)
        if len(item) == len(_NAMES):
            return contribute.Message(name, table, wagers, played)
        return contribute.Message(name, table, wagers, played, *self._boxes(i, item))

    def _boxes(self, i: int, item: dict[str, object]) -> tuple[int, tuple[int, ...]]:
        number, boxes = item["round"], item["boxes"]
        if type(number) is not int or not 1 <= number <= _ROUND_LIMIT:
            raise Malformed("malformed", "A round is a whole number from 1 on.", field=f"[{i}].round")
        if (
            not isinstance(boxes, list)
            or not 1 <= len(boxes) <= _BOXES_LIMIT
            or not all(type(box) is int and 1 <= box <= _BOXES_LIMIT for box in boxes)
        ):
            raise Malformed("malformed", "Write the boxes as a list of numbers.", field=f"[{i}].boxes")
        return number, tuple(boxes)

    def _instant(self, i: int, at: object) -> dt.datetime:
        try:
            return _INSTANT.to_internal_value(at)
        except serializers.ValidationError as error:
            raise Malformed("malformed", str(error.detail[0]), field=f"[{i}].at") from None  # type: ignore[index]

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        self._validated_data = self.run_validation(self.initial_data)
        self._errors: list[object] = []
        return True


class ContributionIn(StrictSerializer):
    id = Text(max_length=contribute.ID_CHARACTERS_LIMIT, help_text="The controller’s own; counted once ever.")
    table = Text(max_length=16)
    wagers = WholeNumber(min_value=1, max_value=contribute.WAGERS_LIMIT)
    at = InstantField()
    round = WholeNumber(
        required=False,
        min_value=1,
        help_text="On a must-hit-by link: the controller’s own number of the round at this table, one after the other.",
    )
    boxes = serializers.ListField(
        child=WholeNumber(min_value=1, max_value=_BOXES_LIMIT),
        required=False,
        help_text="With `round`: the boxes of the wagers. Without both they go to the next pool and cannot win.",
    )
    example = shown({"id": "C7-000042", "table": "CSP-01", "wagers": 3, "at": "2026-11-16T21:04:00+11:00"})

    class Meta:
        list_serializer_class = ContributionList


class HeldOut(StrictSerializer):
    id = Text()
    table = Text()
    wagers = WholeNumber()
    batch = WholeNumber(help_text="Which a supervisor releases or rejects.")


class RefusedMessageOut(StrictSerializer):
    place = WholeNumber(help_text="In the call, from 0.")
    id = Text()
    table = Text()
    code = Text()
    detail = Text()


class CountedOut(StrictSerializer):
    accepted = WholeNumber(source="counted", help_text="Messages counted now.")
    counted = WholeNumber(help_text="The same as `accepted`.")
    duplicates = WholeNumber()
    held = HeldOut(many=True, help_text="Unreasonably much: a supervisor decides.")
    refused = RefusedMessageOut(many=True, help_text="Cannot be counted; the others were.")
    conflicts = RefusedMessageOut(many=True, help_text="The id is another message’s, or the play came as a round.")
    wagers = WholeNumber()
    amount = MoneyField()


class BatchOut(StrictSerializer):
    id = WholeNumber()
    table = Text()
    wagers = WholeNumber()
    contributions = WholeNumber()
    status = Text()
    at = InstantField()
