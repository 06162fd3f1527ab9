"""What is retained of entry fees and how the balance is shared, against arithmetic of its own."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kernel.money import Money
from tests.world.money import dollars
from tournaments.rules.money import Placed, conditions_fault, retained_of, share


@pytest.mark.clause("act-cp:16.4", "act-keno:15.4", "act-bj:18.4", "act-ar:11.4", "act-bac:12.4", "act-mb:12.4")
@pytest.mark.clause("act-pg:18.4", "act-sb:11.4", "act-mw:11.4", "act-pk:19.4")
def test_at_most_a_tenth_is_retained() -> None:
    assert conditions_fault(retained=1_000, prizes=[10_000]) is None
    assert conditions_fault(retained=1_001, prizes=[10_000]) == "retained-too-much"
    assert conditions_fault(retained=-1, prizes=[10_000]) == "retained-too-much"
    # A tenth of $10.05 is $1.005: rounded down, or it would be more than a tenth.
    assert retained_of(dollars("10.05"), 1_000) == dollars("1.00")
    with pytest.raises(ValueError, match="10%"):
        retained_of(dollars("10.00"), 1_001)


@pytest.mark.clause("act-cp:16.4", "act-keno:15.4")
@pytest.mark.parametrize("prizes", [[], [9_999], [5_000, 5_001], [10_000, 0], [11_000, -1_000]], ids=str)
def test_the_prizes_are_the_whole_balance(prizes: list[int]) -> None:
    assert conditions_fault(retained=500, prizes=prizes) == "prizes-not-whole"


def test_equal_scores_share_their_places() -> None:
    # 50/30/20 of $100.00; second and third are level: (30 + 20) / 2 each. The fourth gets nothing.
    assert share([9, 7, 7, 1], dollars("100.00"), [5_000, 3_000, 2_000]) == [
        Placed(1, dollars("50.00")),
        Placed(2, dollars("25.00")),
        Placed(2, dollars("25.00")),
        Placed(4, dollars("0.00")),
    ]


def test_places_nobody_takes_are_shared_by_those_taken() -> None:
    # Two entries: 50 and 30 of the 80 that are taken.
    assert share([2, 1], dollars("80.00"), [5_000, 3_000, 2_000]) == [
        Placed(1, dollars("50.00")),
        Placed(2, dollars("30.00")),
    ]


def test_the_order_is_the_callers_affair_and_checked() -> None:
    with pytest.raises(ValueError, match="best to the worst"):
        share([1, 2], dollars("1.00"), [10_000])
    with pytest.raises(ValueError, match="Nobody"):
        share([], dollars("1.00"), [10_000])


@given(
    scores=st.lists(st.integers(0, 4), min_size=1, max_size=12),
    cents=st.integers(0, 10**7),
    weights=st.lists(st.integers(1, 50), min_size=1, max_size=6),
)
def test_nothing_is_lost_and_nobody_is_off_by_a_cent(scores: list[int], cents: int, weights: list[int]) -> None:
    """Exact shares as fractions: every prize is its exact share, less than one cent a place away; the sum is whole."""
    scores.sort(reverse=True)
    placed = share(scores, Money.cents(cents), weights)
    assert sum(each.prize.micros for each in placed) == cents * 10_000
    taken = weights[: len(scores)] + [0] * (len(scores) - len(weights))
    whole = sum(taken)
    for at, each in enumerate(placed):
        level = [i for i, score in enumerate(scores) if score == scores[at]]
        assert each.place == level[0] + 1
        exact = Fraction(cents * sum(taken[i] for i in level), whole * len(level))
        assert abs(Fraction(each.prize.micros, 10_000) - exact) < 2
    assert [each.prize for each in placed if each.place == 1] == sorted(
        (each.prize for each in placed if each.place == 1), reverse=True
    )
