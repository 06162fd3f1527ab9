"""Majors won at the same time on linked tables (act-pg:13.3). Pure.

One set of tiles holds one winning hand, so two majors come from two tables. They are won at the same time when the
second's round was open on the link as the first was locked: all of them share, by wager, what was displayed at the
first. What rounding leaves stays in the pool.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from jackpot.rules.payouts import Evaluation
from jackpot.rules.policies import MeasuredOn, RuleSet, Sharing
from kernel.money import ZERO, Money


def are_shared(rules: RuleSet) -> bool:
    """Whether wins on linked tables share: where all of a pool is won, by what is displayed at the winning hand."""
    return (
        rules.measured_on is MeasuredOn.DISPLAYED_AT_WIN
        and rules.sharing is Sharing.PRO_RATED
        and all(prize.takes_all for prize in rules.pool_prizes)
    )


def shares(displayed: Money, wagers: Sequence[Money]) -> list[Money]:
    """What each of the winning wagers gets of what was displayed, in whole cents."""
    together = Money.total(wagers)
    return [displayed.times(Fraction(wager.micros, together.micros)) for wager in wagers]


@dataclass(frozen=True, slots=True)
class Joined:
    """A round's majors that share what another round had won: how much each wager of it gets, and what comes back of
    what the others had been owed."""

    level: str
    displayed: Money
    share: Money
    back: Money

    def instead(self, result: Evaluation) -> Evaluation:
        """What the round pays then. Its pool has begun again already, with the first of them."""
        left = dict(result.pools_after)
        left[self.level] += self.back
        payouts = []
        for payout in result.payouts:
            if payout.level != self.level:
                payouts.append(payout)
                continue
            left[self.level] += payout.from_pool - self.share
            share = self.share
            payouts.append(replace(payout, amount=share, from_pool=share, from_house=ZERO, measured_on=self.displayed))
        assert left[self.level] >= ZERO
        return Evaluation(
            payouts=tuple(payouts),
            pools_after=left,
            restarts=tuple(level for level in result.restarts if level != self.level),
        )
