"""The purses: what moves, that it balances, and that no purse of a link goes below zero."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules import pool
from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN
from jackpot.rules.payouts import Dealt, evaluate
from jackpot.rules.pool import HOUSE, REIMBURSEMENT, RESERVE, WAGERS, WINNERS, Level, Movement, Parameters
from kernel.money import ZERO, Money
from kernel.refusal import Refusal

ROYAL = ["AS", "KS", "QS", "JS", "TS"]
STRAIGHT = ["9S", "8S", "7S", "6S", "5S"]


def d(text: str) -> Money:
    return Money.parse(f"{text}.00" if "." not in text else text)


CSP = Parameters(
    wager=d("2.50"),
    levels=(Level(increment_rate=7000, seed=d("50000")),),
    reserve_rate=1000,
    retained_rate=2000,
)
BOOM = Parameters(
    wager=d("1"), levels=(Level(increment_rate=6000, seed=d("10000")),), reserve_rate=2500, retained_rate=1500
)


def moves(movements: tuple[Movement, ...]) -> list[tuple[str, str, str]]:
    return [(move.source, move.target, str(move.amount)) for move in movements]


@pytest.mark.clause("nsw-csp:11.5", "nsw-csp:11.6", "act-cp:10.5", "act-pg:12.7")
def test_a_wager_is_split_whole() -> None:
    assert moves(pool.contribute(CSP, wagers=3)) == [
        (WAGERS, "prize", "5.25"),
        (WAGERS, RESERVE, "0.75"),
        (WAGERS, HOUSE, "1.50"),
    ]
    assert pool.contribute(CSP, wagers=0) == ()
    assert moves(pool.keep(BOOM, wagers=2)) == [(WAGERS, HOUSE, "2.00")]


def test_a_basis_point_of_a_cent_is_exact() -> None:
    odd = Parameters(
        wager=d("0.01"),
        levels=(Level(increment_rate=3333, seed=ZERO, name="minor"), Level(increment_rate=1, seed=ZERO, name="major")),
        reserve_rate=3333,
        reimbursement_rate=3332,
        retained_rate=1,
    )
    assert moves(pool.contribute(odd, wagers=1)) == [
        (WAGERS, "minor", "0.003333"),
        (WAGERS, "major", "0.000001"),
        (WAGERS, RESERVE, "0.003333"),
        (WAGERS, REIMBURSEMENT, "0.003332"),
        (WAGERS, HOUSE, "0.000001"),
    ]


def test_a_void_round_takes_everything_back() -> None:
    came = pool.contribute(CSP, wagers=4)
    before = {"prize": d("61000"), RESERVE: d("12")}
    back = [Movement(move.target, move.source, move.amount) for move in reversed(came)]
    after = pool.apply(pool.apply(before, came), back)
    assert {purse: amount for purse, amount in after.items() if amount} == before


@pytest.mark.clause("nsw-csp:2.4.3")
def test_the_meter_shows_whole_cents_and_never_more_than_the_ceiling() -> None:
    capped = Parameters(
        wager=d("1"), levels=(Level(increment_rate=5000, seed=d("100"), ceiling=d("500")),), retained_rate=5000
    )
    assert pool.displayed(capped, {"prize": d("499.99") + Money(9_999)}) == d("499.99")
    balances = {"prize": d("501.25") + Money(7)}
    assert pool.displayed(capped, balances) == d("500")
    assert moves(pool.overflow(capped, balances)) == [("prize", "prize-overflow", "1.250007")]
    assert pool.overflow(capped, {"prize": d("500")}) == ()
    # After the win the players' overflow comes first, and no more of it than the ceiling lets in.
    assert moves(pool.restart(capped, {"prize": ZERO, "prize-overflow": d("30"), RESERVE: d("50")})) == [
        ("prize-overflow", "prize", "30.00"),
        (RESERVE, "prize", "50.00"),
        (HOUSE, "prize", "20.00"),
    ]
    assert moves(pool.restart(capped, {"prize": d("0.01"), "prize-overflow": d("700")})) == [
        ("prize-overflow", "prize", "499.99")
    ]


def test_a_won_pool_restarts_from_the_reserve_then_from_the_house() -> None:
    assert moves(pool.restart(CSP, {"prize": Money(4_321), RESERVE: d("20000")})) == [
        (RESERVE, "prize", "20000.00"),
        (HOUSE, "prize", "29999.995679"),
    ]
    assert moves(pool.restart(CSP, {"prize": ZERO, RESERVE: d("60000")})) == [(RESERVE, "prize", "50000.00")]


@pytest.mark.clause("nsw-csp:12.1.2", "nsw-csp:12.1.1")
def test_caribbean_stud_after_a_straight_flush_is_not_topped_up_and_after_a_royal_restarts() -> None:
    balances = {"prize": d("50000"), RESERVE: d("1000")}
    straight = evaluate(
        CARIBBEAN_STUD, meter=balances["prize"], wagers=[1], hands=[Dealt(box=1, cards=STRAIGHT)], bonus=d("250")
    )
    assert moves(pool.pay(straight)) == [("prize", WINNERS, "5000.00")]
    after = pool.apply(balances, pool.pay(straight))
    assert pool.after_win(CARIBBEAN_STUD, CSP, after, straight) == ()
    royal = evaluate(
        CARIBBEAN_STUD, meter=after["prize"], wagers=[1, 2], hands=[Dealt(box=1, cards=ROYAL)], bonus=d("250")
    )
    assert moves(pool.pay(royal)) == [
        (HOUSE, WINNERS, "250.00"),
        ("prize", WINNERS, "45000.00"),
        (HOUSE, WINNERS, "5000.00"),
    ]
    after = pool.apply(after, pool.pay(royal))
    assert moves(pool.after_win(CARIBBEAN_STUD, CSP, after, royal)) == [
        (RESERVE, "prize", "1000.00"),
        (HOUSE, "prize", "49000.00"),
    ]


@pytest.mark.clause("act-cp:11.1-straight")
def test_boomerang_is_topped_up_at_once() -> None:
    balances = {"prize": d("10500.50"), RESERVE: d("100.25")}
    straight = evaluate(BOOMERANG, meter=balances["prize"], wagers=[1], hands=[Dealt(box=1, cards=STRAIGHT)])
    after = pool.apply(balances, pool.pay(straight))
    assert after["prize"] == d("9450.45")
    topped = pool.after_win(BOOMERANG, BOOM, after, straight)
    assert moves(topped) == [(RESERVE, "prize", "100.25"), (HOUSE, "prize", "449.30")]
    assert pool.advanced(topped) == d("449.30")
    assert pool.displayed(BOOM, pool.apply(after, topped)) == d("10000")


def test_gee_jun_above_its_seed_is_left_alone() -> None:
    none = evaluate(GEE_JUN, meter=d("12000"), wagers=[2])
    assert pool.after_win(GEE_JUN, BOOM, {"prize": d("12000")}, none) == ()


def test_the_way_of_keno() -> None:
    balances = {"prize": ZERO, RESERVE: d("700"), REIMBURSEMENT: d("100")}
    moved = (Movement(RESERVE, "prize", d("700")),)  # the whole secondary pool becomes the new prize pool
    filled = pool.fill(pool.apply(balances, moved), level="prize", to=d("1000"), sources=(REIMBURSEMENT,))
    renewed = (*moved, *filled)
    assert moves(renewed) == [
        (RESERVE, "prize", "700.00"),
        (REIMBURSEMENT, "prize", "100.00"),
        (HOUSE, "prize", "200.00"),
    ]
    owed = pool.advanced(renewed)
    assert owed == d("200")
    assert moves(pool.pay_back({REIMBURSEMENT: d("150.04")}, advance=owed)) == [(REIMBURSEMENT, HOUSE, "150.04")]
    assert moves(pool.pay_back({REIMBURSEMENT: d("900")}, advance=owed)) == [(REIMBURSEMENT, HOUSE, "200.00")]
    assert pool.pay_back({REIMBURSEMENT: d("900")}, advance=ZERO) == ()
    # Above the guarantee nothing is missing.
    assert pool.fill({"prize": d("1500")}, level="prize", to=d("1000"), sources=(REIMBURSEMENT,)) == ()


def test_an_unreasonable_contribution_waits_for_a_person() -> None:
    limited = Parameters(
        wager=d("1"),
        levels=(Level(increment_rate=10_000, seed=ZERO),),
        contribution_limit=d("1000"),
    )
    assert moves(pool.contribute(limited, wagers=1000)) == [(WAGERS, "prize", "1000.00")]
    with pytest.raises(Refusal) as refused:
        pool.contribute(limited, wagers=1001)
    assert refused.value.code == "contribution-unreasonable"
    for wrong in (Money(-10_000), Money(1)):
        with pytest.raises(Refusal, match="whole cents"):
            pool.split(CSP, wrong)


@pytest.mark.clause("nsw-csp:11.6")
@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"retained_rate": 1999}, "rates"),
        ({"retained_rate": 2001}, "rates"),
        ({"reserve_rate": -1, "retained_rate": 3001}, "rates"),
        ({"wager": ZERO}, "wager"),
        ({"wager": Money(2_500_001)}, "wager"),
        ({"levels": (Level(increment_rate=7000, seed=d("5"), ceiling=d("5")),)}, "ceiling"),
        ({"levels": (Level(increment_rate=7000, seed=Money(-1)),)}, "seed"),
        ({"levels": (Level(increment_rate=3500, seed=ZERO), Level(increment_rate=3500, seed=ZERO))}, "levels"),
        ({"contribution_limit": d("2.49")}, "contribution_limit"),
    ],
)
def test_parameters_that_cannot_be(change: dict[str, object], field: str) -> None:
    arguments: dict[str, object] = {
        "wager": d("2.50"),
        "levels": CSP.levels,
        "reserve_rate": 1000,
        "retained_rate": 2000,
    }
    with pytest.raises(Refusal) as refused:
        Parameters(**(arguments | change))  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == ("parameters-invalid", field)


def test_a_purse_is_never_overdrawn() -> None:
    with pytest.raises(Refusal, match="prize"):
        pool.apply({"prize": d("1")}, [Movement("prize", WINNERS, d("1.01"))])
    assert pool.apply({}, [Movement(HOUSE, "prize", d("5"))]) == {HOUSE: d("-5"), "prize": d("5")}


rates = st.lists(st.integers(0, 10_000), min_size=3, max_size=3).map(sorted)
acts = st.lists(
    st.one_of(
        st.integers(1, 10_000),
        st.sampled_from([("S",), ("R",), ("S", "R"), ("R", "S"), ("F",)]),
    ),
    max_size=25,
)
HANDS = {
    "S": ["9H", "8H", "7H", "6H", "5H"],
    "R": ROYAL,
    "F": ["2C", "4C", "6C", "8C", "TC"],
}


@pytest.mark.clause("nsw-csp:2.3")
@given(
    cuts=rates,
    wager=st.integers(1, 500),
    seed=st.integers(0, 20_000),
    ceiling=st.none() | st.integers(1, 90_000),
    acts=acts,
    rules=st.sampled_from([CARIBBEAN_STUD, BOOMERANG]),
)
def test_whatever_happens_money_is_conserved_and_no_purse_is_overdrawn(
    cuts: list[int],
    wager: int,
    seed: int,
    ceiling: int | None,
    acts: list[int | tuple[str, ...]],
    rules: object,
) -> None:
    """Contributions and wins in any order: the purses add up to zero, the closing pool to its equation."""
    a, b, c = cuts
    parameters = Parameters(
        wager=Money.cents(wager),
        levels=(
            Level(
                increment_rate=a,
                seed=Money.dollars(seed),
                ceiling=None if ceiling is None else Money.dollars(seed + ceiling),
            ),
        ),
        reserve_rate=b - a,
        reimbursement_rate=c - b,
        retained_rate=10_000 - c,
    )
    balances = pool.apply({}, pool.top_up(parameters, {}))
    contributed = topped = won = ZERO
    opening, advance = balances.get("prize", ZERO), ZERO
    for act in acts:
        before = balances
        if isinstance(act, int):
            came = pool.contribute(parameters, wagers=act)
            assert Money.total(move.amount for move in came) == parameters.wager * act
            contributed += Money.total(move.amount for move in came if move.target == "prize")
            balances = pool.apply(balances, came)
            balances = pool.apply(balances, pool.overflow(parameters, balances))
            paid_back = pool.pay_back(balances, advance=advance)
            advance -= Money.total(move.amount for move in paid_back)
            balances = pool.apply(balances, paid_back)
        else:
            dealt = [Dealt(box=i, cards=HANDS[name]) for i, name in enumerate(act, start=1)]
            round_ = evaluate(
                rules,  # type: ignore[arg-type]
                meter=balances.get("prize", ZERO),
                wagers=[1, 2, 3],
                hands=dealt,
                bonus=d("250"),
            )
            balances = pool.apply(balances, pool.pay(round_))
            assert balances.get("prize", ZERO) == round_.pool_after
            won += Money.total(payout.from_pool for payout in round_.payouts)
            follows = pool.after_win(rules, parameters, balances, round_)  # type: ignore[arg-type]
            topped += Money.total(move.amount for move in follows if move.source != "prize-overflow")
            advance += pool.advanced(follows)
            balances = pool.apply(balances, follows)
            if round_.restarts or rules is BOOMERANG:
                assert balances.get("prize", ZERO) >= parameters.levels[0].seed
        assert Money.total(balances.values()) == Money.total(before.values()) == ZERO
        assert all(amount >= ZERO for purse, amount in balances.items() if purse not in pool.OUTSIDE)
    closing = balances.get("prize", ZERO) + balances.get("prize-overflow", ZERO)
    assert opening + contributed + topped - won == closing
