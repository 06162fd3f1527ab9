"""Random rounds, rare hands made common, against the oracle written from the texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance import tiles
from chance.cards import DECK
from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN
from jackpot.rules.payouts import Evaluation, evaluate
from kernel.money import MICROS_PER_CENT, ZERO, Money
from tests.jackpot.rounds import GEE_JUN_TEEN, SPECIAL, dealt, laid
from tests.world import hand_oracle as oracle

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
