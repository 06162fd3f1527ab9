"""Who is paid what: the worked examples of the reading, the oracle over random rounds, what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from house.refusal import Refusal
from jackpot.rules import tiles
from jackpot.rules.cards import DECK
from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN, MINOR_MAJOR, MUST_HIT_BY, RULE_SETS, rule_set
from jackpot.rules.payouts import Dealt, Evaluation, evaluate
from ledger.money import MICROS_PER_CENT, ZERO, Money
from tests.jackpot import oracle

ROYAL_S, ROYAL_H, ROYAL_D, ROYAL_C = ([f"{rank}{suit}" for rank in "AKQJT"] for suit in "SHDC")
STRAIGHT_S, STRAIGHT_H, STRAIGHT_D, STRAIGHT_C = ([f"{rank}{suit}" for rank in "98765"] for suit in "SHDC")
WHEEL_H = ["AH", "2H", "3H", "4H", "5H"]
FOUR = ["2S", "2H", "2D", "2C", "3S"]
HOUSE = ["4S", "4H", "4D", "3H", "3D"]
FLUSH = ["2S", "4S", "6S", "8S", "QS"]
DEAD = ["AS", "AC", "8S", "8C", "KD"]
STRAIGHT = ["5S", "6H", "7H", "8H", "9D"]
GEE_JUN_TEEN = ["gee-jun", "gee-jun", "teen", "teen"]


def dollars(text: str) -> Money:
    return Money.parse(f"{text}.00" if "." not in text else text)


def dealt(hands: Mapping[int, Sequence[str]]) -> list[Dealt]:
    return [Dealt(box=box, cards=cards) for box, cards in hands.items()]


def laid(hands: Mapping[int, Sequence[str]]) -> list[Dealt]:
    return [Dealt(box=box, tiles=four) for box, four in hands.items()]


def lines(evaluation: Evaluation) -> list[tuple[int, str, str, str, str]]:
    return [(p.box, p.kind.value, str(p.amount), str(p.from_pool), str(p.from_house)) for p in evaluation.payouts]


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


@pytest.mark.clause("nsw-csp:12.1.3-5", "nsw-csp:12.2", "nsw-csp:11.7")
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


# -------------------------------------------------------------------------------------------------- refusals


@pytest.mark.clause("nsw-csp:14.8", "nsw-csp:14.9")
@pytest.mark.parametrize(
    ("hands", "code", "clause", "field"),
    [
        ({1: ROYAL_S[:4]}, "hand-void", "nsw-csp:14.8", "hands[0].cards"),
        ({2: STRAIGHT_H, 1: [*ROYAL_S, "9S"]}, "hand-void", "nsw-csp:14.8", "hands[1].cards"),
        ({1: []}, "hand-void", "nsw-csp:14.8", "hands[0].cards"),
        ({1: ["AS", "AS", "KS", "QS", "JS"]}, "dealt-too-often", "nsw-csp:14.9", "hands[0].cards[1]"),
        ({2: ROYAL_S, 1: [*FLUSH[:4], "AS"]}, "dealt-too-often", "nsw-csp:14.9", "hands[1].cards[4]"),
        ({1: ["AS", "KS", "QS", "JS", "10S"]}, "card-not-in-deck", "nsw-csp:14.9", "hands[0].cards[4]"),
        ({0: ROYAL_S}, "hand-not-on-a-box", None, "hands[0].box"),
    ],
)
def test_a_round_that_cannot_have_been_dealt_is_refused(
    hands: dict[int, list[str]], code: str, clause: str | None, field: str
) -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(CARIBBEAN_STUD, meter=dollars("60000"), wagers=[1], hands=dealt(hands))
    assert (refused.value.code, refused.value.clause, refused.value.field) == (code, clause, field)
    assert refused.value.status == 422


@pytest.mark.parametrize(
    ("rules", "hand", "code"),
    [
        (GEE_JUN, Dealt(box=1, cards=ROYAL_S), "wrong-game"),
        (GEE_JUN, Dealt(box=1, tiles=GEE_JUN_TEEN, cards=ROYAL_S), "wrong-game"),
        (BOOMERANG, Dealt(box=1, tiles=GEE_JUN_TEEN), "wrong-game"),
        (BOOMERANG, Dealt(box=1), "wrong-game"),
        (GEE_JUN, Dealt(box=1, tiles=["teen", "teen", "gee-jun"]), "hand-void"),
        (GEE_JUN, Dealt(box=1, tiles=["teen", "teen", "teen", "gee-jun"]), "dealt-too-often"),
        (GEE_JUN, Dealt(box=1, tiles=["teen", "teen", "gee-jun", "geejun"]), "tile-not-in-set"),
    ],
)
def test_hands_of_another_game_are_refused(rules: object, hand: Dealt, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(rules, meter=dollars("10000"), wagers=[1], hands=[hand], sets=9)  # type: ignore[arg-type]
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("change", "code", "field"),
    [
        ({"wagers": [1, 2, 1]}, "second-wager-on-box", "wagers[2]"),
        ({"wagers": [0]}, "no-such-box", "wagers[0]"),
        ({"meter": Money(-1)}, "meter-negative", "meter"),
        ({"displayed": Money(-1)}, "meter-negative", "displayed"),
        ({"bonus": Money(-10_000)}, "bonus-not-allowed", "bonus"),
        ({"bonus": Money(1)}, "bonus-not-allowed", "bonus"),
        ({"hands": dealt({1: ROYAL_S}) + dealt({1: ROYAL_H})}, "hand-not-on-a-box", "hands[1].box"),
    ],
)
def test_what_else_is_refused(change: dict[str, object], code: str, field: str) -> None:
    arguments = {"meter": dollars("60000"), "wagers": [1]} | change
    with pytest.raises(Refusal) as refused:
        evaluate(CARIBBEAN_STUD, **arguments)  # type: ignore[arg-type]
    assert (refused.value.code, refused.value.field) == (code, field)


@pytest.mark.clause("act-pg:12.2")
def test_one_gee_jun_wager_a_box_and_no_folding() -> None:
    with pytest.raises(Refusal) as refused:
        evaluate(GEE_JUN, meter=dollars("10000"), wagers=[2, 2])
    assert refused.value.clause == "act-pg:12.2"
    with pytest.raises(Refusal, match="no folding"):
        evaluate(GEE_JUN, meter=dollars("10000"), wagers=[2], folded=[2])


def test_unknown_rules_are_refused() -> None:
    assert rule_set("boomerang") is BOOMERANG
    with pytest.raises(Refusal, match="caribbean-stud") as refused:
        rule_set("let-it-ride")
    assert refused.value.field == "rules"


# ------------------------------------------------------------------------------- the oracle over random rounds

SPECIAL = [
    ROYAL_S, ROYAL_H, ROYAL_D, ROYAL_C, STRAIGHT_S, STRAIGHT_H, STRAIGHT_D, STRAIGHT_C, WHEEL_H,
    FOUR, HOUSE, FLUSH, DEAD, STRAIGHT,
]  # fmt: skip
ALL_CARDS = [str(card) for card in DECK]
micros = st.one_of(st.integers(0, 400_000_000_000), st.integers(0, 60_000).map(Money.dollars).map(lambda m: m.micros))


@st.composite
def poker_rounds(draw: st.DrawFn) -> dict[int, list[str]]:
    """Rounds in which the rare hands are common; no card twice."""
    hands: dict[int, list[str]] = {}
    left = set(ALL_CARDS)
    for box in draw(st.permutations(range(1, 8)))[: draw(st.integers(0, 7))]:
        special = draw(st.sampled_from(SPECIAL))
        five = special if left >= set(special) else draw(st.permutations(sorted(left)))[:5]
        left -= set(five)
        hands[box] = list(five)
    return hands


boxes = st.lists(st.integers(1, 8), unique=True, max_size=8)


def cents(evaluation: Evaluation) -> list[oracle.Line]:
    def whole(amount: Money) -> int:
        return amount.micros // MICROS_PER_CENT

    return [(p.box, p.kind.value, whole(p.amount), whole(p.from_pool), whole(p.from_house)) for p in evaluation.payouts]


def check_conserved(before: Money, evaluation: Evaluation) -> None:
    taken = Money.total(p.from_pool for p in evaluation.payouts)
    assert evaluation.pool_after == before - taken
    assert evaluation.pool_after >= ZERO
    for p in evaluation.payouts:
        assert p.amount == p.from_pool + p.from_house
        assert p.amount.whole_cents
        assert p.from_pool.whole_cents
    order = ["fixed", "bonus", "straight", "royal", "major"]
    keys = [(order.index(p.kind.value), -p.box) for p in evaluation.payouts]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)


@pytest.mark.clause("nsw-csp:12.1.1", "nsw-csp:12.1.2", "nsw-csp:12.3.1", "nsw-csp:12.3.2", "nsw-csp:12.4")
@settings(max_examples=300, deadline=None)
@given(hands=poker_rounds(), wagers=boxes, pool=micros, bonus=st.sampled_from([0, 100_00, 250_00]), folded=boxes)
def test_caribbean_stud_equals_the_oracle(
    hands: dict[int, list[str]], wagers: list[int], pool: int, bonus: int, folded: list[int]
) -> None:
    meter = Money(pool)
    round_ = evaluate(
        CARIBBEAN_STUD, meter=meter, wagers=wagers, hands=dealt(hands), bonus=Money.cents(bonus), folded=folded
    )
    expected, left = oracle.caribbean_stud(pool // MICROS_PER_CENT, wagers, hands, bonus, folded)
    assert cents(round_) == expected
    assert round_.pool_after.micros // MICROS_PER_CENT == left
    check_conserved(meter, round_)


@pytest.mark.clause("act-cp:11.1-royal", "act-cp:11.1-straight", "act-cp:11.2", "act-cp:10.4")
@settings(max_examples=300, deadline=None)
@given(hands=poker_rounds(), wagers=boxes, pool=micros, shown=st.none() | st.integers(0, 10_000_000), folded=boxes)
def test_boomerang_equals_the_oracle(
    hands: dict[int, list[str]], wagers: list[int], pool: int, shown: int | None, folded: list[int]
) -> None:
    meter, at_start = Money(pool), None if shown is None else Money.cents(shown)
    round_ = evaluate(BOOMERANG, meter=meter, displayed=at_start, wagers=wagers, hands=dealt(hands), folded=folded)
    pool_cents = pool // MICROS_PER_CENT
    expected, left = oracle.boomerang(pool_cents, pool_cents if shown is None else shown, wagers, hands, folded)
    assert cents(round_) == expected
    assert round_.pool_after.micros // MICROS_PER_CENT == left
    check_conserved(meter, round_)
    majors = Money.total(p.amount for p in round_.payouts if p.level)
    assert majors <= (meter if at_start is None else at_start)


@pytest.mark.clause("act-pg:13.2-major", "act-pg:13.2-fixed", "act-pg:13.3")
@settings(max_examples=200, deadline=None)
@given(
    hands=st.dictionaries(
        st.integers(1, 8),
        st.sampled_from([GEE_JUN_TEEN, ["teen", "mooy", "ping", "foo"], ["chong", "look", "bon", "chop-chit"]])
        | st.permutations(tiles.SET).map(lambda all_: list(all_[:4])),
    ),
    wagers=boxes,
    pool=micros,
)
def test_gee_jun_equals_the_oracle(hands: dict[int, list[str]], wagers: list[int], pool: int) -> None:
    round_ = evaluate(GEE_JUN, meter=Money(pool), wagers=wagers, hands=laid(hands), sets=8)
    expected, left = oracle.gee_jun(pool // MICROS_PER_CENT, wagers, hands)
    assert cents(round_) == expected
    assert round_.pool_after.micros // MICROS_PER_CENT == left
    check_conserved(Money(pool), round_)


def test_the_catalogue_names_each_once() -> None:
    assert list(RULE_SETS) == ["caribbean-stud", "boomerang", "gee-jun", "must-hit-by", "minor-major"]
