"""Who of two heats is in a final, by the simulation's own book. Pure, and by trying every order of equals.

The best of each heat is in, and the best of all who are left. Where some tie all of them are in, or something decides
between exactly those who are in by one order of equals and out by another: a play-off, a lot.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby, permutations, product
from typing import Any, Final

HEATS: Final = 2
SEATS: Final = 4
WAYS: Final = ("all", "play-off", "lot")
EVERY: Final = 2  # tournaments: each second one has a final


def conditions_of(number: int) -> dict[str, Any]:
    """What the conditions of a tournament with this number say of heats and a final, if anything."""
    if number % EVERY:
        return {}
    turn = number // EVERY
    final = {
        "of_each_heat": 1,
        "best_of_rest": 1,
        "ties": WAYS[turn % len(WAYS)],
        "tables": ["SIM-FINAL"],
        "seats_a_table": HEATS * SEATS,
        "carries_over": turn % 2 == 0,
    }
    seats = {"heats": HEATS, "tables": ["SIM-HEAT"], "seats_a_table": SEATS, "most_entries": HEATS * SEATS}
    return seats | {"final": final}


@dataclass(slots=True)
class HeatBook:
    """The heats of one tournament: who sat in which, and what they scored."""

    ties: str
    carries_over: bool
    heat_of: dict[int, int] = field(default_factory=dict)
    scores: dict[int, int] = field(default_factory=dict)

    def open_ties(self) -> list[int]:
        """Between whom something has to decide."""
        if self.ties == "all":
            return []
        outcomes = [self._into(order) for order in self._orders()]
        return sorted(entry for entry in self.scores if len({entry in into for into in outcomes}) > 1)

    def into(self, decided: Mapping[int, int]) -> list[int]:
        """Who is in the final; *decided*: the more the better, of those who tied."""
        if self.ties == "all":
            return sorted(self._all_who_tie())
        return sorted(self._into(sorted(self.scores, key=lambda entry: (-self.scores[entry], -decided.get(entry, 0)))))

    def points(self, final: Mapping[int, int]) -> dict[int, int]:
        return {entry: score + self.scores[entry] * self.carries_over for entry, score in final.items()}

    def _orders(self) -> Iterator[list[int]]:
        """Every order of the entries from the best to the worst."""
        best_first = sorted(self.scores, key=lambda entry: -self.scores[entry])
        alike = [list(group) for _, group in groupby(best_first, key=self.scores.__getitem__)]
        for order in product(*(permutations(group) for group in alike)):
            yield list(chain.from_iterable(order))

    def _into(self, order: Sequence[int]) -> set[int]:
        into = {next(entry for entry in order if self.heat_of[entry] == heat) for heat in set(self.heat_of.values())}
        return into | set([entry for entry in order if entry not in into][:1])

    def _all_who_tie(self) -> set[int]:
        into: set[int] = set()
        for heat in set(self.heat_of.values()):
            into |= self._best([entry for entry in self.scores if self.heat_of[entry] == heat])
        return into | self._best([entry for entry in self.scores if entry not in into])

    def _best(self, entries: Sequence[int]) -> set[int]:
        most = max((self.scores[entry] for entry in entries), default=0)
        return {entry for entry in entries if self.scores[entry] == most}
