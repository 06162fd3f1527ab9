"""The live must-hit-by link: a point is sealed, reached by a wager, paid, revealed; then the next one is sealed.

No wager waits for another (decision 4). A contributor asks first, without a lock, whether his wagers might reach the
point. If not, he goes through the pool's door with everybody else (``pools.enter``). If they might, he takes the pool
and shuts the door: everybody who was at it is through, so that the order of the ledger is the order of the wagers, and
the fall is settled in the transaction of the wager itself. Two who pass the point together, each seeing only himself,
leave it to the next one, to the end of the round, or to the tick, a second later: the ledger still says who it was.
Nothing is taken out of the purse before what is due has fallen (``settle_first``), so no point is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from django.db.models import Max, Q
from django.utils import timezone

from house import incidents
from house.approvals import condition_met
from house.gaming_days import gaming_day_at
from house.incident_kinds import EQUIPMENT_MALFUNCTION
from house.log import record_act
from jackpot import links, pools, terms
from jackpot.acts import TriggerVoided
from jackpot.claim import CONTRIBUTION, RESTART, TERMS_KIND, WHEN_WON, WIN, claim, last_sequence
from jackpot.models import Batch, Contribution, Hit, Link, Round, TriggerPoint, TriggerStatus, Wager
from jackpot.rules import mystery as rules
from jackpot.rules.policies import Game
from jackpot.terms import LinkTerms
from jackpot.trigger_points import opens, point_of, reveal, seal
from kernel.actors import Actor
from kernel.money import ZERO, Money
from ledger.models import Transfer

FALLS_LIMIT: Final = 50
"""Of one transaction: a batch that reaches more points leaves the rest to the tick."""
_PAGE_ROWS: Final = 200


@dataclass(frozen=True, slots=True)
class _Crossing:
    """A contribution that brought the meter to the point: which wagers it was, and the meter before the first."""

    transfer: Transfer
    before: Money
    skipped: int
    wagers: int
    increment: Money


def is_mystery(link_terms: LinkTerms) -> bool:
    return link_terms.rules.game is Game.MYSTERY


def running(link: Link) -> TriggerPoint | None:
    return TriggerPoint.objects.filter(link=link, status=TriggerStatus.RUNNING).select_related("link").first()


# Contributors


def hold(coming: Mapping[Link, Money]) -> set[int]:
    """Before wagers that bring in so much: through the door of each link, or, where its point might be reached, holding
    the link. Answers which are held: there, call ``settle`` once they are booked."""
    held = {link.pk: link for link, amount in coming.items() if _may_fall(link, amount)}
    links.hold(*(link.code for link in held.values()))
    for link in sorted(coming, key=lambda link: link.pk):
        if link.pk in held:
            links.shut(link)
        else:
            links.enter([link.pk])
    return set(held)


def _may_fall(link: Link, coming: Money) -> bool:
    sealed = running(link)
    if sealed is None:
        return False
    (level,) = link.levels
    return pools.prize_amounts(link.code, levels=[level])[level] + coming >= point_of(sealed)


def fall_if_due(link: Link, *, by: Actor) -> list[Hit]:
    """What is due falls now. Looked at without a lock, settled under one."""
    if not _may_fall(link, ZERO):
        return []
    links.hold(link.code)
    return settle_first(link, by=by)


def settle_first(link: Link, *, by: Actor) -> list[Hit]:
    """Before anything leaves the purse of a link that is held: what is due falls first. Other links: nothing."""
    if running(link) is None:
        return []
    links.shut(link)
    return settle(link, by=by)


# A fall


def settle(link: Link, *, by: Actor) -> list[Hit]:
    """Every point that has been reached falls, in order. The pool is held and its door shut by the caller."""
    fallen: list[Hit] = []
    while len(fallen) < FALLS_LIMIT:
        sealed = running(link)
        crossing = _crossing(sealed) if sealed is not None else None
        if sealed is None or crossing is None:
            break
        fallen.append(_fall(sealed, crossing, by))
    return fallen


def _crossing(sealed: TriggerPoint) -> _Crossing | None:
    """The wager that reached the point, by the order of the ledger; none if it stands, or if something other than a
    wager lifted the meter over it and no wager has come since.

    Looks from the newest row back, so that a fall costs as little after a million wagers as after ten. What earlier
    falls took and put in came, in the order of wagers, before ``start``: those rows do not count.
    """
    (level,) = sealed.link.levels
    prize = pools.account(sealed.link.code, level)
    meter, point = pools.prize_amounts(sealed.link.code, levels=[level])[level], point_of(sealed)
    if meter < point:
        return None
    last: _Crossing | None = None
    for row in _newest_first(prize, sealed.after_transfer):
        into = row.credit.code == prize
        before = meter - row.amount if into else meter + row.amount
        if into and row.kind == CONTRIBUTION:
            wagers = _wagers(row)
            last = _Crossing(row, before, 0, wagers, _one_of(row, wagers))
        if before < point:
            return last
        meter = before
    if sealed.after_wager:  # the rest of what brought the last point down
        row = Transfer.objects.get(pk=sealed.after_transfer)
        wagers = _wagers(row)
        increment = _one_of(row, wagers)
        assert sealed.start + increment * (wagers - sealed.after_wager) == meter
        if wagers > sealed.after_wager:
            return _Crossing(row, sealed.start, sealed.after_wager, wagers - sealed.after_wager, increment)
    return last


def _newest_first(prize: str, after: int) -> Iterator[Transfer]:
    rows = (
        Transfer.objects.filter(Q(credit__code=prize) | Q(debit__code=prize), id__gt=after)
        .exclude(kind__in=[WIN, RESTART])
        .select_related("credit", "debit")
        .order_by("-id")
    )
    below: int | None = None
    while page := list((rows if below is None else rows.filter(id__lt=below))[:_PAGE_ROWS]):
        yield from page
        below = page[-1].pk


def _wagers(row: Transfer) -> int:
    assert row.memo is not None
    return int(row.memo["wagers"])


def _one_of(row: Transfer, wagers: int) -> Money:
    return Money(row.amount.micros // wagers)


def _fall(sealed: TriggerPoint, crossing: _Crossing, by: Actor) -> Hit:
    link, point = sealed.link, point_of(sealed)
    (level,) = link.levels
    moment = timezone.now()
    day = gaming_day_at(moment).date
    number = rules.reached_by(
        meter=crossing.before, increment=crossing.increment, wagers=crossing.wagers, trigger=point
    )
    assert number is not None
    meter = crossing.before + crossing.increment * number
    link_terms = terms.of(terms.in_force(link))
    won = _winner(crossing, crossing.skipped + number)
    payout = rules.fall(link_terms.rules, meter=meter, trigger=point, box=won.box or 0).payouts[0]
    won.link, won.sequence, won.level, won.day = link, last_sequence(link) + 1, level, day
    won.hand, won.kind, won.clause, won.restarts = payout.hand, payout.kind.value, payout.clause, True
    won.amount, won.from_pool, won.from_house, won.measured_on = point, payout.from_pool, payout.from_house, point
    won.status, won.claimed_at = Hit.Status.CLAIMED, moment
    (hit,) = claim([won], by=by, day=day)
    reveal(sealed, TriggerStatus.REACHED, by=by, hit=hit)
    # What waited for the win takes effect; the next pool begins under it.
    condition_met(condition=WHEN_WON, subject=link.subject, kinds=[TERMS_KIND])
    link_terms = terms.of(terms.in_force(link))
    rest = meter - point
    moves = rules.restart(
        link_terms.parameters, pools.read_pools(link.code, levels=link.levels).balances, rest=rest, level=level
    )
    pools.book(link=link.code, movements=moves, kind=RESTART, reference=f"mystery/{sealed.number}", by=by, day=day)
    put_in = Money.total(move.amount for move in moves if move.target == level)
    aside = Money.total(move.amount for move in moves if move.source == level)
    seal(
        link,
        link_terms.parameters.level(level),
        start=rest + put_in - aside,
        after_transfer=crossing.transfer.pk,
        after_wager=crossing.skipped + number,
        by=by,
    )
    return hit


def _winner(crossing: _Crossing, number: int) -> Hit:
    """The hit of the *number*-th wager of a contribution: of a round, in the order in which they were accepted; of a
    controller's batch, in the order of its clock, the box to be named when it is verified."""
    _, kind, key, *_ = crossing.transfer.reference.split("/")
    if kind == "round":
        played = Round.objects.select_related("table").get(pk=key)
        wager = Wager.objects.filter(round=played).order_by("id")[number - 1]
        place = (Hit.objects.filter(round=played).aggregate(last=Max("place"))["last"] or 0) + 1
        return Hit(
            table=played.table,
            round=played,
            place=place,
            box=wager.box,
            player_card=wager.player_card,
            claimed_by=played.started_by,
        )
    batch = Batch.objects.select_related("table").get(pk=key)
    counted = 0
    for message in Contribution.objects.filter(batch=batch).order_by("at", "id"):
        counted += message.wagers
        if counted >= number:
            break
    place = Hit.objects.filter(batch=batch).count() + 1
    return Hit(table=batch.table, batch=batch, message=message.id, place=place, claimed_by=batch.received_by)


# When a point begins and ends


def begin(link: Link, *, by: Actor) -> TriggerPoint:
    """Seal a point above what is displayed now. The pool is held and its door shut, or nobody knows it yet."""
    (level,) = link.levels
    link_terms = terms.of(terms.in_force(link))
    return seal(
        link,
        link_terms.parameters.level(level),
        start=pools.prize_amounts(link.code, levels=[level])[level],
        after_transfer=Transfer.objects.aggregate(last=Max("id"))["last"] or 0,
        after_wager=0,
        by=by,
    )


def withdraw(link: Link, *, by: Actor) -> None:
    """End a point that nobody has reached, and show it: it had not been passed. The pool is held, the door shut."""
    if sealed := running(link):
        reveal(sealed, TriggerStatus.WITHDRAWN, by=by)


def renew_unreadable(link: Link, *, by: Actor) -> bool:
    """A seed that does not open any more (a lost key) can only be void: an inspector is told, another one is sealed."""
    sealed = running(link)
    if sealed is None or opens(sealed):
        return False
    links.hold(link.code)
    links.shut(link)
    sealed = running(link)
    if sealed is None or opens(sealed):
        return False
    sealed.status, sealed.ended_at = TriggerStatus.VOID, timezone.now()
    sealed.save(update_fields=["status", "ended_at"])
    record_act(TriggerVoided(code=link.code, number=sealed.number), by=by)
    incidents.open_incident(
        kind=EQUIPMENT_MALFUNCTION,
        what=f"The sealed point {sealed.number} of {link.code} cannot be opened: it is void, another was sealed.",
        by=by,
        subject=link.subject,
    )
    begin(link, by=by)
    return True
