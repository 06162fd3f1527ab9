"""Money against independent arithmetic: Python's Decimal and Fraction."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.money import MICROS_PER_CENT, Money

micros = st.integers(-(10**17), 10**17)
cents = st.integers(-(10**13), 10**13)


@given(cents)
def test_what_is_printed_is_read_back(amount: int) -> None:
    text = f"{Decimal(amount) / 100:.2f}"
    assert str(Money.cents(amount)) == text
    assert Money.parse(text) == Money.cents(amount)


@given(micros)
def test_printing_is_exact(amount: int) -> None:
    assert Decimal(str(Money(amount))) == Decimal(amount) / 1_000_000


@given(micros)
def test_what_people_read_is_as_exact_with_thousands(amount: int) -> None:
    said = Money(amount).said
    assert said.replace("−", "-").replace("$", "").replace(",", "") == str(Money(amount))
    assert said.lstrip("−").partition(".")[0] == f"${abs(amount) // 1_000_000:,}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "12",
        "12.5",
        "12.500",
        "1,200.00",
        "+1.00",
        " 1.00",
        "1.00 ",
        "1e3",
        "NaN",
        ".50",
        "٣.00",
        "1.00\n",
        "--1.00",
    ],
)
def test_anything_but_two_decimals_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="two decimals"):
        Money.parse(text)


@pytest.mark.parametrize("value", [1.5, True, "5", None, Decimal(1)])
def test_only_whole_micro_dollars(value: object) -> None:
    with pytest.raises(TypeError):
        Money(value)  # type: ignore[arg-type]


@given(micros, micros, st.integers(-1000, 1000))
def test_arithmetic(a: int, b: int, times: int) -> None:
    assert (Money(a) + Money(b)).micros == a + b
    assert (Money(a) - Money(b)).micros == a - b
    assert (Money(a) * times).micros == (times * Money(a)).micros == a * times
    assert (Money(a) < Money(b)) == (a < b)
    assert Money.total([Money(a), Money(b)]) == Money(a + b)


@given(cents, st.integers(0, 10_000))
def test_any_basis_point_share_of_whole_cents_is_exact(amount: int, rate: int) -> None:
    assert Fraction(Money.cents(amount).basis_points(rate).micros, 1_000_000) == Fraction(amount, 100) * rate / 10_000


def test_an_inexact_share_is_refused() -> None:
    with pytest.raises(ValueError, match="not a whole number"):
        Money(1).basis_points(5000)


@given(micros)
def test_rounding_is_down_and_leaves_less_than_a_cent(amount: int) -> None:
    down = Money(amount).down_to_cents()
    assert down.whole_cents
    assert 0 <= amount - down.micros < MICROS_PER_CENT


@given(st.integers(0, 10**9), st.lists(st.integers(0, 10**6), min_size=1, max_size=20).filter(any))
def test_a_split_adds_up_and_nobody_is_off_by_a_whole_cent(amount: int, weights: list[int]) -> None:
    parts = Money.cents(amount).split(weights)
    assert Money.total(parts) == Money.cents(amount)
    for part, weight in zip(parts, weights, strict=True):
        fair = Fraction(amount * weight, sum(weights))
        assert abs(Fraction(part.micros, MICROS_PER_CENT) - fair) < 1
        assert part.micros >= 0


def test_a_split_gives_the_odd_cents_to_the_largest_remainders() -> None:
    assert Money.parse("10.00").split([1, 1, 1]) == [Money.parse("3.34"), Money.parse("3.33"), Money.parse("3.33")]
    assert Money.parse("0.05").split([1, 3]) == [Money.parse("0.01"), Money.parse("0.04")]


@pytest.mark.parametrize("weights", [[], [0, 0], [2, -1]])
def test_impossible_weights_are_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="needs weights"):
        Money.parse("1.00").split(weights)


def test_times_a_fraction_rounds_down_to_the_cent() -> None:
    assert Money.parse("100.00").times(Fraction(1, 3)) == Money.parse("33.33")
    assert Money.parse("100.00").times(Fraction(2, 3)) == Money.parse("66.66")
