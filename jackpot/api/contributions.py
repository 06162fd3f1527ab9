"""Contributions in a request: up to ten thousand."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Any, Final

from rest_framework import serializers

from house.api.fields import InstantField, MoneyField, StrictSerializer, Text, Whole, shown
from house.refusal import Malformed
from jackpot import contribute

_NAMES: Final = {"id", "table", "wagers", "at"}
_INSTANT: Final = InstantField()


class ContributionList(serializers.ListSerializer[Any]):
    """Ten thousand at once, read by hand: field by field through the framework takes ten times as long."""

    def run_validation(self, data: Any = serializers.empty) -> list[contribute.Message]:
        if not isinstance(data, list) or not 0 < len(data) <= contribute.MOST:
            raise Malformed("malformed", f"Send a list of 1 to {contribute.MOST:,} contributions.")
        return [self._read(i, item) for i, item in enumerate(data)]

    def _read(self, i: int, item: Any) -> contribute.Message:
        if not isinstance(item, Mapping) or item.keys() != _NAMES:
            raise Malformed(
                "malformed", "A contribution has id, table, wagers and at, and nothing else.", field=f"[{i}]"
            )
        name, table, wagers, at = item["id"], item["table"], item["wagers"], item["at"]
        if not isinstance(name, str) or not name.strip() or len(name) > contribute.MOST_ID:
            raise Malformed("malformed", f"An id is text of 1 to {contribute.MOST_ID} characters.", field=f"[{i}].id")
        if not isinstance(table, str):
            raise Malformed("malformed", "Write the table’s code, in quotes.", field=f"[{i}].table")
        if type(wagers) is not int or not 1 <= wagers <= contribute.MOST_WAGERS:
            raise Malformed(
                "malformed", f"Write a whole number from 1 to {contribute.MOST_WAGERS:,}.", field=f"[{i}].wagers"
            )
        return contribute.Message(name, table, wagers, self._instant(i, at))

    def _instant(self, i: int, at: Any) -> dt.datetime:
        try:
            return _INSTANT.to_internal_value(at)
        except serializers.ValidationError as error:
            raise Malformed("malformed", str(error.detail[0]), field=f"[{i}].at") from None  # type: ignore[index]

    def is_valid(self, *, raise_exception: bool = False) -> bool:
        self._validated_data = self.run_validation(self.initial_data)
        self._errors: list[Any] = []
        return True


class ContributionIn(StrictSerializer):
    id = Text(max_length=contribute.MOST_ID, help_text="The controller’s own; counted once ever.")
    table = Text(max_length=16)
    wagers = Whole(min_value=1, max_value=contribute.MOST_WAGERS)
    at = InstantField()
    example = shown({"id": "C7-000042", "table": "CSP-01", "wagers": 3, "at": "2026-11-16T21:04:00+11:00"})

    class Meta:
        list_serializer_class = ContributionList


class CountedOut(StrictSerializer):
    counted = Whole()
    duplicates = Whole()
    held = Whole(help_text="Unreasonably much at once: a supervisor decides.")
    wagers = Whole()
    amount = MoneyField()


class BatchOut(StrictSerializer):
    id = Whole()
    table = Text()
    wagers = Whole()
    contributions = Whole()
    status = Text()
    at = InstantField()
