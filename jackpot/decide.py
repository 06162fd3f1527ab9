"""A sealed movement of a must-hit-by meter is decided: asked outside of transactions, then settled in one.

    decide_movements(now)       # the tick: gather, seal, ask, decide; every link by itself

From what was sealed, the day's master and what the second party said, everybody computes the same
(``rules/must_hit_by.py``). What is decided is never decided again. While the witness is away, seals wait in order.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from chance.two_party import Said
from draws import ask as draws
from draws.masters import MasterLost
from house import incidents
from house.approvals import condition_met
from house.gaming_days import gaming_day_at
from house.incident_kinds import EQUIPMENT_MALFUNCTION
from house.log import record_act
from house.models import Incident, IncidentStatus, Proposal
from jackpot import links, movements, pools, promises, terms
from jackpot.acts import Fell, MeterUndecided, MovementDecided
from jackpot.claim import AFTER_WIN_KINDS, RESTART, TERMS_KIND, WHEN_WON, claim, last_sequence
from jackpot.models import CountedWager, Hit, Link, MeterSeal, Wager
from jackpot.rules import must_hit_by as rules
from jackpot.rules.must_hit_by import Bounds, Decision, Fall
from kernel.actors import Actor, system
from kernel.acts import written
from kernel.money import ZERO, Money
from kernel.refusal import Busy, Conflict

log = logging.getLogger(__name__)

BY: Final[Actor] = system("jackpots")
PATIENCE_SECONDS: Final = 0.3  # while others' transactions hold up the seal; the next tick comes in a second
DECIDED_LIMIT: Final = 50  # of a link in one tick, when the witness is back


def decide_movements(now: datetime) -> int:
    """What every must-hit-by link has waiting; the answer is how many movements were decided."""
    return sum(decide_link(link, now=now) for link in promises.must_hit_by_links())


def decide_link(link: Link, *, now: datetime) -> int:
    """Seal what has come in, and decide what is sealed, in order, as far as the witness answers."""
    for level in movements.stored_levels(link):
        movements.seal_movement(link, level=level, now=now, by=BY)
    decided = 0
    for seal in movements.undecided(link)[:DECIDED_LIMIT]:
        if not _advance(seal):
            break
        decided += 1
    return decided


def _advance(seal: MeterSeal) -> bool:
    try:
        said = draws.ask_patiently(
            seal.commitment, occasion=seal.occasion, attempt=seal.attempt, by=BY, seconds=PATIENCE_SECONDS
        )
    except Busy:
        return False  # sealed in a moment
    except Conflict as why:
        log.warning("%s cannot be asked about: %s", seal, why.detail)
        said = None
    if said is None:
        _tell_waiting(seal)
        return False
    try:
        decide(seal=seal, said=said, by=BY)
    except MasterLost as lost:
        _tell_lost(seal, str(lost))
        return False
    return True


@transaction.atomic
def _tell_waiting(seal: MeterSeal) -> None:
    if MeterSeal.objects.filter(pk=seal.pk, waits=False, decided_at__isnull=True).update(waits=True):
        record_act(MeterUndecided(code=seal.link.code, number=seal.number), by=BY)


@transaction.atomic
def _tell_lost(seal: MeterSeal, what: str) -> None:
    """An inspector can give the master back from escrow; until then it waits. Told once."""
    subject = seal.link.subject
    known = Incident.objects.filter(kind=EQUIPMENT_MALFUNCTION, subject=subject, status=IncidentStatus.OPEN)
    if not known.exists():
        incidents.open_incident(kind=EQUIPMENT_MALFUNCTION, what=what, by=BY, subject=subject)
    _tell_waiting(seal)


@transaction.atomic
def decide(*, seal: MeterSeal, said: Said, by: Actor) -> list[Hit]:
    """Decide a sealed movement by what was said to it. Again it answers what fell. Raises MasterLost."""
    links.hold(seal.link.code)
    held = MeterSeal.objects.select_for_update(of=("self",)).select_related("link", "commitment").get(pk=seal.pk)
    if held.decided_at is not None:
        return list(Hit.objects.filter(pk__in=[fell["hit"] for fell in held.falls or ()]).order_by("sequence"))
    if movements.undecided(held.link).first() != held:
        raise Conflict("out-of-order", f"An earlier movement of {held.link} is not decided yet.")
    wagers = list(held.wagers.prefetch_related("table"))  # two thousand of them, of a few tables
    asked = said.question
    if (asked.occasion, asked.attempt, asked.root) != (
        held.occasion,
        held.attempt,
        rules.root(each.as_sealed() for each in wagers),
    ):
        raise Conflict("another-set", f"What was answered is not what {held} sealed.")
    return _settle(held, wagers, said, by)


def _settle(held: MeterSeal, wagers: list[CountedWager], said: Said, by: Actor) -> list[Hit]:
    link, moment = held.link, timezone.now()
    by_name = {each.wager: each for each in wagers}
    ordered = [by_name[each.wager] for each in rules.in_order([w.as_sealed() for w in wagers], answer=said.said)]
    held.before, held.ceiling = movements.decided_meter(link, held.level), Money(_bounds_now(held).ceiling)
    found = computed(held, [each.increment.micros for each in ordered], said, bounds=_bounds(held))
    hits = [_fall(held, fall, ordered[fall.wager], moment, by) for fall in found.falls]
    fell = tuple(
        Fell(
            point=Money(fall.point),
            amount=Money(fall.amount),
            wager=ordered[fall.wager].wager,
            start=Money(fall.start),
            ceiling=Money(fall.ceiling),
            hit=hit.pk,
        )
        for fall, hit in zip(found.falls, hits, strict=True)
    )
    held.after, held.how, held.decided_at = Money(found.after), said.how.value, moment
    held.falls = [written(each) for each in fell]
    held.save(update_fields=["before", "after", "ceiling", "falls", "how", "decided_at"])
    record_act(
        MovementDecided(
            code=link.code,
            number=held.number,
            occasion=held.occasion,
            attempt=held.attempt,
            before=held.before,
            after=held.after,
            ceiling=held.ceiling,
            falls=fell,
            waiting=movements.undecided(link).count(),
            level=held.level,
        ),
        by=by,
    )
    return hits


def computed(seal: MeterSeal, increments: list[int], said: Said, *, bounds: Callable[[int], Bounds]) -> Decision:
    """What master and answer make of a movement. Raises MasterLost."""
    stream = draws.source(seal.commitment, said)
    before = movements.decided_meter(seal.link, seal.level)
    return rules.decide(
        before=before.micros, increments=increments, bounds=bounds, below=lambda bound: stream.below(bound)[0]
    )


def _bounds_now(seal: MeterSeal) -> Bounds:
    return rules.bounds_of(terms.of(terms.in_force(seal.link)).parameters, seal.of_level)


def _bounds(seal: MeterSeal) -> Callable[[int], Bounds]:
    """Those in force; with the first fall what was approved and waited for a win takes effect."""
    won: list[int] = []

    def bounds(falls: int) -> Bounds:
        if falls and not won:
            won.append(falls)
            condition_met(
                condition=WHEN_WON,
                subject=seal.link.subject,
                kinds=AFTER_WIN_KINDS,
                only=lambda proposal: _waits_for(seal, proposal),
            )
        return _bounds_now(seal)

    return bounds


def _waits_for(seal: MeterSeal, proposal: Proposal) -> bool:
    """Terms that change a level wait for that level to fall: nobody moves the bounds of a pool that is played for."""
    if proposal.kind != TERMS_KIND:
        return True
    now, new = terms.of(terms.in_force(seal.link)).parameters, terms.read(proposal.new).parameters
    return set(rules.levels_changed(now, new)) <= {seal.of_level}


def _fall(seal: MeterSeal, fall: Fall, wager: CountedWager, moment: datetime, by: Actor) -> Hit:
    """Its money is set aside, and the next pool filled to where it starts."""
    link, level = seal.link, seal.of_level
    day = gaming_day_at(moment).date
    link_terms = terms.of(terms.in_force(link))
    (prize,) = (each for each in link_terms.rules.pool_prizes if each.level == level)
    won = _winner(wager)
    won.link, won.sequence, won.level, won.day = link, last_sequence(link) + 1, level, day
    won.hand, won.kind, won.clause, won.restarts = prize.hand, prize.kind.value, prize.clause, True
    won.amount = won.from_pool = Money(fall.amount)
    won.from_house, won.measured_on = ZERO, Money(fall.point).down_to_cents()
    won.status, won.claimed_at = Hit.Status.CLAIMED, moment
    (hit,) = claim([won], by=by, day=day)
    held = pools.read_pools(link.code, levels=link.levels)
    moves = rules.restart(link_terms.parameters, held.balances, fall=fall, level=level)
    pools.book(
        link=link.code,
        movements=moves,
        kind=RESTART,
        reference=f"fall/{hit.pk}",
        memo={"seen": held.seen},
        by=by,
        day=day,
    )
    return hit


def _winner(wager: CountedWager) -> Hit:
    """Box and round stand in what was sealed; nobody names them afterwards."""
    if wager.round is not None:
        place = (Hit.objects.filter(round=wager.round).aggregate(last=Max("place"))["last"] or 0) + 1
        player_card = Wager.objects.get(round=wager.round, box=wager.box).player_card
        return Hit(
            table=wager.round.table,
            round=wager.round,
            place=place,
            box=wager.box,
            player_card=player_card,
            claimed_by=wager.round.started_by,
        )
    assert wager.batch is not None
    place = Hit.objects.filter(batch=wager.batch).count() + 1
    return Hit(
        table=wager.batch.table,
        batch=wager.batch,
        message=wager.message,
        place=place,
        box=wager.box,
        claimed_by=wager.batch.received_by,
    )
