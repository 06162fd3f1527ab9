"""Heats, tables and seats of a tournament. Pure: who sits where is drawn or assigned; here is what fits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from kernel.merkle import leaf_hash

LOT = "lot"
ASSIGNED = "assigned"
PURPOSE = "tournament"
"""What the two parties call a lot for seats; its name and occasion is ``lot_name``."""
Place = tuple[int, str, int]
"""Heat, table, seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """How many sit where, by the approved conditions."""

    heats: int
    tables: Sequence[str]
    seats_a_table: int

    @property
    def places(self) -> list[Place]:
        """Every seat, so that heats and tables fill evenly: the first seat of every table of every heat, then the
        second."""
        return [
            (heat, table, seat)
            for seat in range(1, self.seats_a_table + 1)
            for heat in range(1, self.heats + 1)
            for table in self.tables
        ]


def lot_name(of: str | None, code: str, what: str | None = None) -> str:
    """*what*: of a lot after the heats, for ties or for the seats of the final."""
    name = f"{of or 'any'}-{code}"
    return f"{name}/{what}" if what else name


def lot_leaf(entry: int, whose: str) -> bytes:
    """An entry as the sealed list has it."""
    return leaf_hash(f"{entry} {whose}".encode())


def by_lot(entries: Sequence[int], drawn: Sequence[int], *, seating: Seating) -> list[tuple[int, Place]]:
    """The i-th entry takes the place with the i-th drawn number, of as many places as there are entries."""
    places = seating.places[: len(entries)]
    return [(entry, places[number - 1]) for entry, number in zip(sorted(entries), drawn, strict=True)]


def seats_fault(
    seats: Collection[tuple[int, int, str, int]], *, entries: Collection[int], seating: Seating
) -> str | None:
    """What is wrong with a seating, each (entry, heat, table, seat), or None: everybody sits once, nobody on
    another, and nowhere that the conditions do not know."""
    if sorted(entry for entry, *_ in seats) != sorted(entries):
        return "seats-incomplete"
    taken = [(heat, table, seat) for _, heat, table, seat in seats]
    if len(set(taken)) != len(taken):
        return "seat-taken-twice"
    known = set(seating.places)
    return None if all(each in known for each in taken) else "no-such-seat"
