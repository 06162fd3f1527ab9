"""What a round has won is locked: its hits in their strict order, the pool restarted, and what had waited for it.

Undone when nobody is left who won it: then the restart goes back, and so do terms that had waited for the win.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from django.utils import timezone

from house.approvals import condition_met
from jackpot import pools, terms
from jackpot.at_once import lock_of
from jackpot.claim import AFTER_WIN_KINDS, RESTART, WHEN_WON, claim, last_sequence
from jackpot.models import Hit, Round, Wager
from jackpot.rules import pool as purses
from jackpot.rules.payouts import Evaluation
from jackpot.start_round import reference
from kernel.actors import Actor
from kernel.money import Money


def lock_hits(
    ending: Round,
    result: Evaluation,
    wagers: Mapping[int, Wager],
    by: Actor,
    day: date,
    *,
    after: int = 0,
    locks: Mapping[str, Round] | None = None,
) -> list[Hit]:
    """*after*: so many were won in the round already. *locks*: by level, the round whose win these share."""
    locks = locks or {}
    link = ending.terms.link
    last = last_sequence(link)
    hits = [
        Hit(
            link=link,
            sequence=last + place,
            table=ending.table,
            round=ending,
            place=after + place,
            box=payout.box,
            player_card=wagers[payout.box].player_card,
            hand=payout.hand,
            kind=payout.kind.value,
            level=payout.level,
            amount=payout.amount,
            from_pool=payout.from_pool,
            from_house=payout.from_house,
            measured_on=payout.measured_on,
            restarts=payout.level in result.restarts or payout.level in locks,
            lock=locks.get(payout.level or ""),
            clause=payout.clause,
            day=day,
            status=Hit.Status.CLAIMED,
            claimed_at=timezone.now(),
            claimed_by=by.identity,
            claimed_device=by.device,
        )
        for place, payout in enumerate((each for each in result.payouts if each.amount), start=1)
    ]
    return claim(hits, by=by, day=day)


def restart_pools(
    ending: Round,
    balances: Mapping[str, Money],
    result: Evaluation,
    by: Actor,
    day: date,
    *,
    under: str | None = None,
) -> None:
    """After 100% was won, changes that waited for it take effect, and the next pool begins under them."""
    link = ending.terms.link
    if result.restarts:
        condition_met(condition=WHEN_WON, subject=link.subject, kinds=AFTER_WIN_KINDS)
    after = purses.apply(balances, purses.pay(result))
    link_terms = terms.of(terms.in_force(link))
    moves = purses.after_win(link_terms.rules, link_terms.parameters, after, result)
    for level in link_terms.levels:  # each by itself: a denied win undoes the restart of its own level only
        pools.book(
            link=link.code,
            movements=[move for move in moves if move.target == level],
            kind=RESTART,
            reference=f"{under or reference(ending)}/{level}",
            by=by,
            day=day,
        )


def late_reference(played: Round, box: int) -> str:
    return f"late/{played.pk}/{box}"


def restart_of(hit: Hit) -> str:
    """Under what its win restarted its pool."""
    lock = lock_of(hit)
    assert lock is not None
    assert hit.box is not None
    late = lock == hit.round and lock.late_hands.filter(box=hit.box).exists()
    return f"{late_reference(lock, hit.box) if late else reference(lock)}/{hit.level}"
