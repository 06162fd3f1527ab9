"""What a link does by itself between wagers: every second, looked at without a lock, moved under one.

What stands above a ceiling is set aside; a jackpot that is kept at its seed is topped up; the house is paid back what
it advanced, as the reimbursement purse fills.
"""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from jackpot import links, pools, terms
from jackpot.claim import OVERFLOW
from jackpot.models import Link, Terms
from jackpot.rules import pool as purses
from jackpot.rules.pool import Movement
from jackpot.terms import LinkTerms
from kernel.actors import Actor, system

BY: Final[Actor] = system("jackpots")
TOP_UP: Final = "jackpot.top-up"
PAY_BACK: Final = "jackpot.pay-back"


def settle_pools() -> int:
    """Look at every link; the answer is how many had something to move."""
    moved = 0
    for version in _in_force():
        if _due(terms.of(version), pools.read_pools(version.link.code, levels=version.link.levels)):
            moved += settle_pool(version.link.code)
    return moved


@transaction.atomic
def settle_pool(code: str) -> bool:
    links.hold(code)
    link = links.find_link(code)
    link_terms = terms.of(terms.in_force(link))
    held = pools.read_pools(code, levels=link.levels)
    due = _due(link_terms, held)
    moment = timezone.now()
    for kind, movements in due:
        pools.book(
            link=code,
            movements=movements,
            kind=kind,
            reference=f"settled/{moment.isoformat()}",
            by=BY,
            day=gaming_day_at(moment).date,
            at=moment,
            memo={"seen": held.seen},
        )
    return bool(due)


def keep_at_seed(link: Link) -> None:
    """A jackpot that is kept at its seed is topped up at once, not with the next tick: what was taken back may have
    brought it below. The caller holds the link."""
    if link.status == Link.Status.OPEN and terms.of(terms.in_force(link)).rules.topped_up:
        settle_pool(link.code)


def _in_force() -> list[Terms]:
    """The newest terms of every open link."""
    return list(
        Terms.objects.filter(link__status=Link.Status.OPEN)
        .select_related("link")
        .order_by("link_id", "-version")
        .distinct("link_id")
    )


def _due(link_terms: LinkTerms, held: pools.PoolBalances) -> list[tuple[str, tuple[Movement, ...]]]:
    moves = purses.settle(link_terms.rules, link_terms.parameters, held.balances, advance=held.advanced)
    return [(kind, each) for kind, each in zip((OVERFLOW, TOP_UP, PAY_BACK), moves, strict=True) if each]
