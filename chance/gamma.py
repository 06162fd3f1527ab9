"""The chi-square distribution from the regularised incomplete gamma function, by series and continued fraction."""

from __future__ import annotations

import math
from typing import Final

_PRECISION: Final = 1e-15
_TINY: Final = 1e-300


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance that chi-square with ``freedom`` degrees of freedom is at least ``statistic``."""
    if freedom < 1:
        raise ValueError("Chi-square has at least one degree of freedom.")
    if statistic <= 0:
        return 1.0
    a, x = freedom / 2, statistic / 2
    front = math.exp(a * math.log(x) - x - math.lgamma(a))
    return 1 - front * _series(a, x) if x < a + 1 else front * _fraction(a, x)


def chi_square_quantile(confidence: float, freedom: int) -> float:
    """The value that chi-square stays below with this confidence, by bisection to the last digit."""
    if not 0 < confidence < 1:
        raise ValueError("A confidence lies between 0 and 1.")
    low, high = 0.0, float(freedom)
    while 1 - chi_square_tail(high, freedom) < confidence:
        low, high = high, 2 * high
    while True:
        middle = (low + high) / 2
        if middle in (low, high):
            return middle
        if 1 - chi_square_tail(middle, freedom) < confidence:
            low = middle
        else:
            high = middle


def _series(a: float, x: float) -> float:
    """The sum of xⁿ / (a(a+1)…(a+n)): the lower function without its front factor."""
    term = total = 1 / a
    n = a
    while term > total * _PRECISION:
        n += 1
        term *= x / n
        total += term
    return total


def _fraction(a: float, x: float) -> float:
    """1/(x+1-a- 1(1-a)/(x+3-a- …)): the upper function without its front factor, by Lentz's method."""
    b = x + 1 - a
    c = 1 / _TINY
    d = 1 / b
    value = d
    n = 0
    while True:
        n += 1
        an = -n * (n - a)
        b += 2
        d = 1 / ((an * d + b) or _TINY)
        c = (b + an / c) or _TINY
        value *= d * c
        if abs(d * c - 1) < _PRECISION:
            return value
