"""Old and new side by side, from whatever data a proposal carries, with what differs marked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final

from house import queries
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


def side_by_side(old: Any, new: Any) -> list[Line]:
    if _is_list(old) and _is_list(new):
        return _lists(old, new)
    before, after = _parts(old), _parts(new)
    keys = [*after, *(key for key in before if key not in after)]
    if set(keys) == set(WEEKDAYS):
        return [Line(WEEKDAYS[day], hours(before.get(day)), hours(after.get(day))) for day in WEEKDAYS]
    return [Line(words.label(key), _text(before.get(key)), _text(after.get(key))) for key in keys]


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


def _text(value: object) -> str:
    if value is None or value in ("", []):
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) and value.startswith("data:image/"):
        return f"a picture of {max(1, len(value) * 3 // 4000)} kB ({sha256(value.encode()).hexdigest()[:8]})"
    if isinstance(value, Mapping):
        return ", ".join(f"{words.label(key)} {_text(part)}" for key, part in value.items())
    if isinstance(value, list):
        return words.listed(_text(part) for part in value)
    return str(value)
