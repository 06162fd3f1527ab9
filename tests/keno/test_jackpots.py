"""The purses of a jackpot: nothing is lost, and the guarantee stands."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keno.rules.entry import TicketEntry
from keno.rules.jackpots import Move, Purse, Purses, Ratio, contribute, jackpot_stakes, reverse, shares_of, top_up, win
from keno.rules.selection import Play, plain, way
from kernel.money import ZERO, Money
from tests.world.refusals import refused_in_full

DEMO = Ratio(1500, 600, 400)
GUARANTEE = Money.dollars(1_000)


def purses(prize: str = "0.00", secondary: str = "0.00", reimbursement: str = "0.00", owed: str = "0.00") -> Purses:
    return Purses(*map(Money.parse, (prize, secondary, reimbursement, owed)))


@pytest.mark.clause("act-keno:5.3")
@pytest.mark.parametrize("shares", [(1500, 600, 399), (1500, 600, 401), (2600, -100, 0), (0, 0, 0)])
def test_a_ratio_adds_up_to_the_whole_25_percent(shares: tuple[int, int, int]) -> None:
    assert refused_in_full(Ratio, *shares) == ("ratio-not-whole", "act-keno:5.3", "ratio")


@pytest.mark.clause("act-keno:5.3")
def test_what_a_ticket_stakes_in_the_jackpots() -> None:
    pairs = [(n, n + 1) for n in range(1, 11, 2)]
    ways = way(pairs, [Play(6, Money.dollars(2)), Play(8, Money.dollars(1)), Play(4, Money.dollars(1))])
    assert jackpot_stakes(TicketEntry(ways, jackpot=True)) == {6: Money.dollars(20), 8: Money.dollars(5)}
    assert jackpot_stakes(TicketEntry(ways)) == {}
    assert jackpot_stakes(TicketEntry(plain(range(1, 9), Money.dollars(3)), jackpot=True)) == {8: Money.dollars(3)}


@pytest.mark.clause("act-keno:5.3")
def test_a_quarter_of_the_stakes_goes_to_the_purses() -> None:
    booked = contribute(purses(prize="1000.00"), Money.parse("41.00"), DEMO)
    assert booked.purses == purses("1006.15", "2.46", "1.64")
    assert booked.moves == (
        Move(Purse.STAKES, Purse.PRIZE, Money.parse("6.15")),
        Move(Purse.STAKES, Purse.SECONDARY, Money.parse("2.46")),
        Move(Purse.STAKES, Purse.REIMBURSEMENT, Money.parse("1.64")),
    )


@pytest.mark.clause("act-keno:5.3")
def test_fractions_of_a_cent_stay_exact_and_are_not_displayed() -> None:
    booked = contribute(purses(prize="1000.00"), Money.dollars(1), Ratio(1333, 833, 334))
    assert str(booked.purses.prize) == "1000.1333"
    assert str(booked.purses.displayed(GUARANTEE)) == "1000.13"


@pytest.mark.clause("act-keno:5.3", "act-keno:5.2")
def test_the_house_is_paid_back_as_the_reimbursement_purse_fills() -> None:
    begun = top_up(Purses(), GUARANTEE)
    assert begun.purses == purses(prize="1000.00", owed="1000.00")
    booked = contribute(begun.purses, Money.dollars(100), DEMO)
    assert booked.purses == purses("1015.00", "6.00", "0.00", "996.00")
    assert booked.moves[-1] == Move(Purse.REIMBURSEMENT, Purse.HOUSE, Money.parse("4.00"))
    almost = contribute(purses("1000.00", owed="3.00"), Money.dollars(100), DEMO)
    assert almost.purses == purses("1015.00", "6.00", "1.00")


@pytest.mark.clause("act-keno:5.2")
def test_a_win_and_the_secondary_purse_covers_the_guarantee() -> None:
    booked = win(purses("2345.67", "1200.00", "300.00"), GUARANTEE)
    assert booked.purses == purses("1200.00", "0.00", "300.00")
    assert booked.moves == (
        Move(Purse.PRIZE, Purse.WINNERS, Money.parse("2345.67")),
        Move(Purse.SECONDARY, Purse.PRIZE, Money.parse("1200.00")),
    )


@pytest.mark.clause("act-keno:5.2")
@pytest.mark.parametrize("secondary", ["1000.01", "1500.00", "250000.00"])
@pytest.mark.parametrize("reimbursement", ["0.00", "100.00"])
def test_a_secondary_pool_above_the_guarantee_becomes_the_prize_whole(secondary: str, reimbursement: str) -> None:
    booked = win(purses("2345.67", secondary, reimbursement, owed="40.00"), GUARANTEE)
    assert booked.purses == purses(secondary, "0.00", reimbursement, owed="40.00")
    assert [move for move in booked.moves if move.target is Purse.PRIZE] == [
        Move(Purse.SECONDARY, Purse.PRIZE, Money.parse(secondary))
    ]


@pytest.mark.clause("act-keno:5.2")
def test_a_win_topped_up_from_reimbursement_then_house() -> None:
    booked = win(purses("2345.67", "500.00", "300.00"), GUARANTEE)
    assert booked.purses == purses("1000.00", owed="200.00")
    assert booked.moves[2:] == (
        Move(Purse.REIMBURSEMENT, Purse.PRIZE, Money.parse("300.00")),
        Move(Purse.HOUSE, Purse.PRIZE, Money.parse("200.00")),
    )
    spared = win(purses("2345.67", "500.00", "700.00"), GUARANTEE)
    assert spared.purses == purses("1000.00", reimbursement="200.00")


@pytest.mark.clause("act-keno:5.2")
def test_the_fraction_of_a_cent_stays_in_the_pool() -> None:
    booked = win(Purses(prize=Money(1_000_133_300), secondary=GUARANTEE), GUARANTEE)
    assert str(booked.moves[0].amount) == "1000.13"
    assert str(booked.purses.prize) == "1000.0033"


@pytest.mark.clause("act-keno:5.2")
def test_a_purse_below_the_guarantee_still_pays_it() -> None:
    short = purses("400.00", reimbursement="100.00")
    assert short.displayed(GUARANTEE) == GUARANTEE
    booked = win(short, GUARANTEE)
    assert Money.total(move.amount for move in booked.moves if move.target is Purse.WINNERS) == GUARANTEE
    assert booked.purses == purses("1000.00", owed="1500.00")


@pytest.mark.clause("act-keno:14.5", "act-keno:5.3")
def test_an_invalidated_game_takes_its_contribution_back() -> None:
    before = purses("1015.00", "6.00", "50.00")
    staked = Money.parse("37.00")
    booked = contribute(before, staked, DEMO)
    assert reverse(booked.purses, shares_of(staked, DEMO), guarantee=GUARANTEE).purses == before


@pytest.mark.clause("act-keno:14.5")
def test_what_the_house_was_paid_back_it_owes_again() -> None:
    before = purses("1015.00", "6.00", "0.00", "500.00")
    staked = Money.dollars(100)
    booked = contribute(before, staked, DEMO)
    assert booked.purses.owed == Money.dollars(496)
    back = reverse(booked.purses, shares_of(staked, DEMO), guarantee=GUARANTEE)
    assert back.purses == before
    assert Money.total(move.amount for move in back.moves if move.target is Purse.STAKES) == Money.dollars(25)


happenings = st.lists(
    st.one_of(
        st.tuples(st.just("game"), st.integers(0, 5_000)),
        st.tuples(st.just("win"), st.just(0)),
        st.tuples(st.just("invalidated"), st.integers(1, 500)),
    ),
    max_size=25,
)
ratios = st.integers(0, 2500).flatmap(lambda a: st.integers(0, 2500 - a).map(lambda b: Ratio(a, b, 2500 - a - b)))


@pytest.mark.clause("act-keno:5.2", "act-keno:5.3")
@given(happenings=happenings, ratio=ratios, guarantee=st.sampled_from([1_000, 12_500]).map(Money.dollars))
def test_money_is_conserved_through_any_history(happenings: Any, ratio: Any, guarantee: Any) -> None:
    now = top_up(Purses(), guarantee).purses
    stakes = won = ZERO  # net into the jackpot, and out to the winners
    for what, amount in happenings:
        staked = Money.dollars(amount)
        if what == "game":
            booked = contribute(now, staked, ratio)
            stakes += staked.basis_points(2500)
        elif what == "win":
            displayed = now.displayed(guarantee)
            booked = win(now, guarantee)
            paid = Money.total(move.amount for move in booked.moves if move.target is Purse.WINNERS)
            assert paid == displayed
            won += paid
        else:
            booked = reverse(now, shares_of(staked, ratio), guarantee=guarantee)
            stakes -= staked.basis_points(2500)
        now = booked.purses
        assert all(move.amount > ZERO for move in booked.moves)
        assert now.prize >= guarantee
        assert min(now.secondary, now.reimbursement, now.owed) >= ZERO
        assert now.prize + now.secondary + now.reimbursement - now.owed == stakes - won
