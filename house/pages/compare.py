"""Old and new side by side, from whatever data a proposal carries, with what differs marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from house import queries
from house.approvals.in_words import Form, in_words, part
from web import words

WEEKDAYS: Final = {
    "mon": "Monday",
    "tue": "Tuesday",
    "wed": "Wednesday",
    "thu": "Thursday",
    "fri": "Friday",
    "sat": "Saturday",
    "sun": "Sunday",
}


@dataclass(frozen=True, slots=True)
class Line:
    label: str
    old: str
    new: str

    @property
    def changed(self) -> bool:
        return self.old != self.new


def side_by_side(old: Any, new: Any, form: Form = None) -> list[Line]:
    """*form*: what reads such a value."""
    if _is_list(old) and _is_list(new):
        return _lists(old, new)
    before, after = _parts(old), _parts(new)
    keys = [*after, *(key for key in before if key not in after)]
    if set(keys) == set(WEEKDAYS):
        return [Line(WEEKDAYS[day], hours(before.get(day)), hours(after.get(day))) for day in WEEKDAYS]
    fields = {key: part(form, key) if key else form for key in keys}
    return [
        Line(words.label(key), in_words(before.get(key), field), in_words(after.get(key), field))
        for key, field in fields.items()
    ]


def hours(pair: Any) -> str:
    """A weekday's hours: ``10:00 to 04:00 next day``, ``24 hours from 06:00``, ``closed``."""
    if not pair:
        return "closed"
    opens, closes = (str(each)[:5] for each in pair)
    if opens == closes:
        return f"24 hours from {opens}"
    return f"{opens} to {closes}{' next day' if closes < opens else ''}"


def _lists(old: list[str], new: list[str]) -> list[Line]:
    """A line for each thing in either: what goes shows on the left only, what comes on the right only."""
    both = sorted({*old, *new})
    known = queries.labels_of(both)
    return [
        Line("", known.get(each, each) if each in old else "–", known.get(each, each) if each in new else "–")
        for each in both
    ]


def _is_list(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _parts(value: object) -> dict[str, object]:
    if value is None:
        return {}
    return {str(key): part for key, part in value.items()} if isinstance(value, Mapping) else {"": value}
