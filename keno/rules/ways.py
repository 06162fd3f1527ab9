"""How many ways a ticket makes, and after the draw how many of them matched how much. Counted, never enumerated.

A way is a combination of whole groups. Give each group of s numbers, h of them drawn, the factor (1 + x^s y^h): in or
out. In the product the coefficient of x^n y^k counts the ways of n numbers that match k. Groups alike in (s, h) are
multiplied together by binomial powers, so eighty groups of one are two factors.

The product is kept in one whole number, 64 bits a coefficient, a row for each n: a factor is a few shifts and sums.
That is safe because a term we keep has k <= n <= 15 and k <= all hits, so a row that long never runs into the next, and
because no count exceeds C(80, 15) < 2^53. What lies beyond the largest n asked for is cut off.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterable, Mapping
from math import comb
from typing import Final

SPOTS_LIMIT: Final = 15
_BITS: Final = 64


class WayCounts:
    """Number of ways by (numbers in the way, matches)."""

    __slots__ = ("_counts", "_row")

    def __init__(
        self, groups: Iterable[tuple[int, int]] | Mapping[tuple[int, int], int], *, most_spots: int = SPOTS_LIMIT
    ) -> None:
        """*groups*: (size, hits) of each group, or how many have them; *most_spots*: the largest play asked for."""
        if not 0 <= most_spots <= SPOTS_LIMIT:
            raise ValueError(f"ways have at most {SPOTS_LIMIT} numbers, not {most_spots}")
        alike = Counter(groups)
        row = 1 + min(most_spots, sum(hits * count for (_, hits), count in alike.items()))
        slots = (most_spots + 1) * row
        keep = (1 << slots * _BITS) - 1
        product = 1
        for (size, hits), count in alike.items():
            if not 0 <= hits <= size or size == 0:
                raise ValueError(f"a group of {size} numbers with {hits} drawn does not exist")
            shift = (size * row + hits) * _BITS
            most = min(count, most_spots // size)
            product = sum(comb(count, taken) * product << taken * shift for taken in range(most + 1)) & keep
        self._row = row
        self._counts: tuple[int, ...] = struct.unpack(f"<{slots}Q", product.to_bytes(slots * _BITS // 8, "little"))

    def of(self, spots: int) -> int:
        """All ways of *spots* numbers, whatever they match."""
        return sum(self._counts[spots * self._row : (spots + 1) * self._row])

    def matching(self, spots: int) -> list[tuple[int, int]]:
        """(matches, ways) of the ways of *spots* numbers, most matches first, only where there are any."""
        row = self._counts[spots * self._row : (spots + 1) * self._row]
        return [(matches, row[matches]) for matches in range(len(row) - 1, -1, -1) if row[matches]]


def count_ways(sizes: Iterable[int], *, most_spots: int = SPOTS_LIMIT) -> WayCounts:
    """The ways that groups of these sizes make, before any draw."""
    return WayCounts(((size, 0) for size in sizes), most_spots=most_spots)
