"""Who is paid what: the worked examples of the reading, and each rule by itself."""

from __future__ import annotations

import pytest

from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN, MINOR_MAJOR, MUST_HIT_BY
from jackpot.rules.payouts import evaluate
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from tests.jackpot.rounds import (
    DEAD,
    FLUSH,
    FOUR,
    GEE_JUN_TEEN,
    HOUSE,
    ROYAL_C,
    ROYAL_H,
    ROYAL_S,
    STRAIGHT,
    STRAIGHT_C,
    STRAIGHT_D,
    STRAIGHT_H,
    STRAIGHT_S,
    WHEEL_H,
    dealt,
    laid,
    lines,
)
from tests.world.money import dollars

# ------------------------------------------------------------------------------------------- Caribbean Stud


@pytest.mark.clause("nsw-csp:12.3.2")
def test_two_straight_flushes_share_the_successive_tenths() -> None:
    round_ = evaluate(
        CARIBBEAN_STUD, meter=dollars("100000"), wagers=[1, 2, 3], hands=dealt({1: STRAIGHT_S, 3: STRAIGHT_H})
    )
    assert lines(round_) == [
        (3, "straight", "9500.00", "9500.00", "0.00"),
        (1, "straight", "9500.00", "9500.00", "0.00"),
    ]
    assert str(round_.pool_after) == "81000.00"
    assert round_.restarts == ()


@pytest.mark.clause("nsw-csp:12.4", "nsw-csp:12.1.1", "nsw-csp:12.2", "nsw-csp:11.10.4")
def test_straight_flushes_are_paid_before_the_royal() -> None:
    round_ = evaluate(
        CARIBBEAN_STUD,
        meter=dollars("100000"),
        wagers=[1, 2, 3, 4, 5],
        hands=dealt({5: ROYAL_S, 1: STRAIGHT_S, 3: STRAIGHT_H, 2: FOUR}),
        bonus=dollars("250"),
    )
    assert lines(round_) == [
        (2, "fixed", "500.00", "0.00", "500.00"),
        (4, "bonus", "250.00", "0.00", "250.00"),
        (2, "bonus", "250.00", "0.00", "250.00"),
        (3, "straight", "9500.00", "9500.00", "0.00"),
        (1, "straight", "9500.00", "9500.00", "0.00"),
        (5, "royal", "81000.00", "81000.00", "0.00"),
    ]
    assert round_.pool_after == ZERO
    assert round_.restarts == ("prize",)
    assert [p.measured_on for p in round_.payouts if p.level] == [dollars("100000")] * 2 + [dollars("81000")]
    assert [p.hand for p in round_.payouts] == [
        "four-of-a-kind", None, None, "straight-flush", "straight-flush", "royal-flush",
    ]  # fmt: skip


@pytest.mark.clause("nsw-csp:12.1.2", "nsw-csp:12.3.2")
def test_three_straight_flushes_below_the_guarantee() -> None:
    round_ = evaluate(
        CARIBBEAN_STUD,
        meter=dollars("30000"),
        wagers=[1, 2, 3],
        hands=dealt({1: STRAIGHT_S, 2: STRAIGHT_H, 3: STRAIGHT_D}),
    )
    assert lines(round_) == [(box, "straight", "5000.00", "2710.00", "2290.00") for box in (3, 2, 1)]
    assert str(round_.pool_after) == "21870.00"
    assert Money.total(p.from_pool for p in round_.payouts) == dollars("8130")
    assert Money.total(p.from_house for p in round_.payouts) == dollars("6870")


@pytest.mark.clause("nsw-csp:12.3.1", "nsw-csp:12.1.1")
@pytest.mark.parametrize(
    ("meter", "each", "from_pool", "from_house", "left"),
    [
        ("200000.01", "100000.00", "100000.00", "0.00", "0.01"),
        ("100000.00", "50000.00", "50000.00", "0.00", "0.00"),
        ("99999.99", "50000.00", "49999.99", "0.01", "0.01"),
        ("0.00", "50000.00", "0.00", "50000.00", "0.00"),
    ],
)
def test_two_royals_share_or_get_the_guarantee(
    meter: str, each: str, from_pool: str, from_house: str, left: str
) -> None:
    round_ = evaluate(CARIBBEAN_STUD, meter=dollars(meter), wagers=[1, 2], hands=dealt({1: ROYAL_S, 2: ROYAL_H}))
    assert lines(round_) == [(box, "royal", each, from_pool, from_house) for box in (2, 1)]
    assert str(round_.pool_after) == left


@pytest.mark.clause("nsw-csp:12.1.3-5", "nsw-csp:12.2", "nsw-csp:11.7", "nsw-csp:11.7.1-5")
def test_fixed_prizes_come_from_the_house_from_right_to_left() -> None:
    round_ = evaluate(
        CARIBBEAN_STUD,
        meter=dollars("60000"),
        wagers=[6, 1, 4, 3],
        hands=dealt({3: FOUR, 4: ["KS", "JS", "9S", "7S", "5S"], 6: HOUSE, 1: ["AC", "AD", "8H", "8C", "KD"]}),
        bonus=dollars("250"),
    )
    assert lines(round_) == [
        (6, "fixed", "150.00", "0.00", "150.00"),
        (4, "fixed", "100.00", "0.00", "100.00"),
        (3, "fixed", "500.00", "0.00", "500.00"),
    ]  # no bonus without a percentage prize, and no dead man's hand in this game
    assert round_.pool_after == dollars("60000")
    assert round_.paid_boxes == (3, 4, 6)


@pytest.mark.clause("nsw-csp:9.3.1", "nsw-csp:11.4")
def test_a_folded_hand_is_still_paid() -> None:
    round_ = evaluate(
        CARIBBEAN_STUD, meter=dollars("80000"), wagers=[1, 2], hands=dealt({1: ROYAL_S}), bonus=ZERO, folded=[1, 2]
    )
    assert lines(round_) == [(1, "royal", "80000.00", "80000.00", "0.00")]


@pytest.mark.clause("nsw-csp:11.10.1", "nsw-csp:11.10.2", "nsw-csp:11.10.3")
def test_the_bonus_goes_to_every_other_wagering_box_folded_or_not() -> None:
    round_ = evaluate(
        CARIBBEAN_STUD,
        meter=dollars("80000"),
        wagers=[1, 2, 4, 5],
        hands=dealt({4: WHEEL_H, 3: ROYAL_S, 1: [*FLUSH[:4], "9S"]}),
        bonus=dollars("100"),
        folded=[2],
    )
    assert lines(round_) == [
        (1, "fixed", "100.00", "0.00", "100.00"),
        (5, "bonus", "100.00", "0.00", "100.00"),
        (2, "bonus", "100.00", "0.00", "100.00"),
        (1, "bonus", "100.00", "0.00", "100.00"),
        (4, "straight", "8000.00", "8000.00", "0.00"),
    ]  # box 3 has a royal flush and no jackpot wager: nothing


def test_micro_dollars_stay_in_the_pool() -> None:
    pool = dollars("123456.78") + Money(9_999)
    round_ = evaluate(CARIBBEAN_STUD, meter=pool, wagers=[1, 2], hands=dealt({1: ROYAL_S, 2: STRAIGHT_H}))
    assert lines(round_) == [
        (2, "straight", "12345.67", "12345.67", "0.00"),
        (1, "royal", "111111.11", "111111.11", "0.00"),
    ]
    assert round_.pool_after == Money(9_999)
    assert [p.measured_on for p in round_.payouts] == [dollars("123456.78"), dollars("111111.11")]
    # 9.5% of what is shown is 9,500.0095; of the pool with its hidden micro-dollars it would be a cent more.
    pool = dollars("100000.10") + Money(9_999)
    round_ = evaluate(CARIBBEAN_STUD, meter=pool, wagers=[1, 2], hands=dealt({1: STRAIGHT_S, 2: STRAIGHT_H}))
    assert [str(p.amount) for p in round_.payouts] == ["9500.00", "9500.00"]


# ------------------------------------------------------------------------------------------------ Boomerang


@pytest.mark.clause("act-cp:11.2")
def test_boomerang_majors_together_are_pro_rated() -> None:
    round_ = evaluate(BOOMERANG, meter=dollars("22000"), wagers=[1, 2], hands=dealt({1: STRAIGHT_S, 2: ROYAL_H}))
    assert lines(round_) == [
        (1, "straight", "2000.00", "2000.00", "0.00"),
        (2, "royal", "20000.00", "20000.00", "0.00"),
    ]
    assert round_.pool_after == ZERO


@pytest.mark.clause("act-cp:11.1-royal", "act-cp:11.1-straight", "act-cp:11.1-fixed")
def test_boomerang_single_wins() -> None:
    round_ = evaluate(BOOMERANG, meter=dollars("22000.05"), wagers=[1], hands=dealt({1: STRAIGHT_S}))
    assert lines(round_) == [(1, "straight", "2200.00", "2200.00", "0.00")]
    assert str(round_.pool_after) == "19800.05"
    round_ = evaluate(BOOMERANG, meter=dollars("10000"), wagers=[1], hands=dealt({1: ROYAL_C}))
    assert lines(round_) == [(1, "royal", "10000.00", "10000.00", "0.00")]
    round_ = evaluate(
        BOOMERANG, meter=dollars("10000"), wagers=[1, 2], hands=dealt({1: DEAD, 2: STRAIGHT}), bonus=dollars("100")
    )
    assert lines(round_) == [(1, "fixed", "50.00", "0.00", "50.00")]
    assert [p.hand for p in round_.payouts] == ["dead-mans-hand"]


def test_boomerang_several_straight_flushes_fit_under_the_cap_unscaled() -> None:
    hands = dealt({1: STRAIGHT_S, 2: STRAIGHT_H, 3: STRAIGHT_D, 4: STRAIGHT_C})
    round_ = evaluate(BOOMERANG, meter=dollars("30000"), wagers=[1, 2, 3, 4], hands=hands)
    assert lines(round_) == [(box, "straight", "3000.00", "3000.00", "0.00") for box in (4, 3, 2, 1)]


@pytest.mark.clause("act-cp:11.1-royal")
def test_the_linked_tables_race() -> None:
    """Table B won while A's round ran: Boomerang owes what A showed, Caribbean Stud pays the pool as it is."""
    hands, now, shown = dealt({1: ROYAL_S}), dollars("10050.35") + Money(1_234), dollars("80000")
    owed = evaluate(BOOMERANG, meter=now, displayed=shown, wagers=[1], hands=hands)
    assert lines(owed) == [(1, "royal", "80000.00", "10050.35", "69949.65")]
    assert owed.payouts[0].measured_on == shown
    assert owed.pool_after == Money(1_234)
    stud = evaluate(CARIBBEAN_STUD, meter=dollars("50001.75"), displayed=shown, wagers=[1], hands=hands)
    assert lines(stud) == [(1, "royal", "50001.75", "50001.75", "0.00")]
    assert stud.payouts[0].measured_on == dollars("50001.75")


@pytest.mark.clause("act-cp:7.3")
def test_boomerang_folded_hand_loses() -> None:
    round_ = evaluate(BOOMERANG, meter=dollars("20000"), wagers=[1, 2], hands=dealt({1: ROYAL_S, 2: FOUR}), folded=[1])
    assert lines(round_) == [(2, "fixed", "500.00", "0.00", "500.00")]
    assert BOOMERANG.contributing(wagers=[1, 2], paid=round_.paid_boxes) == (1,)


@pytest.mark.clause("act-cp:10.5", "act-pg:12.7", "nsw-csp:11.5")
def test_which_wagers_contribute() -> None:
    assert BOOMERANG.contributing(wagers=[3, 1, 2], paid=[2]) == (1, 3)
    assert GEE_JUN.contributing(wagers=[3, 1, 2], paid=[1, 2, 3]) == ()
    assert CARIBBEAN_STUD.contributing(wagers=[3, 1, 2], paid=[2]) == (1, 2, 3)


# -------------------------------------------------------------------------------------------------- Gee Jun


@pytest.mark.clause("act-pg:13.2-major", "act-pg:13.2-fixed", "act-pg:13.1")
def test_gee_jun() -> None:
    round_ = evaluate(
        GEE_JUN,
        meter=dollars("12345.67"),
        wagers=[2, 3, 4],
        hands=laid({2: GEE_JUN_TEEN, 3: ["chong", "look", "bon", "tif"], 4: ["day", "day", "foo", "ping"]}),
        bonus=dollars("100"),
    )
    assert lines(round_) == [
        (3, "fixed", "100.00", "0.00", "100.00"),
        (2, "major", "12345.67", "12345.67", "0.00"),
    ]
    assert round_.restarts == ("prize",)


@pytest.mark.clause("act-pg:13.3")
def test_gee_jun_majors_of_linked_tables_at_the_same_time_are_pro_rated() -> None:
    hands = laid({2: GEE_JUN_TEEN, 5: GEE_JUN_TEEN, 7: GEE_JUN_TEEN})
    round_ = evaluate(GEE_JUN, meter=dollars("10000"), wagers=[2, 5, 7], hands=hands, sets=3)
    assert lines(round_) == [(box, "major", "3333.33", "3333.33", "0.00") for box in (7, 5, 2)]
    assert str(round_.pool_after) == "0.01"
    with pytest.raises(Refusal, match="more often"):  # one table has one set of 32 tiles
        evaluate(GEE_JUN, meter=dollars("10000"), wagers=[2, 5, 7], hands=hands)


# -------------------------------------------------------------------------------------- the fourth and fifth


def test_minor_and_major_pools_are_won_apart() -> None:
    meter = {"minor": dollars("1000.01"), "major": dollars("70000")}
    round_ = evaluate(
        MINOR_MAJOR, meter=meter, wagers=[1, 2, 3], hands=dealt({1: STRAIGHT_S, 2: ROYAL_H, 3: STRAIGHT_D})
    )
    assert lines(round_) == [
        (3, "minor", "500.00", "500.00", "0.00"),
        (1, "minor", "500.00", "500.00", "0.00"),
        (2, "major", "70000.00", "70000.00", "0.00"),
    ]
    assert round_.pools_after == {"minor": dollars("0.01"), "major": ZERO}
    assert round_.restarts == ("minor", "major")
    with pytest.raises(Refusal, match="minor, major"):
        evaluate(MINOR_MAJOR, meter=dollars("1000"), wagers=[1])
    with pytest.raises(Refusal, match="minor, major"):
        evaluate(MINOR_MAJOR, meter={"minor": ZERO}, wagers=[1])


def test_a_mystery_is_not_won_by_a_hand() -> None:
    with pytest.raises(Refusal, match="trigger point"):
        evaluate(MUST_HIT_BY, meter=dollars("600"), wagers=[1], hands=dealt({1: ROYAL_S}))
