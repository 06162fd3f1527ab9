"""The schedules as printed, and their exact mathematics against published figures."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from keno.rules import mathematics
from keno.rules.mathematics import Band, check_band, decimal, jackpot_mathematics, odds, prize_table_mathematics
from keno.rules.schedules import GUARANTEES, SPECIAL_1, SPECIAL_2, STANDARD, Schedule, special_3
from kernel.money import Money
from kernel.refusal import Malformed
from tests.keno import oracle
from tests.world.refusals import refused_in_full


@pytest.mark.clause("act-keno:8.1", "act-keno:8.2", "act-keno:8.3")
@pytest.mark.parametrize("schedule", [STANDARD, SPECIAL_1, SPECIAL_2], ids=lambda schedule: schedule.code)
def test_the_schedules_are_the_printed_ones(schedule: Schedule) -> None:
    printed = oracle.SCHEDULES[schedule.code]
    assert schedule.spots == tuple(sorted(printed))
    for table in schedule.prize_tables:
        assert table.prizes == tuple(
            Money(int(printed[table.spots].get(matches, 0) * 1_000_000)) for matches in range(table.spots + 1)
        )


@pytest.mark.clause("act-keno:5.2")
def test_the_guarantees_are_the_starred_prizes() -> None:
    assert {spots: str(amount) for spots, amount in GUARANTEES.items()} == {6: "1000.00", 8: "12500.00"}
    assert STANDARD.jackpot_spots == {6, 8}
    assert not SPECIAL_1.jackpot_spots
    assert not SPECIAL_2.jackpot_spots


def test_the_number_of_draws() -> None:
    assert mathematics.DRAWS == 3_535_316_142_212_174_320


@pytest.mark.clause("act-keno:8.1")
def test_exact_returns_of_the_standard_schedule() -> None:
    tables = {table.spots: table for table in mathematics.schedule_mathematics(STANDARD)}
    assert [tables[spots].returned for spots in range(1, 7)] == [
        Fraction(3, 4),
        Fraction(247, 316),
        Fraction(798, 1027),
        Fraction(22287, 28756),
        Fraction(122391, 158158),
        Fraction(41733, 79079),
    ]
    assert decimal(tables[8].returned, 3) == "0.523"
    for spots in (7, *range(9, 16)):
        assert Fraction("0.7725") < tables[spots].returned < Fraction("0.777")


@pytest.mark.parametrize(
    ("prizes", "published"),
    [
        ({5: 2, 6: 20, 7: 132, 8: 1000, 9: 4000, 10: 25000}, "0.707821"),
        ({4: "0.5", 5: 2, 6: 20, 7: 120, 8: 800, 9: 3800, 10: 50000}, "0.736644"),
    ],
)
def test_published_returns_of_ten_numbers(prizes: dict[Any, Any], published: str) -> None:
    table = prize_table_mathematics(10, {matches: Fraction(prize) for matches, prize in prizes.items()})
    assert decimal(table.returned) == published


def test_published_odds_of_a_solid_eight() -> None:
    assert decimal(1 / odds(8, 8), 2) == "230114.61"
    assert prize_table_mathematics(8, {8: Fraction(1)}).top_prize_odds == odds(8, 8)


@pytest.mark.clause("act-keno:5.2")
def test_published_break_even_jackpot_of_six_numbers() -> None:
    table = prize_table_mathematics(6, {5: Fraction(70), 4: Fraction(2), 3: Fraction(1)})
    exact = jackpot_mathematics(table, Money.dollars(1_000))
    assert mathematics.cents(exact.break_even) == Money.parse("4623.87")
    at_that = prize_table_mathematics(6, {6: exact.break_even, 5: Fraction(70), 4: Fraction(2), 3: Fraction(1)})
    assert at_that.returned == 1
    # At twice the stake the same jackpot is worth half as much a dollar.
    assert jackpot_mathematics(table, Money.dollars(1_000), stake=Money.dollars(2)).break_even == 2 * exact.break_even


def test_the_return_at_a_displayed_jackpot() -> None:
    six = next(table for table in mathematics.schedule_mathematics(STANDARD) if table.spots == 6)
    assert jackpot_mathematics(six, Money.dollars(1_000)).returned == six.returned
    assert jackpot_mathematics(six, Money.dollars(3_000)).returned == six.returned + 2_000 * odds(6, 6)


@pytest.mark.parametrize("spots", range(1, 16))
def test_odds_hit_rate_and_variance_by_counting_draws(spots: int) -> None:
    """From the drawn side: of the C(80,20) draws, those with k of the 20 among the player's numbers."""
    prizes = {matches: Fraction(figure) for matches, figure in oracle.STANDARD[spots].items()}
    table = prize_table_mathematics(spots, prizes)
    # The other way of counting: choose the player's numbers against a fixed draw.
    by_hand = [Fraction(comb(20, k) * comb(60, spots - k), comb(80, spots)) for k in range(spots + 1)]
    assert list(table.odds) == by_hand
    assert sum(table.odds) == 1
    mean = sum(chance * prizes.get(k, 0) for k, chance in enumerate(by_hand))
    assert table.returned == mean
    assert table.variance == sum(chance * (prizes.get(k, 0) - mean) ** 2 for k, chance in enumerate(by_hand))
    assert table.hit_rate == sum(by_hand[k] for k in prizes)
    assert table.top_prize == max(prizes.values())


def test_a_top_prize_won_in_two_ways() -> None:
    table = prize_table_mathematics(3, {0: Fraction(5), 3: Fraction(5)})
    assert table.top_prize_odds == odds(3, 0) + odds(3, 3)


def test_mathematics_of_an_impossible_table() -> None:
    assert refused_in_full(prize_table_mathematics, 16, {})[2] == "spots"
    assert refused_in_full(prize_table_mathematics, 0, {})[2] == "spots"
    assert refused_in_full(prize_table_mathematics, 4, {5: Fraction(1)})[2] == "prizes.5"
    assert refused_in_full(prize_table_mathematics, 4, {4: Fraction(-1)})[2] == "prizes.4"
    assert prize_table_mathematics(4, {}).returned == 0


@pytest.mark.clause("act-keno:8.4")
def test_a_schedule_outside_its_declared_band_is_refused() -> None:
    schedule = special_3({3: {3: Money.dollars(56)}, 4: {4: Money.dollars(252)}})
    three, four = Fraction(798, 1027), Fraction(8721, 11297)
    assert [table.returned for table in check_band(schedule, Band(four, three))] == [three, four]
    just_less = Fraction(1, 10**9)
    outside = ("return-outside-band", "act-keno:8.4")
    assert refused_in_full(check_band, schedule, Band(four, three - just_less)) == (*outside, "tables.3")
    assert refused_in_full(check_band, schedule, Band(four + just_less, three)) == (*outside, "tables.4")
    assert refused_in_full(Band, Fraction(1), Fraction(0))[0] == "band-impossible"


def test_figures_are_read_exactly() -> None:
    assert mathematics.parse_figure("0.5", field="x") == Fraction(1, 2)
    assert mathematics.parse_figure("25000", field="x") == 25000
    for text in ("", "-1", "1e9", "1/2", "0.1234567", " 1", "1.", "1" * 10, "½"):
        with pytest.raises(Malformed) as caught:
            mathematics.parse_figure(text, field="prizes.4")
        assert caught.value.field == "prizes.4"


def test_decimals_of_fractions() -> None:
    assert decimal(Fraction(1, 3)) == "0.333333"
    assert decimal(Fraction(2, 3), 2) == "0.67"
    assert decimal(Fraction(10**30 + 1, 10**3), 2) == "1" + "0" * 27 + ".00"
    assert decimal(Fraction(-1, 8), 2) == "-0.12"
