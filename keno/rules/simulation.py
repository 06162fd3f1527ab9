"""Games played on paper: the draws' own generator against one way of every table, beside the exact mathematics.

Each game draws twenty numbers as a real one does (``chance.select``), and one way of each number of spots is looked at.
The ways walk round the eighty numbers, so that each is played equally often; which numbers a way has makes no
difference to a fair draw. The same seed gives the same games. No money, no ticket, no clock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from math import sqrt
from typing import Final

from chance.drbg import HmacDrbg
from chance.gamma import chi_square_tail
from chance.select import Source, picks
from keno.rules.mathematics import PrizeTableMathematics
from keno.rules.selection import NUMBERS
from keno.rules.settle import DRAWN

PERSONALISATION: Final = b"meterhouse/keno-simulation/1"
_LEAST_EXPECTED: Final = 5.0  # of a cell in a chi-square test; smaller ones are counted together


def _ways(spots: int) -> list[int]:
    """The ways of *spots* neighbouring numbers, one from each start, as bits."""
    return [sum(1 << (start + step) % NUMBERS for step in range(spots)) for start in range(NUMBERS)]


class Simulation:
    """So many games by a seed. Play on as long as wanted; ``counts[spots][matches]`` are the ways seen so far."""

    def __init__(self, *, seed: str, spots: Sequence[int]) -> None:
        entropy = hashlib.sha256(seed.encode()).digest()
        self._source = Source(HmacDrbg(entropy=entropy, nonce=bytes(16), personalisation=PERSONALISATION))
        self._ways = {each: _ways(each) for each in spots}
        self.games = 0
        self.counts = {each: [0] * (each + 1) for each in spots}

    def play(self, games: int) -> None:
        tables = [(self._ways[spots], self.counts[spots]) for spots in self.counts]
        for turn in range(self.games, self.games + games):
            drawn = 0
            for pick in islice(picks(self._source, NUMBERS), DRAWN):
                drawn |= 1 << pick.number - 1
            start = turn % NUMBERS
            for ways, counts in tables:
                counts[(drawn & ways[start]).bit_count()] += 1
        self.games += games


@dataclass(frozen=True, slots=True)
class Compared:
    """A table as it came out, beside what it must be in the long run."""

    table: PrizeTableMathematics
    counts: tuple[int, ...]
    returned: Fraction
    hit_rate: Fraction
    deviations: float  # of the return, in its own standard deviations at so many games
    likelihood: float  # of matches as far off as these, or further, in fair games

    @property
    def games(self) -> int:
        return sum(self.counts)


def compare(table: PrizeTableMathematics, counts: Sequence[int]) -> Compared:
    games = sum(counts)
    returned = sum((Fraction(n) * prize for n, prize in zip(counts, table.prizes, strict=True)), Fraction(0)) / games
    hits = sum(n for n, prize in zip(counts, table.prizes, strict=True) if prize)
    spread = sqrt(table.variance / games)
    return Compared(
        table=table,
        counts=tuple(counts),
        returned=returned,
        hit_rate=Fraction(hits, games),
        deviations=float(returned - table.returned) / spread if spread else 0.0,
        likelihood=_likelihood([float(chance * games) for chance in table.odds], counts),
    )


def _likelihood(expected: Sequence[float], counts: Sequence[int]) -> float:
    """The tail of the chi-square test over the matches; rare ones are put together with their neighbours."""
    cells: list[list[float]] = [[0.0, 0.0]]
    for much, seen in zip(expected, counts, strict=True):
        if cells[-1][0] >= _LEAST_EXPECTED:
            cells.append([0.0, 0.0])
        cells[-1][0] += much
        cells[-1][1] += seen
    if len(cells) > 1 and cells[-1][0] < _LEAST_EXPECTED:
        rare = cells.pop()
        cells[-1] = [cells[-1][0] + rare[0], cells[-1][1] + rare[1]]
    if len(cells) < 2:
        return 1.0
    return chi_square_tail(sum((seen - much) ** 2 / much for much, seen in cells), len(cells) - 1)
