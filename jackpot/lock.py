"""What a round has won is locked: its hits in their strict order, the pool restarted, and what had waited for it.

Undone when nobody is left who won it: then the restart goes back, and so do terms that had waited for the win.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from django.db.models import Q
from django.utils import timezone

from house.approvals import condition_met, wait_again
from house.log import record_act
from jackpot import pools, terms
from jackpot.at_once import lock_of
from jackpot.claim import AFTER_WIN_KINDS, RESTART, WHEN_WON, claim, last_sequence
from jackpot.link_acts import TermsRestored
from jackpot.models import Hit, Round, Terms, TermsByWin, Wager
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
    hits: Sequence[Hit],
    under: str | None = None,
) -> None:
    """After 100% was won, changes that waited for it take effect, and the next pool begins under them."""
    link = ending.terms.link
    if result.restarts:
        done = condition_met(condition=WHEN_WON, subject=link.subject, kinds=AFTER_WIN_KINDS)
        put = Terms.objects.filter(link=link, proposal__in=done).exclude(pk__in=TermsByWin.objects.values("terms"))
        won = next(hit for hit in hits if hit.restarts)
        TermsByWin.objects.bulk_create([TermsByWin(terms=each, hit=won) for each in put])
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
    return f"{late_reference(lock, hit.box) if _is_late(hit) else reference(lock)}/{hit.level}"


def _is_late(hit: Hit) -> bool:
    assert hit.box is not None
    return hit.round is not None and hit.lock is None and hit.round.late_hands.filter(box=hit.box).exists()


def terms_back(hit: Hit, *, by: Actor) -> None:
    """Terms that had waited for a win do not stay in force when it is denied: those before it are in force again, and
    what was approved waits for the next win. Terms that were put in force since stand."""
    link, lock = hit.link, lock_of(hit)
    assert lock is not None
    late = _is_late(hit)
    together = Hit.objects.filter(pk=hit.pk) if late else Hit.objects.filter(Q(round=lock) | Q(lock=lock))
    if together.filter(restarts=True).exclude(status=Hit.Status.DENIED).exists():
        return
    put = TermsByWin.objects.filter(hit__in=together).values_list("terms__version", "terms__proposal")
    numbers = [version for version, _ in put]
    newest = terms.in_force(link)
    if not numbers or newest.version != max(numbers):
        return
    before = Terms.objects.get(link=link, version=min(numbers) - 1)
    again = Terms.objects.create(
        link=link,
        version=newest.version + 1,
        data=before.data,
        effective_at=timezone.now(),
        proposal=before.proposal,
        set_by=by.identity,
    )
    restored = TermsRestored(link=link.code, version=again.version, terms=again.data, of=before.version, hit=hit.pk)
    record_act(restored, by=by)
    waited = [proposal for _, proposal in put if proposal is not None]
    wait_again(proposals=waited, why=f"hit {hit.pk} was denied", by=by)
