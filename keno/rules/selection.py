"""What the player marks: groups of numbers and the plays on them (4.4, 4.7).

A play says "every combination of whole groups that makes N numbers, at S dollars a way". A plain ticket is one group
and one play of all of it. A selection that exists is possible: everything else was refused, with clause and field.

Left open by the rules, and decided here:
- Two plays of the same number of spots on one ticket are refused. A way is "an individual selection of numbers";
  playing it twice would be one selection counted twice, past the $50,000 a way of 9.1 and into a cheaper tier of
  3.1(c). The player raises the stake instead.
- A group that no play uses is allowed: no clause asks that every marked number be in a way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from keno.rules.ways import SPOTS_LIMIT, count_ways
from kernel.money import Money
from kernel.refusal import Refusal

NUMBERS: Final = 80


class Form(StrEnum):
    """How the selection came in. It decides what a refusal calls the field at fault, nothing else."""

    NUMBERS = "numbers"
    WAY = "way"
    QUICK_PICK = "quick-pick"
    MYSTERY = "mystery"
    SET_BET = "set-bet"

    @property
    def clause(self) -> str:
        """The kind of ticket in 4.7."""
        return {
            Form.NUMBERS: "act-keno:4.7f",
            Form.WAY: "act-keno:4.7g",
            Form.QUICK_PICK: "act-keno:4.7b",
            Form.MYSTERY: "act-keno:4.7c",
            Form.SET_BET: "act-keno:4.7h",
        }[self]

    @property
    def entry_form(self) -> str:
        """The form on which the numbers are marked (4.4)."""
        return "act-keno:4.4b" if self in (Form.WAY, Form.SET_BET) else "act-keno:4.4a"

    def groups_field(self) -> str:
        return {Form.WAY: "groups", Form.NUMBERS: "numbers", Form.SET_BET: "set_bet"}.get(self, "quick_pick")

    def group_field(self, group: int) -> str:
        return f"groups[{group}]" if self is Form.WAY else self.groups_field()

    def number_field(self, group: int, number: int) -> str:
        return f"{self.group_field(group)}[{number}]" if self in (Form.WAY, Form.NUMBERS) else self.groups_field()

    def plays_field(self) -> str:
        return "plays" if self is Form.WAY else self.groups_field()

    def spots_field(self, play: int) -> str:
        if self is Form.WAY:
            return f"plays[{play}].spots"
        return "quick_pick.spots" if self is Form.QUICK_PICK else self.groups_field()

    def stake_field(self, play: int) -> str:
        return f"plays[{play}].stake" if self is Form.WAY else "stake"


@dataclass(frozen=True, slots=True)
class Play:
    """All ways of *spots* numbers, at *stake* a way a game."""

    spots: int
    stake: Money


@dataclass(frozen=True, slots=True)
class Selection:
    """Groups and plays that make at least one way each (4.4a, 4.4b, 4.7f, 4.7g)."""

    groups: tuple[tuple[int, ...], ...]
    plays: tuple[Play, ...]
    form: Form = field(default=Form.WAY, compare=False)
    # Ways of each play, counted once.
    ways: tuple[int, ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        _check_numbers(self.groups, self.form)
        _check_spots(self.plays, self.form)
        object.__setattr__(self, "groups", tuple(tuple(sorted(group)) for group in self.groups))
        object.__setattr__(self, "ways", self._count())
        for i, (play, ways) in enumerate(zip(self.plays, self.ways, strict=True)):
            if not ways:
                raise Refusal(
                    "play-without-ways",
                    f"No combination of the groups makes {play.spots} numbers. "
                    "Change the groups, or play another number of spots.",
                    clause=self.form.clause,
                    field=self.form.spots_field(i),
                )

    def _count(self) -> tuple[int, ...]:
        if len(self.groups) == 1:
            return tuple(int(play.spots == len(self.groups[0])) for play in self.plays)
        counts = count_ways(map(len, self.groups), most_spots=max(play.spots for play in self.plays))
        return tuple(counts.of(play.spots) for play in self.plays)

    @property
    def total_ways(self) -> int:
        return sum(self.ways)


def plain(numbers: Sequence[int], stake: Money, *, form: Form = Form.NUMBERS) -> Selection:
    """One group, all of it played: the standard entry (4.7f), and what a quick pick becomes (4.7b, 4.7c)."""
    return Selection(groups=(tuple(numbers),), plays=(Play(len(numbers), stake),), form=form)


def way(groups: Iterable[Iterable[int]], plays: Iterable[Play], *, form: Form = Form.WAY) -> Selection:
    """A way ticket (4.7g), or a set bet taken from the catalogue (4.7h)."""
    return Selection(groups=tuple(tuple(group) for group in groups), plays=tuple(plays), form=form)


def check_spots(spots: int, *, field: str) -> None:
    """A way is 1 to 15 numbers (Standard Entry, 8.1)."""
    if not 1 <= spots <= SPOTS_LIMIT:
        raise Refusal(
            "spots-not-offered",
            f"A way has 1 to {SPOTS_LIMIT} numbers, not {spots}.",
            clause="act-keno:8.1",
            field=field,
        )


def _check_numbers(groups: tuple[tuple[int, ...], ...], form: Form) -> None:
    """The form has the squares 1 to 80, and each can be marked once (4.4)."""

    def refuse(code: str, detail: str, where: str) -> Refusal:
        return Refusal(code, detail, clause=form.entry_form, field=where)

    if not groups:
        raise refuse("groups-missing", "No number is marked. Mark at least one.", form.groups_field())
    marked: set[int] = set()
    for i, group in enumerate(groups):
        if not group:
            raise refuse("group-empty", "A group has at least one number.", form.group_field(i))
        for j, number in enumerate(group):
            if not 1 <= number <= NUMBERS:
                raise refuse(
                    "number-out-of-range", f"Numbers go from 1 to {NUMBERS}, not {number}.", form.number_field(i, j)
                )
            if number in marked:
                raise refuse(
                    "number-repeated",
                    f"{number} is marked twice. A number can be on a ticket once.",
                    form.number_field(i, j),
                )
            marked.add(number)


def _check_spots(plays: tuple[Play, ...], form: Form) -> None:
    if not plays:
        raise Refusal(
            "plays-missing", "No ways are played. Add at least one play.", clause=form.clause, field=form.plays_field()
        )
    seen: set[int] = set()
    for i, play in enumerate(plays):
        check_spots(play.spots, field=form.spots_field(i))
        if play.spots in seen:
            raise Refusal(
                "play-repeated",
                f"{play.spots} spots are played twice. Play them once, at the stake you want.",
                clause=form.clause,
                field=form.spots_field(i),
            )
        seen.add(play.spots)
