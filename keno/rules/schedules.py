"""What a way pays for each $1.00: the schedules of prizes (8), as data.

Columns of the gazetted tables, one line a number of spots: {matches: dollars}. Rows that the text leaves out or blank
(match 1 and 2 for 6 to 10 numbers, match 2 and 3 for 11 to 15, anything short of a full match in special 2) pay
nothing. Matching no number can win (10.1).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from keno.rules.selection import check_spots
from kernel.money import MICROS_PER_DOLLAR, Money
from kernel.refusal import Malformed, Refusal

PRIZE_A_WAY_LIMIT: Final = Money.dollars(50_000)  # 9.1
# Stakes go in steps of $0.10, so figures in steps of $0.10 make every prize a whole number of cents.
FIGURE_STEP: Final = Money.cents(10)

Columns = Mapping[int, Mapping[int, Money]]


def jackpot_needs_standard() -> Refusal:
    return Refusal(
        "jackpot-needs-standard",
        "The jackpot is played on the standard schedule only.",
        clause="act-keno:4.7a",
        field="jackpot",
    )


@dataclass(frozen=True, slots=True)
class PrizeTable:
    """The prizes of a way of *spots* numbers at $1.00, by matches: ``prizes[0]`` to ``prizes[spots]``."""

    spots: int
    prizes: tuple[Money, ...]

    def __hash__(self) -> int:
        """Quick: what a ticket could win is remembered by its table, and asked for with every sale."""
        return self.spots

    def prize(self, matches: int, stake: Money, *, capped: bool = True) -> Money:
        """Figure times stake, at most $50,000 a way. 9.1 excepts jackpot tickets: their jackpot ways are not capped."""
        prize = Money(self.prizes[matches].micros * stake.micros // MICROS_PER_DOLLAR).down_to_cents()
        return min(prize, PRIZE_A_WAY_LIMIT) if capped else prize


@dataclass(frozen=True, slots=True)
class Schedule:
    """The tables of a schedule, and the spots whose full match is the jackpot on a ticket that enters it."""

    code: str
    clause: str
    prize_tables: tuple[PrizeTable, ...]
    jackpot_spots: frozenset[int] = frozenset()

    def prize_table(self, spots: int) -> PrizeTable | None:
        return next((table for table in self.prize_tables if table.spots == spots), None)

    @property
    def spots(self) -> tuple[int, ...]:
        return tuple(table.spots for table in self.prize_tables)


def _prize_tables(columns: Columns) -> tuple[PrizeTable, ...]:
    nothing = Money(0)
    return tuple(
        PrizeTable(spots, tuple(columns[spots].get(matches, nothing) for matches in range(spots + 1)))
        for spots in sorted(columns)
    )


def _dollars(columns: Mapping[int, Mapping[int, int]]) -> Columns:
    return {spots: {k: Money.dollars(prize) for k, prize in column.items()} for spots, column in columns.items()}


_STANDARD: Final = _dollars(
    {
        1: {1: 3},
        2: {2: 13},
        3: {2: 2, 3: 36},
        4: {2: 1, 3: 5, 4: 113},
        5: {0: 1, 3: 1, 4: 10, 5: 530},
        6: {3: 1, 4: 4, 5: 50, 6: 1_000},
        7: {0: 1, 3: 1, 4: 3, 5: 10, 6: 155, 7: 5_000},
        8: {0: 1, 4: 1, 5: 5, 6: 50, 7: 555, 8: 12_500},
        9: {0: 2, 4: 2, 5: 4, 6: 15, 7: 150, 8: 3_000, 9: 20_000},
        10: {0: 3, 4: 1, 5: 3, 6: 12, 7: 50, 8: 500, 9: 7_500, 10: 25_000},
        11: {0: 4, 1: 1, 5: 2, 6: 5, 7: 32, 8: 200, 9: 1_500, 10: 10_000, 11: 30_000},
        12: {0: 6, 1: 1, 5: 1, 6: 5, 7: 15, 8: 75, 9: 600, 10: 4_000, 11: 12_000, 12: 35_000},
        13: {0: 8, 1: 1, 5: 1, 6: 3, 7: 7, 8: 40, 9: 250, 10: 2_000, 11: 9_000, 12: 20_000, 13: 40_000},
        14: {0: 10, 1: 1, 5: 1, 6: 2, 7: 5, 8: 15, 9: 150, 10: 500, 11: 5_500, 12: 15_000, 13: 25_000, 14: 45_000},
        15: {0: 12, 1: 2, 6: 2, 7: 5, 8: 15, 9: 50, 10: 350, 11: 1_600, 12: 8_000, 13: 15_000, 14: 30_000, 15: 50_000},
    }
)
_SPECIAL_1: Final = _dollars(
    {6: {0: 1, 3: 1, 4: 6, 5: 50, 6: 1_200}, 8: {0: 1, 4: 2, 5: 9, 6: 60, 7: 1_000, 8: 12_500}}
)
_SPECIAL_2: Final = _dollars({3: {3: 56}, 4: {4: 252}, 5: {5: 1_200}, 6: {6: 6_000}})

# The starred prizes of 8.1 are the guaranteed minimums of the jackpots (5.2).
GUARANTEES: Final[Mapping[int, Money]] = {6: _STANDARD[6][6], 8: _STANDARD[8][8]}

STANDARD: Final = Schedule("standard", "act-keno:8.1", _prize_tables(_STANDARD), frozenset(GUARANTEES))
SPECIAL_1: Final = Schedule("special-1", "act-keno:8.2", _prize_tables({**_STANDARD, **_SPECIAL_1}))
SPECIAL_2: Final = Schedule("special-2", "act-keno:8.3", _prize_tables(_SPECIAL_2))
SPECIAL_3: Final = "special-3"


def special_3(columns: Columns) -> Schedule:
    """The schedule that is submitted and approved before use (8.4): prizes for $1.00, by spots and matches.

    Refused where it cannot be a schedule. Whether its returns are acceptable is `mathematics.check_band`'s to say.
    """

    def refuse(detail: str, field: str) -> Refusal:
        return Refusal("schedule-impossible", detail, clause="act-keno:8.4", field=field)

    if not columns:
        raise refuse("The schedule has no table. Give the prizes for at least one number of spots.", "tables")
    for spots, column in columns.items():
        check_spots(spots, field=f"tables.{spots}")
        for matches, prize in column.items():
            field = f"tables.{spots}.{matches}"
            if not 0 <= matches <= spots:
                raise refuse(f"A way of {spots} numbers cannot match {matches}.", field)
            if prize < Money(0) or prize.micros % FIGURE_STEP.micros:
                raise refuse(f"A prize for $1.00 is a multiple of ${FIGURE_STEP}, not ${prize}.", field)
            if prize > PRIZE_A_WAY_LIMIT:
                raise refuse(f"No way pays more than ${PRIZE_A_WAY_LIMIT}, so ${prize} could never be paid.", field)
        if not any(column.values()):
            raise refuse(f"The table for {spots} numbers has no prize.", f"tables.{spots}")
    return Schedule(SPECIAL_3, "act-keno:8.4", _prize_tables(columns))


def schedule_named(code: str, *, approved_special_3: Schedule | None = None) -> Schedule:
    """The schedule a ticket asks for (4.7d). Special 3 exists only once one has been approved (8.4)."""
    if code == SPECIAL_3:
        if approved_special_3 is None:
            raise Refusal(
                "schedule-not-approved",
                "Special 3 has no approved schedule of prizes. Choose another schedule.",
                clause="act-keno:8.4",
                field="schedule",
            )
        return approved_special_3
    for schedule in (STANDARD, SPECIAL_1, SPECIAL_2):
        if schedule.code == code:
            return schedule
    raise Malformed(
        "schedule-unknown",
        "There is no such schedule: choose standard, special-1, special-2 or special-3.",
        clause="act-keno:4.7d",
        field="schedule",
    )
