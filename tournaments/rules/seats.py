"""Heats, tables and seats of a tournament. Pure: who sits where is drawn or assigned; here is what fits."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

LOT = "lot"
ASSIGNED = "assigned"


@dataclass(frozen=True, slots=True, kw_only=True)
class Seating:
    """How many sit where, by the approved conditions."""

    heats: int
    tables: Sequence[str]
    seats_a_table: int

    @property
    def places(self) -> list[tuple[int, str, int]]:
        """Every seat, so that tables fill evenly: the first seat of every table of the first heat, then the second."""
        return [
            (heat, table, seat)
            for heat in range(1, self.heats + 1)
            for seat in range(1, self.seats_a_table + 1)
            for table in self.tables
        ]


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
