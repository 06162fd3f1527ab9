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
SHORT, WHOLE, PIECE = 4, 600, 60  # changes: in every run, in the long one, in one test of it
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


def _mutations(rows: list[dict[str, Any]]) -> Iterator[tuple[int, tuple[Any, ...], Any]]:
    """One for each kind and field, in the order of chance."""
    chance = Random(SEED)
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


def _change(values: list[dict[str, Any]], at: int, path: tuple[Any, ...], value: Any) -> None:
    place: Any = values[at]
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (0, SHORT),
        *(pytest.param(at, at + PIECE, marks=pytest.mark.long) for at in range(0, WHOLE, PIECE)),
    ],
)
def test_no_change_is_unseen(small_house: Exported, first: int, last: int) -> None:
    head = Checkpoint.parse(Note.parse(small_house.witness_head.encode()).text)
    for mutation in islice(_mutations(Draft.of(small_house.lines).rows), first, last):

        def change(draft: Draft, mutation: tuple[int, tuple[Any, ...], Any] = mutation) -> None:
            _change(draft.rows, *mutation)

        for forger in Forger:
            assert wrong(small_house, change, by=forger, heads=[head]), (forger, mutation)


def _in_a_root(draft: Draft) -> list[dict[str, Any]]:
    """The tickets of a sealed set: not those that were cancelled or voided before it, or play in a game to come."""
    stopped = [*draft.acts("keno.cancelled"), *draft.acts("keno.wagers-voided"), *draft.acts("keno.voided")]
    gone = {row["subject"].partition(":")[2] for row in stopped}
    last = max(row["data"]["game"] for row in draft.acts("keno.sealed"))
    tickets = draft.tickets
    return [each for each in tickets if each["serial"] not in gone and each["first_game"] <= last]


@pytest.mark.parametrize("forger", Forger)
def test_no_change_of_a_sealed_ticket_is_unseen(keno_house: Exported, forger: Forger) -> None:
    """Every field of its particulars, of every kind of ticket: the ticket roots bind them, and it takes no witness."""
    draft = Draft.of(keno_house.lines)
    assert len(_in_a_root(draft)) > 15
    for mutation in _mutations(_in_a_root(draft)):

        def change(draft: Draft, mutation: tuple[int, tuple[Any, ...], Any] = mutation) -> None:
            _change(_in_a_root(draft), *mutation)

        assert wrong(keno_house, change, by=forger), mutation


@pytest.mark.parametrize(
    ("kind", "path", "value"),
    [
        ("tablegames.marker-placed", ("kind",), "no-such-marker"),
        ("tablegames.limits-announced", ("limits",), {"ante": {"minimum": "x"}}),
        ("jackpot.terms-restored", ("terms", "rules", "folded"), "no-such-rule"),
    ],
)
def test_what_a_rule_refuses_is_wrong_and_no_breakdown(
    small_house: Exported, kind: str, path: tuple[str, ...], value: object
) -> None:
    def change(draft: Draft) -> None:
        _change([draft.acts(kind)[0]], 0, ("data", *path), value)

    assert "what is said up to here cannot be: " in wrong(small_house, change, by=Forger.HOUSE)
