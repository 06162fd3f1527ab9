"""Periods, limits in force and what of a wager stands, worked out a second way."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from house.rules.invalid_wagers import Found, decide
from house.rules.limits import Change, Period, accept, headroom, in_force, span, takes_effect
from kernel.money import ZERO, Money

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)
WEEK = timedelta(days=7)

amounts = st.integers(0, 50_000).map(Money.cents)


@pytest.mark.parametrize(
    ("period", "day", "first", "last"),
    [
        ("day", "2026-11-16", "2026-11-16", "2026-11-16"),
        ("week", "2026-11-16", "2026-11-16", "2026-11-22"),
        ("week", "2026-11-22", "2026-11-16", "2026-11-22"),
        ("week", "2027-01-01", "2026-12-28", "2027-01-03"),
        ("month", "2026-11-30", "2026-11-01", "2026-11-30"),
        ("month", "2028-02-01", "2028-02-01", "2028-02-29"),
        ("month", "2026-12-31", "2026-12-01", "2026-12-31"),
    ],
)
def test_a_period_is_complete_days(period: str, day: str, first: str, last: str) -> None:
    assert span(Period(period), date.fromisoformat(day)) == (date.fromisoformat(first), date.fromisoformat(last))


@given(st.sampled_from(Period), st.dates(date(2000, 1, 1), date(2100, 1, 1)))
def test_periods_tile_the_calendar(period: Period, day: date) -> None:
    first, last = span(period, day)
    assert first <= day <= last
    assert span(period, last + timedelta(days=1))[0] == last + timedelta(days=1)
    assert span(period, first) == span(period, last) == (first, last)


def cent_by_cent(wagers: list[Money], room: Money) -> list[Money]:
    """nsw-csp:14.21.1 by hand: while too much is on the table, the last placed cent goes back."""
    left = [wager.micros // 10_000 for wager in wagers]
    excess = sum(left) - room.micros // 10_000
    for i in reversed(range(len(left))):
        back = max(0, min(left[i], excess))
        left[i] -= back
        excess -= back
    return [Money.cents(cents) for cents in left]


@pytest.mark.clause("nsw-csp:14.21", "nsw-csp:14.21.1")
@given(st.lists(amounts, max_size=6), amounts)
def test_what_lies_above_the_limit_goes_back_in_reverse_order(wagers: list[Money], room: Money) -> None:
    stands = accept(wagers, room)
    assert stands == cent_by_cent(wagers, room)
    assert Money.total(stands) == min(Money.total(wagers), room)


@pytest.mark.clause("nsw-csp:14.21")
def test_worked_example() -> None:
    """$60 of room; ante 40, bet 80, jackpot 2.50: the jackpot wager goes back first, then $60 of the bet."""
    wagers = [Money.dollars(40), Money.dollars(80), Money.parse("2.50")]
    assert accept(wagers, Money.dollars(60)) == [Money.dollars(40), Money.dollars(20), ZERO]
    assert accept(wagers, None) == wagers


def test_the_tightest_limit_decides_and_winnings_make_room() -> None:
    assert headroom([]) is None
    pairs = [(Money.dollars(100), Money.dollars(30)), (Money.dollars(500), Money.dollars(460))]
    assert headroom(pairs) == Money.dollars(40)
    assert headroom([(Money.dollars(100), Money.dollars(-25))]) == Money.dollars(125)
    assert headroom([(Money.dollars(100), Money.dollars(130))]) == ZERO


@given(st.none() | amounts, st.none() | amounts)
def test_lower_at_once_higher_later(old: Money | None, new: Money | None) -> None:
    at = takes_effect(old=old, new=new, asked_at=NOW, cooling_off=WEEK)
    loosens = old is not None and (new is None or new > old)
    assert at == (NOW + WEEK if loosens else NOW)


def test_a_waiting_raise_is_dropped_by_a_later_lowering() -> None:
    hundred, five_hundred, fifty = (Money.dollars(each) for each in (100, 500, 50))
    asked = [Change(hundred, NOW), Change(five_hundred, NOW + WEEK)]
    assert in_force([], NOW) is None
    assert in_force(asked, NOW) == hundred
    assert in_force(asked, NOW + WEEK) == five_hundred
    asked.append(Change(fifty, NOW + timedelta(days=1)))
    assert in_force(asked, NOW + 2 * WEEK) == fifty


@pytest.mark.clause("nsw-csp:14.20")
def test_an_invalid_wager_in_its_three_cases() -> None:
    stake, winnings = Money.dollars(10), Money.dollars(70)

    def money(found: Found, wins: Money) -> tuple[Money, Money]:
        outcome = decide(found=found, stake=stake, winnings=wins)
        assert outcome.clause == "nsw-csp:14.20"
        return outcome.returned, outcome.winnings

    assert money(Found.BEFORE, winnings) == money(Found.BEFORE, ZERO) == (stake, ZERO)
    assert money(Found.DURING, winnings) == (stake, ZERO)
    assert money(Found.DURING, ZERO) == (ZERO, ZERO)
    assert money(Found.AFTER, winnings) == (stake + winnings, winnings)
    assert money(Found.AFTER, ZERO) == (ZERO, ZERO)
