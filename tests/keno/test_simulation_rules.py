"""A simulation plays the games of its seed, counts them right, and tells fair ones from others."""

from __future__ import annotations

from fractions import Fraction

import pytest

from keno.rules.mathematics import prize_table_mathematics, schedule_mathematics
from keno.rules.schedules import STANDARD
from keno.rules.simulation import Simulation, compare


def played(seed: str, *parts: int) -> dict[int, list[int]]:
    simulation = Simulation(seed=seed, spots=STANDARD.spots)
    for games in parts:
        simulation.play(games)
    assert simulation.games == sum(parts)
    return simulation.counts


def test_the_same_seed_plays_the_same_games_however_they_are_cut() -> None:
    whole = played("seed", 400)
    assert played("seed", 150, 1, 249) == whole
    assert played("another", 400) != whole
    assert {spots: sum(counts) for spots, counts in whole.items()} == dict.fromkeys(STANDARD.spots, 400)


def test_simulated_games_return_what_the_mathematics_says() -> None:
    counts = played("48213", 20_000)
    for table in schedule_mathematics(STANDARD):
        found = compare(table, counts[table.spots])
        assert abs(found.deviations) < 4, table.spots
        assert found.likelihood > 0.0001, table.spots
        # Every matched number is one of the 20 drawn: a quarter of the numbers played.
        matched = sum(matches * seen for matches, seen in enumerate(found.counts))
        assert abs(matched / (20_000 * table.spots) - 0.25) < 0.01


def test_a_comparison_by_hand() -> None:
    table = prize_table_mathematics(1, {1: Fraction(3)})  # one in four pays 3: 75% back
    found = compare(table, [70, 30])
    assert (found.returned, found.hit_rate, found.games) == (Fraction(9, 10), Fraction(3, 10), 100)
    assert found.deviations == pytest.approx(0.15 / (27 / 16 / 100) ** 0.5)
    assert found.likelihood == pytest.approx(0.2482, abs=0.0001)  # chi-square 4/3 with one degree


def test_what_is_not_fair_is_told() -> None:
    table = prize_table_mathematics(1, {1: Fraction(3)})
    found = compare(table, [7_000, 3_000])
    assert found.deviations > 10
    assert found.likelihood < 1e-20
    # Too few games to say anything: the cells are put together.
    assert compare(prize_table_mathematics(15, {15: Fraction(1)}), [0] * 4 + [3] + [0] * 11).likelihood == 1.0
