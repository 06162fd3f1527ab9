"""What a link does by itself between wagers: every second, looked at without a lock, moved under one.

What stands above a ceiling is set aside; a jackpot that is kept at its seed is topped up; the house is paid back what
it advanced, as the reimbursement purse fills.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from house.actors import Actor, system
from house.gaming_days import gaming_day_at
from jackpot import mystery, pools, terms
from jackpot.claim import OVERFLOW
from jackpot.models import Pool, Terms
from jackpot.rules import pool as purses
from jackpot.rules.pool import Movement
from jackpot.terms import LinkTerms

BY: Final[Actor] = system("jackpots")
TOP_UP: Final = "jackpot.top-up"
PAY_BACK: Final = "jackpot.pay-back"


def settle_pools() -> int:
    """Look at every link; the answer is how many had something to move."""
    moved = 0
    for version in _in_force():
        if mystery.is_mystery(terms.of(version)):
            moved += _fall_due(version.pool)
        if _due(terms.of(version), pools.standing(version.pool.code, levels=version.pool.levels)):
            moved += settle_pool(version.pool.code)
    return moved


@transaction.atomic
def settle_pool(code: str) -> bool:
    pools.lock(code)
    pool = pools.find(code)
    now = terms.of(terms.in_force(pool))
    due = _due(now, pools.standing(code, levels=pool.levels))
    moment = timezone.now()
    for kind, movements in due:
        pools.book(
            pool=code,
            movements=movements,
            kind=kind,
            reference=f"settled/{moment.isoformat()}",
            by=BY,
            day=gaming_day_at(moment).date,
            at=moment,
        )
    return bool(due)


@transaction.atomic
def _fall_due(pool: Pool) -> int:
    """What two wagers reached together and neither saw; and a seal that does not open any more."""
    if mystery.renew_unreadable(pool, by=BY):
        return 1
    return len(mystery.fall_if_due(pool, by=BY))


def _in_force() -> list[Terms]:
    """The newest terms of every open link."""
    return list(
        Terms.objects.filter(pool__status=Pool.Status.OPEN)
        .select_related("pool")
        .order_by("pool_id", "-version")
        .distinct("pool_id")
    )


def _due(now: LinkTerms, standing: pools.Standing) -> list[tuple[str, list[Movement]]]:
    balances = standing.balances
    # What a must-hit-by jackpot has above its ceiling falls, sooner than it could be set aside.
    aside = () if mystery.is_mystery(now) else purses.overflow(now.parameters, balances)
    balances = purses.apply(balances, aside)
    up = [
        move
        for level in now.levels
        if now.rules.topped_up
        for move in purses.top_up(now.parameters, balances, level=level)
    ]
    balances = purses.apply(balances, up)
    back = purses.pay_back(balances, advance=standing.advanced + purses.advanced(up))
    return [(kind, list(moves)) for kind, moves in ((OVERFLOW, aside), (TOP_UP, up), (PAY_BACK, back)) if moves]
