"""What a link is worth: the published figures, and every formula against the long way round."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.rules.catalogue import BOOMERANG, CARIBBEAN_STUD, GEE_JUN, MINOR_MAJOR, MUST_HIT_BY
from jackpot.rules.mathematics import Mathematics, check, mathematics, shown
from jackpot.rules.pool import Level, Parameters
from kernel.money import MICROS_PER_DOLLAR, ZERO, Money
from kernel.refusal import Refusal

HANDS = 2_598_960


def d(dollars: int) -> Money:
    return Money.dollars(dollars)


def return_at(figures: Mathematics, meter: Money) -> Fraction:
    """The part of the wager that comes back with this amount on the meter, guarantees included."""
    shown = Fraction(meter.micros, MICROS_PER_DOLLAR)
    worth = sum((each.frequency * each.value(shown) for each in figures.prizes), Fraction(0))
    return worth * MICROS_PER_DOLLAR / figures.wager.micros


def pay_table(four: int, house: int, flush: int) -> dict[str, Money]:
    return {"four-of-a-kind": d(four), "full-house": d(house), "flush": d(flush)}


@pytest.mark.parametrize(
    ("table", "published"), [(pay_table(100, 75, 50), 263_205), (pay_table(150, 100, 50), 246_784)]
)
def test_the_published_break_even(table: dict[str, Money], published: int) -> None:
    figures = mathematics(CARIBBEAN_STUD.repriced(table), wager=d(1))
    break_even = figures.levels[0].break_even
    assert break_even is not None
    assert int(break_even) == published
    assert return_at(figures, d(published)) < 1 < return_at(figures, d(published + 1))


@pytest.mark.clause("nsw-csp:11.7", "nsw-csp:12.1.3-5")
def test_caribbean_stud_as_gazetted() -> None:
    figures = mathematics(CARIBBEAN_STUD, wager=Money.parse("2.50"))
    assert {each.prize.hand: (each.ways, each.outcomes) for each in figures.prizes} == {
        "four-of-a-kind": (624, HANDS),
        "full-house": (3_744, HANDS),
        "flush": (5_108, HANDS),
        "straight-flush": (36, HANDS),
        "royal-flush": (4, HANDS),
    }
    fixed = Fraction(624 * 500 + 3_744 * 150 + 5_108 * 100, HANDS)
    assert figures.fixed_return == fixed / Fraction(5, 2)
    assert figures.hit_rate == Fraction(624 + 3_744 + 5_108 + 36 + 4, HANDS)
    level = figures.levels[0]
    assert level.return_per_thousand == 1000 * (4 + Fraction(36, 10)) / HANDS / Fraction(5, 2)
    assert level.break_even == (Fraction(5, 2) - fixed) * HANDS / (4 + Fraction(36, 10))
    assert level.wagers_to_win == 649_740
    assert level.mean_when_won is None
    assert return_at(figures, ZERO) == (fixed + Fraction(4 * 50_000 + 36 * 5_000, HANDS)) / Fraction(5, 2)


def test_break_even_below_the_guarantee_is_where_the_guarantees_alone_carry_it() -> None:
    assert mathematics(CARIBBEAN_STUD, wager=Money.parse("0.50")).levels[0].break_even == 0


def test_break_even_between_two_guarantees() -> None:
    """The straight flush already follows the meter (from $10,000), the royal still pays its $50,000."""
    prizes = tuple(replace(p, at_least=d(1_000)) if p.hand == "straight-flush" else p for p in CARIBBEAN_STUD.prizes)
    figures = mathematics(replace(CARIBBEAN_STUD, prizes=prizes), wager=Money.parse("0.65"))
    without_straight = 624 * 500 + 3_744 * 150 + 5_108 * 100 + 4 * 50_000
    expected = (Fraction(65, 100) * HANDS - without_straight) / Fraction(36, 10)
    assert 10_000 < expected < 50_000
    assert figures.levels[0].break_even == expected


@pytest.mark.clause("act-pg:13.2-major", "act-pg:13.2-fixed")
def test_gee_jun() -> None:
    figures = mathematics(GEE_JUN, wager=d(1), levels=[Level(increment_rate=6000, seed=d(10_000))])
    assert figures.fixed_return == Fraction(48 * 100, 35_960)
    level = figures.levels[0]
    assert level.break_even == 35_960 - 4_800
    # Only the 35,911 hands that win nothing contribute.
    assert level.mean_when_won == 10_000 + Fraction(6, 10) * 35_911


@pytest.mark.clause("act-cp:11.1-fixed")
def test_boomerang_counts_the_dead_mans_hand() -> None:
    figures = mathematics(BOOMERANG, wager=d(1))
    fixed = 624 * 500 + 3_744 * 150 + 5_108 * 100 + 1_584 * 50
    assert figures.fixed_return == Fraction(fixed, HANDS)
    assert figures.levels[0].break_even == (HANDS - fixed) / Fraction(76, 10)


def test_mean_when_won_by_the_long_way_round() -> None:
    """The meter's mean wager by wager, weighed with the chance that it falls just then, until nothing is left."""
    royal, straight, step = Fraction(4, HANDS), Fraction(36, HANDS), Fraction(175, 100)
    level = mathematics(
        CARIBBEAN_STUD, wager=Money.parse("2.50"), levels=[Level(increment_rate=7000, seed=d(50_000))]
    ).levels[0]
    assert level.mean_when_won == (royal * 50_000 + step) / (royal + straight / 10)
    # Floats are enough to see that the closed form is the sum it stands for.
    meter, alive, mean = 50_000.0, 1.0, 0.0
    p, tenth, adds = float(royal), float(straight / (1 - royal) / 10), float(step)
    for _ in range(9_000_000 // 50):
        for _ in range(50):
            meter += adds
            mean += alive * p * meter
            alive *= 1 - p
            meter -= tenth * meter
    assert mean + alive * float(level.mean_when_won) == pytest.approx(float(level.mean_when_won), rel=1e-5)


def test_minor_and_major_have_their_own_figures() -> None:
    levels = [
        Level(increment_rate=2000, seed=d(500), name="minor"),
        Level(increment_rate=3000, seed=d(20_000), name="major"),
    ]
    figures = mathematics(MINOR_MAJOR, wager=d(1), levels=levels)
    minor, major = figures.levels
    assert (minor.level, minor.wagers_to_win) == ("minor", Fraction(HANDS, 36))
    assert minor.mean_when_won == 500 + Fraction(2, 10) * Fraction(HANDS, 36)
    assert major.mean_when_won == 20_000 + Fraction(3, 10) * 649_740
    fixed = 624 * 500 + 3_744 * 150 + 5_108 * 100
    assert major.break_even == Fraction(HANDS - fixed - 36 * 500, 4)  # with the minor at its seed
    with pytest.raises(Refusal, match="minor, major"):
        mathematics(MINOR_MAJOR, wager=d(1), levels=levels[:1])


def test_days_to_a_win() -> None:
    level = mathematics(CARIBBEAN_STUD, wager=Money.parse("2.50")).levels[0]
    # 4 tables, 1,000 wagers each a day.
    assert level.days_to_win(turnover=d(10_000), wager=Money.parse("2.50")) == Fraction(649_740, 4_000)
    with pytest.raises(Refusal, match="turnover above zero"):
        level.days_to_win(turnover=ZERO, wager=d(1))


@given(seed=st.integers(0, 200), range_=st.integers(1, 12), wager=st.integers(1, 300), rate=st.integers(1, 10_000))
def test_a_must_hit_by_link_against_counting_every_point(seed: int, range_: int, wager: int, rate: int) -> None:
    level = Level(increment_rate=rate, seed=Money.cents(seed), ceiling=Money.cents(seed + range_))
    found = mathematics(MUST_HIT_BY, wager=Money.cents(wager), levels=[level]).levels[0]
    increment, cent = Fraction(wager * rate, 10_000), 10_000
    points = range(1, range_ * cent + 1)
    step = wager * rate
    assert found.wagers_to_win == Fraction(sum(-(-point // step) for point in points), len(points))
    paid = sum(seed + point // cent for point in points)
    assert found.mean_when_won == Fraction(paid, 100 * len(points))
    assert found.break_even == Fraction(seed + range_, 100) * wager / (wager + increment)


def parameters(wager: Money, level: Level, reserve: int = 0) -> Parameters:
    return Parameters(
        wager=wager,
        levels=(level,),
        reserve_rate=reserve,
        retained_rate=10_000 - level.increment_rate - reserve,
    )


def test_a_link_that_would_be_won_above_its_ceiling_is_refused() -> None:
    def link(ceiling: int) -> Parameters:
        return parameters(Money.parse("2.50"), Level(increment_rate=7000, seed=d(50_000), ceiling=d(ceiling)))

    # (4 × 50,000 + 1.75 × 2,598,960) / 7.6 = 624,760.53
    assert (
        shown(check(CARIBBEAN_STUD, link(624_761)).levels[0].mean_when_won or Fraction(0), 2)["decimal"] == "624760.53"
    )
    with pytest.raises(Refusal) as refused:
        check(CARIBBEAN_STUD, link(624_760))
    assert refused.value.code == "expected-win-above-ceiling"
    assert "624760.53" in refused.value.detail


def test_a_level_worse_than_a_hundred_million_to_one_is_refused() -> None:
    def link(cents: int) -> Parameters:
        """A micro-dollar a wager: (n + 1) / 2 of them on average, for n micro-dollars."""
        return parameters(Money.cents(1), Level(increment_rate=1, seed=ZERO, ceiling=Money.cents(cents)))

    assert check(MUST_HIT_BY, link(19_999)).levels[0].wagers_to_win == Fraction(199_990_001, 2)
    with pytest.raises(Refusal) as refused:
        check(MUST_HIT_BY, link(20_001))
    assert refused.value.code == "odds-too-long"


@pytest.mark.clause("act-cp:11.1-royal")
def test_a_seed_below_what_is_guaranteed_is_refused_where_the_display_may_not_fall() -> None:
    check(BOOMERANG, parameters(d(1), Level(increment_rate=6000, seed=d(10_000)), 2500))
    with pytest.raises(Refusal) as refused:
        check(BOOMERANG, parameters(d(1), Level(increment_rate=6000, seed=Money.parse("9999.99")), 2500))
    assert refused.value.code == "seed-below-guarantee"
    # Caribbean Stud's meter may fall below: the house makes the win up.
    check(CARIBBEAN_STUD, parameters(d(1), Level(increment_rate=7000, seed=d(1_000))))


def test_what_has_no_figures_is_refused() -> None:
    with pytest.raises(Refusal, match="seed, increment rate and ceiling"):
        mathematics(MUST_HIT_BY, wager=d(1))
    with pytest.raises(Refusal, match="whole cents"):
        mathematics(GEE_JUN, wager=ZERO)


def test_figures_as_data() -> None:
    data = mathematics(
        CARIBBEAN_STUD.repriced(pay_table(100, 75, 50)),
        wager=d(1),
        levels=[Level(increment_rate=7000, seed=d(50_000))],
    ).as_data()
    assert data["break_even"] == {"fraction": "5000900/19", "decimal": "263205.26"}
    assert data["return_per_1000"] == {"fraction": "95/32487", "decimal": "0.002924246622"}
    assert data["hands"][4]["frequency"] == {"fraction": "1/649740", "decimal": "0.000001539077"}
    assert data["levels"][0]["level"] == "prize"
    assert "break_even" not in mathematics(MINOR_MAJOR, wager=d(1)).as_data()


@pytest.mark.parametrize(
    ("figure", "places", "text"),
    [
        (Fraction(2, 3), 4, "0.6667"),
        (Fraction(-1, 3), 2, "-0.33"),
        (Fraction(10**30), 2, "1000000000000000000000000000000.00"),
        (Fraction(5, 2), 0, "2"),
        (Fraction(0), 3, "0.000"),
    ],
)
def test_decimals_for_people(figure: Fraction, places: int, text: str) -> None:
    assert shown(figure, places)["decimal"] == text
