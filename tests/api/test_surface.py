"""Terminals that were built for 0.1.0 go on working: what they call, send and read is still there."""

from __future__ import annotations

from pathlib import Path

from tests.api.surface import lines
from tests.world.fuzzing import written as document

# Every call as 0.1.0 had it (commit e5afcf9), in the words of tests/api/surface.py.
RELIED_ON = Path(__file__).with_name("surface-0.1.0.txt")

HELD_BY_MESSAGE = "held as a list: one bad message does not stop the others"
NOT_FOR_WRITERS = (
    "null for who may not see it: a writer is not told what another's ticket won, nor what a drawer lacked"
)
# Issue 15: a must-hit-by link has no sealed point any more. Its calls give the sealed movements of its meter, and where
# the meter stood before one is known once the ones before it are decided.
NO_SEALED_POINT = "null while the movement is undecided"
MOVED = {
    ("GET /api/v1/jackpot/pools/{code}/mystery >", "results[].floor"): NO_SEALED_POINT,
    ("GET /api/v1/jackpot/pools/{code}/mystery/{number} >", "floor"): NO_SEALED_POINT,
    ("POST /api/v1/jackpot/contributions >", "held"): HELD_BY_MESSAGE,
    ("POST /api/v1/keno/shifts/{id}/close >", "cash_over"): NOT_FOR_WRITERS,
    ("POST /api/v1/keno/shifts/{id}/close >", "chips_over"): NOT_FOR_WRITERS,
    **{
        ("GET /api/v1/keno/tickets/{serial} >", name): NOT_FOR_WRITERS
        for name in ("won", "refunded", "paid", "owing", "still_playing")
    },
}

# Issue 19: a tournament took any text for a player; who enters one shows his card.
REPLACED = {
    ("POST /api/v1/keno/tournaments/{code}/entries <", "player"): "card",
    ("POST /api/v1/tournaments/{code}/entries <", "player"): "card",
}

# Answers that nobody gets any more.
OPENED = {
    "GET /api/v1/permissions/ ! 403",  # whoever is signed in reads who may do what
    "GET /api/v1/keno/rules ! 401",  # the rules are everybody's to read (act-keno:14.10)
}

Parts = dict[str, tuple[frozenset[str], bool]]  # by name: the types, and whether it has to be sent


def read(listed: list[str]) -> dict[str, Parts]:
    """By call, direction and status: its parts."""
    surface: dict[str, Parts] = {}
    for line in listed:
        method, path, direction, *rest = line.split(" ")
        key = f"{method} {path} {direction}"
        if direction == ">":
            status, *rest = rest
            surface[f"{method} {path} > {status}"] = {}
        parts = surface.setdefault(key, {})
        for part in rest:
            name, _, types = part.partition(":")
            parts[name.removesuffix("*")] = (frozenset(types.split("|")) - {"any", ""}, name.endswith("*"))
    return surface


def test_nothing_that_callers_rely_on_has_moved() -> None:
    old, new = read(RELIED_ON.read_text().splitlines()), read(list(lines(document())))
    moved = []
    for call, parts in old.items():
        if call not in new:
            moved.append(f"{call}: gone")
            continue
        for name, (types, _) in parts.items():
            if f"{call} {name}" in OPENED or (call, name) in REPLACED:
                continue
            if name not in new[call]:
                moved.append(f"{call} {name}: gone")
                continue
            now, _ = new[call][name]
            kept = types <= now if call.endswith("<") else now <= types or not types - {"null"}
            if not kept and (call, name) not in MOVED:
                moved.append(f"{call} {name}: {sorted(types)} became {sorted(now)}")
        if call.endswith(("<", "?")):
            known = {name.rpartition(".")[0] for name in parts} | {""}
            new_names = {REPLACED.get((call, name)) for name in parts}
            moved += [
                f"{call} {name}: has to be sent now"
                for name, (_, needed) in new[call].items()
                if needed and not parts.get(name, ((), False))[1] and name.rpartition(".")[0] in known
                if name not in new_names
            ]
    assert moved == []
