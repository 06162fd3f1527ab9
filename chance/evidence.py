"""Statistical evidence that draws are fair: pure functions, each with its exact definition, no tables, no libraries.

A draw is ``picks`` different numbers of ``pool`` in the order drawn (Keno: 20 of 80). Every statistic takes the lack of
replacement into account exactly: its null distribution has the stated mean and variance for fair draws, and is
chi-square or normal in the limit of many draws. Confidence is 99%: a fair generator fails a test once in a hundred.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise
from statistics import NormalDist
from typing import Final, TypeAlias

from chance.gamma import chi_square_quantile, chi_square_tail

CONFIDENCE: Final = 0.99
POOL: Final = 80
PICKS: Final = 20

Draws: TypeAlias = Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Finding:
    """What one test found. ``p_value`` is the chance that a fair generator looks at least this odd."""

    name: str
    statistic: float
    critical: float
    freedom: int | None
    p_value: float

    @property
    def passed(self) -> bool:
        return self.statistic <= self.critical


def all_tests(draws: Draws, *, pool: int = POOL, picks: int = PICKS) -> list[Finding]:
    return [
        frequencies(draws, pool=pool, picks=picks),
        pairs(draws, pool=pool, picks=picks),
        gaps(draws, pool=pool, picks=picks),
        runs(draws, pool=pool, picks=picks),
        serial_correlation(draws, pool=pool, picks=picks),
        repeats(draws, pool=pool, picks=picks),
    ]


def frequencies(draws: Draws, *, pool: int = POOL, picks: int = PICKS) -> Finding:
    """How often each number came up.

    The sum of (seen - expected)² / expected, times (pool - 1) / (pool - picks): 79/60 for Keno, because within a draw
    the numbers exclude each other. Chi-square with pool - 1 degrees of freedom.
    """
    _checked(draws, pool, picks)
    return frequencies_of_counts(_counts(draws, pool), len(draws), picks=picks)


def frequencies_of_counts(counts: Sequence[int], draws: int, *, picks: int = PICKS) -> Finding:
    """The same from the counts of numbers 1, 2, 3 …, as a database adds them up."""
    pool = len(counts)
    if draws < 1 or sum(counts) != draws * picks:
        raise ValueError(f"{draws} draws of {picks} numbers cannot add up to {sum(counts)}.")
    expected = draws * picks / pool
    plain = sum((seen - expected) ** 2 for seen in counts) / expected
    return _chi_square("frequencies", plain * (pool - 1) / (pool - picks), pool - 1)


def pairs(draws: Draws, *, pool: int = POOL, picks: int = PICKS) -> Finding:
    """How often two numbers came up together, beyond what their own frequencies already say.

    Of each pair's count, the expectation and (picks-1)/(pool-2) times the surplus of its two numbers are taken away
    (that is the projection onto the single numbers); what is left has, for each draw, squared length
    `_pair_length`, spread evenly over the remaining pool(pool-3)/2 dimensions (3,080 for Keno).
    """
    _checked(draws, pool, picks)
    if not 2 <= picks <= pool - 2:
        raise ValueError("Pairs are tested where at least two numbers are drawn and at least two are left.")
    seen = Counter(pair for draw in draws for pair in combinations(sorted(draw), 2))
    expected = len(draws) * picks * (picks - 1) / (pool * (pool - 1))
    mean = len(draws) * picks / pool
    share = (picks - 1) / (pool - 2)
    surplus = [share * (count - mean) for count in _counts(draws, pool)]
    left = sum(
        (seen[a, b] - expected - surplus[a - 1] - surplus[b - 1]) ** 2 for a, b in combinations(range(1, pool + 1), 2)
    )
    freedom = pool * (pool - 3) // 2
    return _chi_square("pairs", left / len(draws) * freedom / float(_pair_length(pool, picks)), freedom)


def _pair_length(pool: int, picks: int) -> Fraction:
    """All C(picks, 2) pairs of a draw, less the parts along the mean and along the single numbers."""
    together = Fraction(picks * (picks - 1), 2)
    mean = together * together / (pool * (pool - 1) // 2)
    singles = Fraction((picks - 1) ** 2 * picks * (pool - picks), pool * (pool - 2))
    return together - mean - singles


def gaps(draws: Draws, *, pool: int = POOL, picks: int = PICKS, longest: int = 12) -> Finding:
    """Whether a number is likelier soon, or long, after it last came up.

    Before each draw every number has an age: the draws since it last came up (0 to ``longest``; older and never seen
    count as ``longest``). Given the ages, how many of each age are drawn is multivariate hypergeometric. Surpluses and
    covariances are added up over the draws (a martingale), and the surplus vector is measured against its covariance:
    chi-square with one degree of freedom less than there are ages.
    """
    _checked(draws, pool, picks)
    ages = longest + 1
    surplus = [0] * ages  # in units of 1/pool, so that whole numbers will do
    covariance = [[0] * ages for _ in range(ages)]
    last_seen: dict[int, int] = {}
    for now, draw in enumerate(draws):
        age = {number: min(now - then - 1, longest) for number, then in last_seen.items()}
        waiting = [0] * ages
        waiting[longest] = pool - len(age)
        for value in age.values():
            waiting[value] += 1
        for number in draw:
            surplus[age.get(number, longest)] += pool
            last_seen[number] = now
        for a, of_a in enumerate(waiting):
            if of_a:
                surplus[a] -= of_a * picks
                row = covariance[a]
                for b, of_b in enumerate(waiting):
                    row[b] -= of_a * of_b
                row[a] += pool * of_a
    scale = Fraction(picks * (pool - picks), pool - 1)  # the hypergeometric factor, in the same units squared
    statistic, rank = _squared_length(
        [Fraction(value) for value in surplus], [[scale * cell for cell in row] for row in covariance]
    )
    return _chi_square("gaps", statistic, rank)


def runs(draws: Draws, *, pool: int = POOL, picks: int = PICKS) -> Finding:
    """Whether low and high numbers alternate, in the order drawn, as they should.

    A run is an unbroken stretch of numbers all from the lower or all from the upper half. With l low and h high in a
    draw of n, runs have mean 1 + 2lh/n and variance 2lh(2lh - n) / (n²(n - 1)) (Wald and Wolfowitz). The sum over the
    draws, standardised; two-sided.
    """
    _checked(draws, pool, picks)
    surplus, variance = Fraction(0), Fraction(0)
    for draw in draws:
        high = [number > pool // 2 for number in draw]
        product = 2 * sum(high) * (picks - sum(high))
        changes = sum(a != b for a, b in pairwise(high))  # one less than the runs
        surplus += changes - Fraction(product, picks)
        variance += Fraction(product * (product - picks), picks * picks * (picks - 1))
    if not variance:
        raise ValueError("No draw has both low and high numbers: nothing can be said about runs.")
    return _normal("runs", float(surplus) / math.sqrt(variance))


def serial_correlation(draws: Draws, *, pool: int = POOL, picks: int = PICKS, lags: int = 8) -> Finding:
    """Whether a draw takes over more, or fewer, numbers from the draws before it than chance does.

    The overlap of two draws is hypergeometric: mean picks²/pool, variance picks²(pool-picks)²/(pool²(pool-1)); overlaps
    of different pairs of draws are uncorrelated. For each lag from 1 to ``lags`` the summed overlap is standardised;
    the sum of their squares is chi-square with that many degrees of freedom.
    """
    _checked(draws, pool, picks)
    if len(draws) <= lags:
        raise ValueError(f"Serial correlation up to lag {lags} needs more than {lags} draws.")
    sets = [frozenset(draw) for draw in draws]
    mean = Fraction(picks * picks, pool)
    variance = Fraction(picks * picks * (pool - picks) ** 2, pool * pool * (pool - 1))
    statistic = Fraction(0)
    for lag in range(1, lags + 1):
        couples = len(sets) - lag
        overlap = sum(len(now & before) for before, now in zip(sets, sets[lag:], strict=False))
        statistic += (overlap - couples * mean) ** 2 / (couples * variance)
    return _chi_square("serial correlation", float(statistic), lags)


def repeats(draws: Draws, *, pool: int = POOL, picks: int = PICKS) -> Finding:
    """Whether a whole draw came again: the casino that restarted its Keno with the same seed each night.

    The number of draws whose set was drawn before. Its mean is at most C(n, 2) / C(pool, picks), which for Keno stays
    under 1% for 265 million draws, so one repeat is one too many.
    """
    _checked(draws, pool, picks)
    again = len(draws) - len({frozenset(draw) for draw in draws})
    expected = math.comb(len(draws), 2) / math.comb(pool, picks)
    if expected > 1 - CONFIDENCE:
        raise ValueError("With so many draws of so few numbers some repeat by chance: this test says nothing here.")
    return Finding("repeats", again, 0, None, min(1.0, expected) if again else 1.0)


@cache
def chi_square_critical(freedom: int) -> float:
    return chi_square_quantile(CONFIDENCE, freedom)


def _chi_square(name: str, statistic: float, freedom: int) -> Finding:
    return Finding(name, statistic, chi_square_critical(freedom), freedom, chi_square_tail(statistic, freedom))


def _normal(name: str, z: float) -> Finding:
    tail = 2 * (1 - NormalDist().cdf(abs(z)))
    return Finding(name, abs(z), NormalDist().inv_cdf(1 - (1 - CONFIDENCE) / 2), None, tail)


def _checked(draws: Draws, pool: int, picks: int) -> None:
    if not draws:
        raise ValueError("There are no draws to test.")
    for draw in draws:
        if len(draw) != picks or len(set(draw)) != picks or not all(1 <= number <= pool for number in draw):
            raise ValueError(f"Every draw has {picks} different numbers from 1 to {pool}: not {list(draw)}.")


def _counts(draws: Draws, pool: int) -> list[int]:
    seen = Counter(number for draw in draws for number in draw)
    return [seen[number] for number in range(1, pool + 1)]


def _squared_length(vector: list[Fraction], covariance: list[list[Fraction]]) -> tuple[float, int]:
    """v'C⁻v and the rank of C, exactly, by elimination. C may be singular (the surpluses add up to nothing)."""
    rows = [[*row, value] for row, value in zip(covariance, vector, strict=True)]
    length, rank = Fraction(0), 0
    for pivot in range(len(rows)):
        here = rows[pivot]
        if not here[pivot]:  # positive semi-definite: the rest of its row is zero, and so is the vector's part
            continue
        rank += 1
        length += here[-1] ** 2 / here[pivot]
        for below in rows[pivot + 1 :]:
            factor = below[pivot] / here[pivot]
            if factor:
                for column in range(pivot, len(here)):
                    below[column] -= factor * here[column]
    return float(length), rank
