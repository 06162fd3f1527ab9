"""Ways counted by polynomials, against listing them."""

from __future__ import annotations

from collections import Counter
from math import comb
from random import Random
from typing import Any

import pytest

from keno.rules.selection import Play, way
from keno.rules.ways import WayCounts, count_ways
from kernel.money import Money
from tests.keno.oracle import ways_of


@pytest.mark.clause("act-keno:4.7g")
@pytest.mark.parametrize(
    ("sizes", "spots", "ways"),
    [
        ([4] * 20, 8, 190),  # published
        ([1] * 8, 5, 56),  # published: eight kings
        ([1] * 16, 8, 12_870),
        ([1] * 20, 8, 125_970),
        ([1] * 80, 15, comb(80, 15)),
        ([2] * 40, 14, comb(40, 7)),
        ([2] * 40, 15, 0),
        ([15] * 5, 15, 5),
        ([80], 15, 0),
        ([3, 3, 2, 1], 6, 3),
    ],
)
def test_known_counts(sizes: Any, spots: int, ways: Any) -> None:
    assert count_ways(sizes).of(spots) == ways
    assert count_ways(sizes, most_spots=spots).of(spots) == ways


def test_eighty_kings_all_plays_at_once() -> None:
    ticket = way([(n,) for n in range(1, 81)], [Play(spots, Money.cents(10)) for spots in range(1, 16)])
    assert ticket.ways == tuple(comb(80, spots) for spots in range(1, 16))


def test_matches_of_kings_are_hypergeometric() -> None:
    # Eighty groups of one, twenty of them drawn: the whole distribution in one ticket.
    counts = WayCounts([(1, 1)] * 20 + [(1, 0)] * 60)
    for spots in range(1, 16):
        assert dict(counts.matching(spots)) == {k: comb(20, k) * comb(60, spots - k) for k in range(spots + 1)}
        assert counts.of(spots) == comb(80, spots)


def test_against_listing() -> None:
    chance = Random(7)
    for _ in range(150):
        numbers = chance.sample(range(1, 81), 80)
        sizes = [chance.choice([1, 1, 2, 2, 3, 4, 5, 7, 16]) for _ in range(chance.randint(1, 8))]
        groups = [numbers[sum(sizes[:i]) : sum(sizes[: i + 1])] for i in range(len(sizes))]
        drawn = set(chance.sample(range(1, 81), 20))
        counts = WayCounts((len(group), len(drawn.intersection(group))) for group in groups)
        for spots in range(1, 16):
            listed = Counter(len(numbers & drawn) for numbers in ways_of(groups, spots))
            assert dict(counts.matching(spots)) == listed
            assert counts.of(spots) == sum(listed.values())


def test_most_matches_stand_first() -> None:
    assert [matches for matches, _ in WayCounts([(1, 1), (1, 0), (1, 1)]).matching(2)] == [2, 1]


@pytest.mark.parametrize(("group", "most"), [((2, 3), 15), ((0, 0), 15), ((1, -1), 15), ((1, 1), 16)])
def test_what_cannot_be_counted(group: tuple[int, int], most: int) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        WayCounts([group], most_spots=most)
