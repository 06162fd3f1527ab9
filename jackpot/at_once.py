"""Majors won at the same time on linked tables (act-pg:13.3): which rounds a win waits for, and who shares it.

When a major is locked its amount is what was displayed then, and the rounds that were open on the link are written
down. A major in one of those shares that amount, by wager: the shares are fixed anew as each of them ends, and again
if one is denied, until the first of them is paid. Whoever calls holds the link.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from django.db import connection
from django.db.models import Q
from django.utils import timezone

from house.log import record_act
from jackpot import pools, terms
from jackpot.claim import WIN, set_aside, shown, win_reference
from jackpot.models import Hit, Round
from jackpot.round_acts import HitShared
from jackpot.rules.at_once import Joined, are_shared, shares
from jackpot.rules.payouts import Evaluation
from kernel.actors import Actor
from kernel.money import ZERO, Money

WAITS_AT_MOST: Final = timedelta(minutes=5)  # then two people end what is still open
_OPEN_ROUNDS: Final = """
    SELECT coalesce(array_agg(r.id ORDER BY r.id), '{}'), pg_current_snapshot()::text
    FROM jackpot_round r JOIN jackpot_terms t ON t.id = r.terms_id
    WHERE t.link_id = %s AND r.status = 'open' AND r.id <> %s
      AND EXISTS (SELECT FROM jackpot_wager w WHERE w.round_id = r.id)
"""


@dataclass(frozen=True, slots=True)
class Joining:
    """Majors of a round that share what an earlier one has won."""

    lock: Round
    others: Sequence[Hit]
    shares: Sequence[Money]
    """Of the others, in their order."""
    joined: Joined

    def fix_others(self, *, winners: int, by: Actor) -> None:
        fix_shares(self.others, self.shares, winners=winners, by=by)


def open_rounds(ending: Round) -> tuple[list[int], str]:
    """The other rounds with jackpot wagers that are open on its link, and which transactions were seen."""
    with connection.cursor() as cursor:
        cursor.execute(_OPEN_ROUNDS, [ending.terms.link_id, ending.pk])
        found, seen = cursor.fetchone()
    return list(found), str(seen)


def joining(ending: Round, result: Evaluation) -> list[Joining]:
    """What was won in this round and was being waited for."""
    link_terms = terms.of(ending.terms)
    found = []
    for level in result.restarts if are_shared(link_terms.rules) else ():
        lock = next((each for each in _waiting_for(ending) if sharing(each, level)), None)
        if lock is None:
            continue
        others = sharing(lock, level)
        (displayed,) = {hit.measured_on for hit in others}
        assert displayed is not None
        mine = [link_terms.parameters.wager for payout in result.payouts if payout.level == level]
        parts = shares(displayed, [*map(wager_of, others), *mine])
        back = Money.total(hit.from_pool for hit in others) - Money.total(parts[: len(others)])
        found.append(Joining(lock, others, parts[: len(others)], Joined(level, displayed, parts[-1], back)))
    return found


def _waiting_for(ending: Round) -> list[Round]:
    """The rounds whose major waits for this one, the first that was locked first."""
    won = Hit.objects.filter(link=ending.terms.link_id, round__waits_for__contains=[ending.pk], lock=None)
    return [hit.round for hit in won.order_by("sequence").select_related("round") if hit.round is not None]


def sharing(lock: Round, level: str) -> list[Hit]:
    """Everybody who shares what that round won, and is not denied."""
    sharing = Hit.objects.select_for_update(of=("self",)).select_related("link", "table", "round__terms")
    found = sharing.filter(Q(round=lock, lock=None) | Q(lock=lock), level=level)
    return list(found.exclude(status=Hit.Status.DENIED).order_by("sequence"))


def lock_of(hit: Hit) -> Round | None:
    return hit.lock or hit.round


def wager_of(hit: Hit) -> Money:
    assert hit.round is not None
    return terms.of(hit.round.terms).parameters.wager


def share_anew(denied: Hit, left: Sequence[Hit], *, by: Actor) -> None:
    """One of those who share is denied: the others share without him, unless one of them has been paid already."""
    lock = lock_of(denied)
    if lock is None or not lock.waits_for or any(hit.status == Hit.Status.PAID for hit in left):
        return
    assert denied.measured_on is not None
    parts = shares(denied.measured_on, [wager_of(hit) for hit in left])
    fix_shares(left, parts, winners=len(left), by=by)


def fix_shares(hits: Sequence[Hit], parts: Sequence[Money], *, winners: int, by: Actor) -> None:
    """Set aside what each is owed now, in the place of what it was before; on the day on which it was won."""
    for hit, amount in zip(hits, parts, strict=True):
        if hit.amount == amount:
            continue
        pools.unbook(link=hit.link, kind=WIN, reference=win_reference(hit), why="shared", by=by, day=hit.day)
        hit.amount, hit.from_pool, hit.from_house = amount, amount, ZERO
        hit.shared += 1
        hit.save(update_fields=["amount", "from_pool", "from_house", "shared"])
        record_act(HitShared(**shown(hit), shared=hit.shared, winners=winners), by=by)
        set_aside(hit, by=by, day=hit.day)


def still_open(hit: Hit) -> list[Round]:
    """The rounds that it waits for: one of them may win a share of it."""
    lock = lock_of(hit)
    if hit.level is None or lock is None or not lock.waits_for:
        return []
    waiting = Round.objects.filter(pk__in=lock.waits_for, status=Round.Status.OPEN)
    return list(waiting.select_related("table").order_by("pk"))


def not_verified(hit: Hit) -> list[Hit]:
    """Who else shares it and has not been verified: denied, he would leave more to the others."""
    lock = lock_of(hit)
    if hit.level is None or lock is None or not lock.waits_for:
        return []
    sharing = Hit.objects.filter(Q(round=lock) | Q(lock=lock), level=hit.level, status=Hit.Status.CLAIMED)
    return list(sharing.exclude(pk=hit.pk).select_related("table").order_by("pk"))


def is_overdue(ending: Round) -> bool:
    """Whether somebody has been waiting for this round longer than five minutes."""
    if not are_shared(terms.of(ending.terms).rules):
        return False
    since = timezone.now() - WAITS_AT_MOST
    won = Hit.objects.filter(link=ending.terms.link_id, round__waits_for__contains=[ending.pk], claimed_at__lt=since)
    return won.exclude(status=Hit.Status.DENIED).exists()
