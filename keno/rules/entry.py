"""A selection entered in a schedule, with the jackpot or without (4.7a, 4.7d, 8.2)."""

from __future__ import annotations

from dataclasses import dataclass

from keno.rules.schedules import SPECIAL_1, STANDARD, PrizeTable, Schedule, jackpot_needs_standard
from keno.rules.selection import Play, Selection
from kernel.refusal import Refusal


@dataclass(frozen=True, slots=True)
class TicketEntry:
    """What plays in each game of a ticket. One that exists can be settled; `price.quote` says if it can be sold."""

    selection: Selection
    schedule: Schedule = STANDARD
    jackpot: bool = False

    def __post_init__(self) -> None:
        form = self.selection.form
        for i, play in enumerate(self.selection.plays):
            if self.schedule.prize_table(play.spots) is None:
                raise Refusal(
                    "spots-not-in-schedule",
                    f"The schedule {self.schedule.code} has no prizes for {play.spots} numbers. "
                    f"It has them for {_listed(self.schedule.spots)}.",
                    clause=self.schedule.clause,
                    field=form.spots_field(i),
                )
        if self.schedule.code == SPECIAL_1.code and self.selection.total_ways < 2:
            # A plain ticket is one way, so this refuses it too: special 1 is for way tickets only.
            raise Refusal(
                "special-1-needs-ways",
                "Special 1 is for way tickets of two ways or more. Add a way, or choose another schedule.",
                clause="act-keno:8.2",
                field="schedule",
            )
        if self.jackpot:
            self._check_jackpot()

    def _check_jackpot(self) -> None:
        if self.schedule.code == SPECIAL_1.code:
            raise Refusal(
                "jackpot-not-with-special-1",
                "Special 1 is played instead of the jackpot. Choose one of the two.",
                clause="act-keno:8.2",
                field="jackpot",
            )
        if not self.schedule.jackpot_spots:
            raise jackpot_needs_standard()
        if not any(map(self.in_jackpot, self.selection.plays)):
            raise Refusal(
                "jackpot-needs-6-or-8",
                "The jackpot is for ways of 6 or 8 numbers, and this ticket has none.",
                clause="act-keno:4.7a",
                field="jackpot",
            )

    def in_jackpot(self, play: Play) -> bool:
        """Whether the ways of this play are jackpot ways: a jackpot ticket enters all its 6- and 8-number ways."""
        return self.jackpot and play.spots in self.schedule.jackpot_spots

    def prize_table(self, play: Play) -> PrizeTable:
        table = self.schedule.prize_table(play.spots)
        assert table is not None  # checked when the entry was made
        return table

    @property
    def jackpot_ways(self) -> int:
        plays = zip(self.selection.plays, self.selection.ways, strict=True)
        return sum(ways for play, ways in plays if self.in_jackpot(play))


def _listed(spots: tuple[int, ...]) -> str:
    return " and ".join(filter(None, [", ".join(map(str, spots[:-1])), str(spots[-1])]))
