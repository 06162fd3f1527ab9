"""The statistical tests: that fair draws pass, that each rigged generator fails, and that each definition is exact."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations, islice, permutations
from typing import Any

import pytest

from chance import evidence
from chance.drbg import HmacDrbg
from chance.gamma import chi_square_quantile, chi_square_tail
from chance.select import Source, picks
from chance.worn_balls import suspects, weigh_balls

DRAWS = 1500


@cache
def fair(count: int = DRAWS) -> list[list[int]]:
    """Games as they are really drawn: each from its own seed. The seeds are fixed so that the test is."""
    return [
        [pick.number for pick in islice(picks(source(f"evidence {game}".encode()), 80), 20)]
        for game in range(1, count + 1)
    ]


def source(tag: bytes) -> Source:
    return Source(HmacDrbg(entropy=sha256(tag).digest(), nonce=bytes(16)))


@cache
def caught(generator: Callable[[], list[list[int]]]) -> set[str]:
    """The tests that this generator's draws fail."""
    return {finding.name for finding in evidence.all_tests(generator()) if not finding.passed}


def test_fair_draws_pass_every_test() -> None:
    findings = evidence.all_tests(fair())
    assert [finding.name for finding in findings] == [
        "frequencies",
        "pairs",
        "gaps",
        "runs",
        "serial correlation",
        "repeats",
    ]
    assert [finding.freedom for finding in findings] == [79, 3080, 12, None, 8, None]
    assert caught(fair) == set()
    assert all(0.01 <= finding.p_value <= 1 for finding in findings)


# --- rigged generators -----------------------------------------------------------------------------------------------
def biased_ball() -> list[list[int]]:
    """Ball 7 is heavy: in one draw of ten where it is missing, it takes the last place."""
    chance = source(b"biased")
    return [draw if 7 in draw or chance.below(10)[0] else [*draw[:-1], 7] for draw in fair()]


def modulo_bias() -> list[list[int]]:
    """A byte modulo 80: numbers 1 to 16 come up four times in 256, the others three times."""
    chance, draws = source(b"modulo"), []
    for _ in range(DRAWS):
        draw: list[int] = []
        while len(draw) < 20:
            number = chance.take(1)[0] % 80 + 1
            if number not in draw:
                draw.append(number)
        draws.append(draw)
    return draws


def same_seed_each_night() -> list[list[int]]:
    return (fair()[:300] * 5)[:DRAWS]


def sticky() -> list[list[int]]:
    """Every draw keeps one number of the one before."""
    draws = [fair()[0]]
    for draw in fair()[1:]:
        kept = draws[-1][0]
        draws.append(draw if kept in draw else [*draw[:-1], kept])
    return draws


def married_balls() -> list[list[int]]:
    """Ball 2 comes exactly when ball 1 does; alone, each is as frequent as it should be."""
    chance, draws = source(b"married"), []
    for draw in fair():
        if 1 in draw and 2 not in draw:
            leaves, comes = next(number for number in draw if number != 1), 2
        elif 2 in draw and 1 not in draw:
            outside = [number for number in range(3, 81) if number not in draw]
            leaves, comes = 2, outside[chance.below(len(outside))[0]]
        else:
            leaves = comes = draw[0]
        draws.append([comes if number == leaves else number for number in draw])
    return draws


def sorted_draws() -> list[list[int]]:
    return [sorted(draw) for draw in fair()]


def due_numbers() -> list[list[int]]:
    """The gambler's fallacy built in: a number that has waited ten draws is put in."""
    waiting, draws = dict.fromkeys(range(1, 81), 0), []
    for fresh in fair():
        draw = list(fresh)
        for number in sorted(waiting, key=lambda n: -waiting[n])[:2]:
            if waiting[number] >= 10 and number not in draw:
                draw[-1 - (draw[-1] == number)] = number
        draws.append(draw)
        waiting = {number: 0 if number in draw else age + 1 for number, age in waiting.items()}
    return draws


@pytest.mark.parametrize(
    ("rigged", "caught_by"),
    [
        (biased_ball, {"frequencies"}),
        (modulo_bias, {"frequencies"}),
        (same_seed_each_night, {"frequencies", "pairs", "repeats"}),
        (sticky, {"gaps", "serial correlation"}),
        (married_balls, {"pairs"}),
        (sorted_draws, {"runs"}),
        (due_numbers, {"gaps"}),
    ],
)
def test_a_rigged_generator_is_caught(rigged: Callable[[], list[list[int]]], caught_by: set[str]) -> None:
    assert caught_by <= caught(rigged)


def test_a_pair_is_caught_by_the_pairs_alone() -> None:
    assert caught(married_balls) == {"pairs"}


def test_every_test_catches_something() -> None:
    rigged = (same_seed_each_night, sticky, sorted_draws)
    assert set().union(*map(caught, rigged)) == {finding.name for finding in evidence.all_tests(fair(50))}


# --- exact definitions -----------------------------------------------------------------------------------------------
def test_the_frequency_statistic_is_chi_square_times_79_over_60() -> None:
    counts = [sum(number in draw for draw in fair(200)) for number in range(1, 81)]
    plain = sum(Fraction((count - 50) ** 2, 50) for count in counts)
    finding = evidence.frequencies(fair(200))
    assert finding.statistic == pytest.approx(float(plain * Fraction(79, 60)))
    assert finding == evidence.frequencies_of_counts(counts, 200)


def every_draw(pool: int, count: int) -> list[tuple[int, ...]]:
    return list(permutations(range(1, pool + 1), count))


@pytest.mark.parametrize(("pool", "count"), [(6, 3), (7, 2)])
def test_over_all_possible_draws_each_statistic_has_its_freedom_as_mean(pool: int, count: int) -> None:
    """The lack of replacement is accounted for exactly: the mean over every possible draw is no approximation."""
    possible = every_draw(pool, count)

    def mean(test: Callable[..., Any]) -> float:
        return math.fsum(test([draw], pool=pool, picks=count).statistic for draw in possible) / len(possible)

    assert mean(evidence.frequencies) == pytest.approx(pool - 1)
    assert mean(evidence.pairs) == pytest.approx(pool * (pool - 3) / 2)


def test_over_all_pairs_of_draws_overlap_and_frequencies_are_exact() -> None:
    possible = list(combinations(range(1, 7), 3))
    two = [(a, b) for a in possible for b in possible]
    tests: list[tuple[Callable[[Any], Any], int]] = [
        (lambda draws: evidence.serial_correlation(draws, pool=6, picks=3, lags=1), 1),
        (lambda draws: evidence.frequencies(draws, pool=6, picks=3), 5),
        (lambda draws: evidence.pairs(draws, pool=6, picks=3), 9),
        (lambda draws: evidence.gaps(draws, pool=6, picks=3, longest=1), 1),
    ]
    for test, freedom in tests:
        assert math.fsum(test(draws).statistic for draws in two) / len(two) == pytest.approx(freedom)


def test_runs_have_the_mean_and_variance_stated() -> None:
    """Over every order of every draw of four from six, the standardised runs have mean square one."""
    by_high: dict[int, list[float]] = {}
    for draw in every_draw(6, 4):
        high = sum(number > 3 for number in draw)
        by_high.setdefault(high, []).append(evidence.runs([draw], pool=6, picks=4).statistic ** 2)
    for squares in by_high.values():
        assert math.fsum(squares) / len(squares) == pytest.approx(1)


def test_gaps_are_the_same_by_a_second_way_of_counting() -> None:
    """With one age boundary the quadratic form is a plain square: surplus of the recent, over its variance."""
    draws = fair(100)
    surplus, variance = Fraction(0), Fraction(0)
    for before, now in zip([set(), *map(set, draws)], draws, strict=False):
        recent = len(before)
        surplus += len(before & set(now)) - Fraction(recent, 4)
        variance += Fraction(20 * 60 * recent * (80 - recent), 80 * 80 * 79)
    finding = evidence.gaps(draws, longest=1)
    assert finding.freedom == 1
    assert finding.statistic == pytest.approx(float(surplus**2 / variance))


# Critical values as printed in the tables of any textbook.
@pytest.mark.parametrize(
    ("freedom", "critical"),
    [(1, 6.635), (2, 9.210), (8, 20.090), (12, 26.217), (30, 50.892), (79, 111.144), (100, 135.807)],
)
def test_critical_values(freedom: int, critical: float) -> None:
    assert evidence.chi_square_critical(freedom) == pytest.approx(critical, abs=5e-4)


@pytest.mark.parametrize("x", [0.01, 0.5, 2.0, 5.0, 20.0, 60.0])
def test_the_tail_has_its_closed_forms(x: float) -> None:
    assert chi_square_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)
    assert chi_square_tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-10)
    even = math.exp(-x / 2) * sum((x / 2) ** k / math.factorial(k) for k in range(40))
    assert chi_square_tail(x, 80) == pytest.approx(even, rel=1e-10)


def test_quantile_and_tail_undo_each_other() -> None:
    for freedom in (1, 8, 79, 3080):
        for confidence in (0.05, 0.5, 0.99, 0.999):
            assert 1 - chi_square_tail(chi_square_quantile(confidence, freedom), freedom) == pytest.approx(confidence)
    assert chi_square_tail(0, 5) == 1
    with pytest.raises(ValueError, match="between 0 and 1"):
        chi_square_quantile(1, 5)
    with pytest.raises(ValueError, match="at least one degree"):
        chi_square_tail(1, 0)


def test_what_cannot_be_tested_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="no draws"):
        evidence.frequencies([])
    with pytest.raises(ValueError, match="20 different numbers from 1 to 80"):
        evidence.pairs([[1] * 20])
    with pytest.raises(ValueError, match="more than 8 draws"):
        evidence.serial_correlation(fair(8))
    with pytest.raises(ValueError, match="some repeat by chance"):
        evidence.repeats([[1, 2], [3, 4], [1, 2]], pool=4, picks=2)
    with pytest.raises(ValueError, match="cannot add up"):
        evidence.frequencies_of_counts([1] * 80, 1)
    with pytest.raises(ValueError, match="nothing can be said about runs"):
        evidence.runs([[1, 2]], pool=4, picks=2)


# --- worn balls ------------------------------------------------------------------------------------------------------
def counts_of(draws: list[list[int]]) -> list[int]:
    return [sum(number in draw for draw in draws) for number in range(1, 81)]


def worn_set(count: int, ball: int, one_in: int) -> list[list[int]]:
    """A ball that, missing from a draw, is in it after all once in ``one_in`` times."""
    chance, draws = source(b"worn"), []
    for _ in range(count):
        draw = [pick.number for pick in islice(picks(chance, 80), 20)]
        draws.append(draw if ball in draw or chance.below(one_in)[0] else [*draw[:-1], ball])
    return draws


def test_fair_balls_raise_no_alarm_however_often_one_looks() -> None:
    counts = [0] * 80
    for played, draw in enumerate(fair(), start=1):
        for number in draw:
            counts[number - 1] += 1
        if played % 10 == 0:
            assert suspects(counts, played) == []


def test_a_worn_ball_is_named() -> None:
    draws = worn_set(3000, ball=33, one_in=12)
    assert [ball.number for ball in suspects(counts_of(draws), 3000)] == [33]
    first = weigh_balls(counts_of(draws), 3000)[0]
    assert (first.number, first.expected) == (33, 750)
    assert first.seen > 840


def test_a_ball_that_hides_is_named_too() -> None:
    draws = [[81 - number for number in draw] for draw in fair()]
    hidden = [[next(n for n in range(1, 81) if n not in draw) if n == 40 else n for n in draw] for draw in draws]
    assert 40 in {ball.number for ball in suspects(counts_of(hidden), DRAWS)}


def test_the_weight_is_a_fair_bet() -> None:
    """The mean of the likelihood ratio over all records of a fair ball is one: what Ville's inequality needs."""
    draws = 6
    mean = 0.0
    for seen in range(draws + 1):
        rest = draws * 20 - seen
        others = [rest // 79 + (i < rest % 79) for i in range(79)]
        weight = next(ball for ball in weigh_balls([seen, *others], draws) if ball.number == 1).evidence
        mean += math.comb(draws, seen) * 0.25**seen * 0.75 ** (draws - seen) * math.exp(weight)
    assert mean == pytest.approx(1)
    assert weigh_balls([0] * 80, 0)[0].threshold == pytest.approx(math.log(8000))


def test_counts_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot have counts that add up to 80"):
        weigh_balls([1] * 80, 5)
    with pytest.raises(ValueError, match="false alarm"):
        weigh_balls([0] * 80, 0, false_alarm=0)
