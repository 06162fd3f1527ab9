"""What the page of a new link begins with, for every rule set: figures that may be approved as they stand. Pure."""

from __future__ import annotations

from typing import Final

from jackpot.rules.gazetted import NOTHING_TO_KEEP
from jackpot.rules.link_terms import LinkTerms
from jackpot.rules.policies import Game, RuleSet
from jackpot.rules.pool import Level, Parameters
from kernel.money import BASIS_POINTS, ZERO, Money

_TO_LEVELS: Final = 6_000  # of the wager, all levels together
_TO_RESERVE: Final = 1_000
_SEED: Final = Money.dollars(100)


def starting_terms(rules: RuleSet) -> LinkTerms:
    """A dollar a wager; each level ten times the one before it, from its guarantee up; what may be kept, is."""
    names = rules.levels
    rate = _TO_LEVELS // len(names)
    guarantee = max((prize.at_least for prize in rules.pool_prizes), default=ZERO)
    levels = []
    for place, name in enumerate(names):
        seed = max(guarantee, _SEED * 10**place)
        levels.append(
            Level(
                name=name,
                increment_rate=rate,
                seed=seed,
                ceiling=seed * 2 if rules.game is Game.MYSTERY else None,
            )
        )
    left = BASIS_POINTS - rate * len(names)
    kept = 0 if rules.code in NOTHING_TO_KEEP else left - _TO_RESERVE
    parameters = Parameters(wager=Money.dollars(1), levels=tuple(levels), reserve_rate=left - kept, retained_rate=kept)
    return LinkTerms(rules=rules, parameters=parameters)
