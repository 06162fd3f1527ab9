"""Random valid-looking changes under a seed, over every field of every kind of row: with the sealing key, and balances
put right, none is unseen by whoever has the witness's latest head; without keys none by anybody.

Nothing but seals and witness can see that free words (a reason, a name) or the person at a terminal were others:
what a person wrote follows from nothing else. Those are the fields that "need the witness"; of amounts each room's own
tests show that the rows alone give them away.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from kernel.notes import Checkpoint, Note
from tests.world.falsified import Draft, Exported, Forger, wrong

SEED = 20_261_117
SHORT, WHOLE, PIECE = 12, 600, 60  # changes: in every run, in the long one, in one test of it
_DIGITS = re.compile(r"[0-9a-f]{8,}").fullmatch
_MONEY = re.compile(r"-?\d+\.\d{2,6}").fullmatch


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within a row."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in parts:
        yield from _places(part, (*path, key))
    if path and not isinstance(value, dict | list) and path[0] not in ("type", "tx"):
        yield path


def _other(value: Any, chance: Random) -> Any:
    """Something of the same kind that looks as right."""
    match value:
        case bool():
            return not value
        case int():
            return value + chance.choice([1, 10_000])
        case str() if _DIGITS(value):
            return value[:-1] + ("0" if value[-1] != "0" else "1")
        case str() if _MONEY(value):
            return f"{chance.randint(1, 9)}{value.lstrip('-')}"
        case str() if re.match(r"\d{4}-\d\d-\d\d", value):
            return value.replace("2026", "2025", 1).replace("2027", "2026", 1)
        case str():
            return value[:-1] + ("a" if value[-1:] != "a" else "b")
    return "x"


def _mutations(export: Exported) -> Iterator[tuple[int, tuple[Any, ...], Any]]:
    """One for each kind and field, in the order of chance."""
    chance = Random(SEED)
    rows = Draft.of(export.lines).rows
    found: dict[tuple[Any, ...], list[tuple[int, tuple[Any, ...]]]] = {}
    for at, row in enumerate(rows):
        for path in _places(row):
            named = (row["kind"], *(part for part in path if isinstance(part, str)))
            found.setdefault(named, []).append((at, path))
    for named in chance.sample(sorted(found), len(found)):
        at, path = chance.choice(found[named])
        value: Any = rows[at]
        for key in path:
            value = value[key]
        yield at, path, _other(value, chance)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0, SHORT),
        *(pytest.param(at, at + PIECE, marks=pytest.mark.long) for at in range(0, WHOLE, PIECE)),
    ],
)
def test_no_change_is_unseen(small_house: Exported, first: int, last: int) -> None:
    head = Checkpoint.parse(Note.parse(small_house.witness_head.encode()).text)
    for at, path, value in islice(_mutations(small_house), first, last):

        def change(draft: Draft, at: int = at, path: tuple[Any, ...] = path, value: Any = value) -> None:
            place: Any = draft.rows[at]
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value

        for forger in Forger:
            assert wrong(small_house, change, by=forger, heads=[head]), (forger, at, path, value)
