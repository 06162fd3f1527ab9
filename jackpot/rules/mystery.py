"""The must-hit-by jackpot: it falls at a point between its floor and its ceiling that nobody knows before it falls.

When the pool starts, a seed is made and its commitment published; the trigger point follows from the seed alone, so the
commitment seals it. After the win the seed is shown and anybody can draw the point again (``proves``). Commitment and
fair selection themselves are ``chance/``'s: they come in as callables, so that this stays arithmetic.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chance.select import MAX_POOL
from jackpot.rules.payouts import Evaluation, Payout
from jackpot.rules.policies import PRIZE, Contributes, Game, RuleSet
from jackpot.rules.pool import RESERVE, Balances, Movement, Parameters, fill, overflow_of
from kernel.money import MICROS_PER_CENT, ZERO, Money
from kernel.refusal import Refusal

WIDEST: Final = Money.cents(MAX_POOL)
Below = Callable[[int], int]
"""A fair number from 0 up to, not including, the given one."""


def trigger_point(*, floor: Money, ceiling: Money, below: Below) -> Money:
    """A whole cent above the floor, at most the ceiling, each as likely as any other."""
    if not (floor.whole_cents and ceiling.whole_cents and ZERO <= floor < ceiling):
        raise Refusal(
            "trigger-range",
            f"A trigger needs a ceiling above its floor, not {floor} to {ceiling}.",
            field="ceiling",
        )
    cents = (ceiling - floor).micros // MICROS_PER_CENT
    drawn = below(cents)
    assert 0 <= drawn < cents
    return floor + Money.cents(drawn + 1)


def proves(
    *,
    seed: bytes,
    trigger: Money,
    floor: Money,
    ceiling: Money,
    committed: Callable[[bytes], bool],
    fair: Callable[[bytes], Below],
) -> bool:
    """Whether the revealed seed is the one that was committed to, and gives this trigger point."""
    return committed(seed) and trigger == trigger_point(floor=floor, ceiling=ceiling, below=fair(seed))


def check(rules: RuleSet, parameters: Parameters) -> None:
    """Terms under which a point can be sealed and a wager reach it."""
    if rules.contributes is not Contributes.EVERY_WAGER:
        raise Refusal("terms-invalid", f"{rules.title}: every wager contributes, at acceptance.", field="rules")
    for level in parameters.levels:
        if level.ceiling is None:
            raise Refusal("ceiling-missing", f"{rules.title}: it needs a ceiling.", field="ceiling")
        if level.ceiling - level.seed > WIDEST:
            raise Refusal("trigger-range", f"A trigger point lies within {WIDEST} at most.", field="ceiling")
        if parameters.wager.basis_points(level.increment_rate) >= level.ceiling - level.seed:
            raise Refusal("trigger-range", "One wager would take it from its seed to its ceiling.", field="ceiling")


def restart(parameters: Parameters, balances: Balances, *, rest: Money, level: str = PRIZE) -> tuple[Movement, ...]:
    """What follows a fall. The next pool begins with the *rest* of the wager that reached the point, filled to its
    seed: from what had been set aside, then from the reserve, then from the house. What later wagers have brought in
    since stands on top of that, as if they had come one by one. A rest beyond the ceiling (after an adjustment) is set
    aside."""
    terms = parameters.level(level)
    if terms.ceiling is not None and rest >= terms.ceiling:
        return (Movement(level, overflow_of(level), rest - terms.seed),)
    sources = (overflow_of(level), RESERVE)
    return fill({**balances, level: rest}, level=level, to=terms.seed, sources=sources)


def reached_by(*, meter: Money, increment: Money, wagers: int, trigger: Money) -> int | None:
    """Which of the coming wagers (the first is 1) brings the meter to the trigger point, if one of them does."""
    if increment <= ZERO:
        return None
    needed = max(1, -(-(trigger - meter).micros // increment.micros))
    return needed if needed <= wagers else None


def fall(rules: RuleSet, *, meter: Money, trigger: Money, box: int) -> Evaluation:
    """The box whose wager reached the point wins exactly that amount; what lies beyond it begins the next pool."""
    if rules.game is not Game.MYSTERY:
        raise Refusal("won-by-a-hand", f"{rules.title}: a hand wins it, not a trigger point.", field="rules")
    if meter < trigger:
        raise Refusal("trigger-not-reached", f"The meter at {meter} has not reached its trigger point.", field="meter")
    prize = rules.pool_prizes[0]
    return Evaluation(
        payouts=(
            Payout(
                box=box,
                hand=prize.hand,
                kind=prize.kind,
                amount=trigger,
                from_pool=trigger,
                level=PRIZE,
                measured_on=trigger,
                clause=prize.clause,
            ),
        ),
        pools_after={PRIZE: meter - trigger},
        restarts=(PRIZE,),
    )
