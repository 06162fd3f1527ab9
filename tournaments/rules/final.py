"""Who goes from the heats into the final, by the approved conditions. Pure.

The best of each heat are in, then the best of all who are left, by the scores of the heats. Where some tie for the last
place the conditions say what decides: all of them are in, a play-off, or a lot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final

from tournaments.rules.seats import Seating

ALL: Final = "all"
PLAY_OFF: Final = "play-off"
BY_LOT: Final = "lot"

TIES: Final = "ties"
FINAL: Final = "final"
"""What is played, or drawn, after the heats: as rounds and lots are called."""

_NOTHING: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalTerms:
    of_each_heat: int
    best_of_rest: int
    ties: str
    seating: Seating | None
    carries_over: bool  # scores of the heats count in the final, too

    def points(self, *, heat: int, final: int) -> int:
        return heat + final if self.carries_over else final


def final_of(terms: Mapping[str, Any]) -> FinalTerms | None:
    given = terms.get("final")
    if given is None:
        return None
    tables = given.get("tables")
    return FinalTerms(
        of_each_heat=given.get("of_each_heat") or 0,
        best_of_rest=given.get("best_of_rest") or 0,
        ties=given["ties"],
        seating=Seating(heats=1, tables=tables, seats_a_table=given["seats_a_table"]) if tables else None,
        carries_over=bool(given.get("carries_over")),
    )


def lots_of(terms: Mapping[str, object]) -> list[str | None]:
    """What may be drawn by lot, by the name of its round; None: the seats of the heats."""
    final, assigned = final_of(terms), bool(terms.get("seats_assigned"))
    return [
        *([None] if terms.get("tables") and not assigned else []),
        *([TIES] if final is not None and final.ties == BY_LOT else []),
        *([FINAL] if final is not None and final.seating is not None and not assigned else []),
    ]


@dataclass(frozen=True, slots=True)
class Result:
    """Of an entry in its heat."""

    entry: int
    heat: int
    score: int


def qualifiers(
    results: Sequence[Result],
    final: FinalTerms,
    decided: Mapping[int, int] = _NOTHING,
    *,
    first: int = 0,
    last: int = 0,
) -> list[int]:
    """The entries of the final. *decided*: of those who tied, by a play-off or a lot, the more the better. Whom nothing
    decides between *first* goes before all, and *last* behind."""

    def best(pool: Sequence[Result], places: int) -> list[int]:
        ranked = sorted(
            pool,
            key=lambda each: (
                -each.score,
                -decided.get(each.entry, 0),
                each.entry != first,
                each.entry == last,
                each.entry,
            ),
        )
        taken = ranked[:places]
        if taken and final.ties == ALL:
            taken = [each for each in ranked if each.score >= taken[-1].score]
        return [each.entry for each in taken]

    into: list[int] = []
    for heat in sorted({each.heat for each in results}):
        into += best([each for each in results if each.heat == heat], final.of_each_heat)
    into += best([each for each in results if each.entry not in into], final.best_of_rest)
    return sorted(into)


def tied(results: Sequence[Result], final: FinalTerms, decided: Mapping[int, int] = _NOTHING) -> list[int]:
    """Whose place in the final is still open: in if every tie went for them, out if every tie went against them."""
    alike = Counter(each.score for each in results)
    return sorted(
        each.entry
        for each in results
        if alike[each.score] > 1
        and each.entry in qualifiers(results, final, decided, first=each.entry)
        and each.entry not in qualifiers(results, final, decided, last=each.entry)
    )


def by_order(entries: Sequence[int], drawn: Sequence[int]) -> dict[int, int]:
    """What a lot decides between those who tied: the i-th entry has the i-th drawn number; the lowest goes first."""
    return {entry: len(drawn) + 1 - number for entry, number in zip(sorted(entries), drawn, strict=True)}


def final_fault(terms: FinalTerms, *, heats: int, most_entries: int) -> str | None:
    """The code of what is wrong with a proposed final, or None: it follows heats, and whoever may be in it has a
    seat."""
    most = heats * terms.of_each_heat + terms.best_of_rest
    if heats < 2 or most < 1:
        return "final-unclear"
    seats = None if terms.seating is None else len(terms.seating.places)
    if seats is not None and seats < (most_entries if terms.ties == ALL else min(most, most_entries)):
        return "final-seats-too-few"
    return None
