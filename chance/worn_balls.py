"""The ball-bias alarm: a regulator's classic is the worn ball that the regulars notice first.

The alarm is looked at after every draw, for years, so an ordinary test at 99% would cry wolf again and again. Each
ball is weighed by a likelihood ratio instead: how well "drawn with some other chance" (a Beta mixture around the fair
one) explains its record, against "drawn fairly". For a fair ball the chance that this ratio *ever* reaches R is at most
1/R (Ville), however often one looks; with 80 balls watched, an alarm at 80/0.01 is false in at most 1% of all sets of
balls over their whole life.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

FALSE_ALARM: Final = 0.01
# How strongly the mixture sticks to the fair chance, in draws: wear moves a chance by some per cent, not by half.
_PRIOR_DRAWS: Final = 400


@dataclass(frozen=True, slots=True)
class Ball:
    """One ball's record against the fair expectation."""

    number: int
    seen: int
    expected: float
    evidence: float  # the likelihood ratio's natural logarithm
    threshold: float

    @property
    def alarm(self) -> bool:
        return self.evidence >= self.threshold


def weigh_balls(counts: Sequence[int], draws: int, *, picks: int = 20, false_alarm: float = FALSE_ALARM) -> list[Ball]:
    """Every ball of the set, the most suspect first. ``counts`` of balls 1, 2, 3 … since this set came into use."""
    pool = len(counts)
    if draws < 0 or sum(counts) != draws * picks or not all(0 <= seen <= draws for seen in counts):
        raise ValueError(f"{draws} draws of {picks} balls from {pool} cannot have counts that add up to {sum(counts)}.")
    if not 0 < false_alarm < 1:
        raise ValueError("The chance of a false alarm lies between 0 and 1.")
    fair = picks / pool
    a, b = _PRIOR_DRAWS * fair, _PRIOR_DRAWS * (1 - fair)
    threshold = math.log(pool / false_alarm)
    balls = []
    for number, seen in enumerate(counts, start=1):
        missed = draws - seen
        mixture = _log_beta(a + seen, b + missed) - _log_beta(a, b)
        fairly = seen * math.log(fair) + missed * math.log(1 - fair)
        balls.append(Ball(number, seen, draws * fair, mixture - fairly, threshold))
    return sorted(balls, key=lambda ball: (-ball.evidence, ball.number))


def suspects(counts: Sequence[int], draws: int, *, picks: int = 20, false_alarm: float = FALSE_ALARM) -> list[Ball]:
    """The balls to take out and weigh on a real scale."""
    return [ball for ball in weigh_balls(counts, draws, picks=picks, false_alarm=false_alarm) if ball.alarm]


def _log_beta(a: float, b: float) -> float:
    return math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
