"""Rounds that do not count: wagers go back, contributions are reversed, nothing is won.

*Void* is what the dealer sees before the round ends: dealt wrongly, or a card missing or foreign (nsw-csp:14.4, 14.9).
*Invalidated* is a supervisor's decision, also after the end, as long as nothing of it has been paid (nsw-csp:16.9,
act-cp:15.4).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from house import incidents
from house.gaming_days import gaming_day_at
from house.incident_kinds import FOREIGN_OR_MISSING_CARD
from house.log import record_act
from house.models import PlayLineKind
from house.players import cards, play
from jackpot import links, permissions, pools, promises, steps, terms
from jackpot.acts import HitDenied, RoundInvalidated, RoundVoided
from jackpot.claim import CONTRIBUTION, OVERFLOW, RESTART, WIN, shown
from jackpot.finish_round import KEPT, find_round, restart_of
from jackpot.models import Hit, Link, Round, RoundStatus, Wager
from jackpot.rules.policies import Kind
from jackpot.rules.pool import HOUSE, Movement, overflow_of
from jackpot.start_round import HELD_WAGERS, reference
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Refusal

MISDEAL: Final = "misdeal"
FOREIGN_CARD: Final = "foreign-card"
CAUSES: Final = {
    MISDEAL: "dealt wrongly (nsw-csp:14.4)",
    FOREIGN_CARD: "a card was missing or foreign (nsw-csp:14.9)",
    "other": "another cause",
}
INVALIDATION_CAUSES: Final = (
    "illegal-irregular-or-fraudulent-conduct",
    "wrong-equipment-or-rules",
    "error-of-staff",
    "disruption",
)
FORFEITED: Final = "jackpot.forfeited"


@transaction.atomic
def void_round(*, round_id: int, by: Actor, cause: str = MISDEAL, why: str = "") -> Round:
    """Void an open round. A card that is missing or foreign is an incident as well (nsw-csp:14.9)."""
    by.require(permissions.VOID)
    if cause not in CAUSES:
        raise Refusal("no-such-cause", f"A round is void for one of: {', '.join(CAUSES)}.", field="cause")
    ended = _end(round_id, Round.Status.VOID, f"{cause}: {why.strip() or CAUSES[cause]}", by)
    if cause == FOREIGN_CARD:
        incidents.open_incident(
            kind=FOREIGN_OR_MISSING_CARD,
            what=f"Round {round_id} at {ended.table}: {why.strip() or CAUSES[cause]}.",
            by=by,
            subject=f"table:{ended.table}",
        )
    return ended


@transaction.atomic
def invalidate_round(*, round_id: int, by: Actor, cause: str, why: str, forfeited: Sequence[int] = ()) -> Round:
    """Invalidate a round, also a finished one of which nothing has been paid. The wagers on the forfeited boxes are not
    given back (nsw-csp:16.10)."""
    by.require(permissions.INVALIDATE)
    if cause not in INVALIDATION_CAUSES:
        raise Refusal("no-such-cause", f"The causes are {', '.join(INVALIDATION_CAUSES)}.", field="cause")
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    return _end(round_id, Round.Status.INVALIDATED, f"{cause}: {why.strip()}", by, forfeited)


def _end(round_id: int, status: RoundStatus, why: str, by: Actor, forfeited: Sequence[int] = ()) -> Round:
    found = find_round(round_id)
    steps.must_be_at(found.table.code, by)
    link = found.table.link
    links.hold(link.code)
    ending = Round.objects.select_for_update(of=("self",)).select_related("table__link", "terms").get(pk=round_id)
    (steps.must_void if status == Round.Status.VOID else steps.must_invalidate)(ending, by)
    if ending.status == Round.Status.FINISHED and promises.is_must_hit_by(terms.of(ending.terms)):
        raise Conflict(
            "movement-stands",
            f"The wagers of round {ending.pk} have counted, and what they moved never goes back. Propose a refund: it "
            "is the house’s cost, and a second person decides it.",
        )
    moment = timezone.now()
    day = gaming_day_at(moment).date
    wagers = {wager.box: wager.amount for wager in Wager.objects.filter(round=ending)}
    if strange := set(forfeited) - set(wagers):
        raise Refusal("no-wager-on-box", f"Box {min(strange)} has no jackpot wager in this round.", field="forfeited")
    _take_back_hits(ending, why, by, day)
    for kind in (KEPT, CONTRIBUTION, HELD_WAGERS):
        _undo(link, kind, reference(ending), why=why, by=by, day=day)
    kept = Money.total(wagers[box] for box in set(forfeited))
    if kept:
        pools.book(
            link=link.code,
            movements=[Movement("wagers", HOUSE, kept)],
            kind=FORFEITED,
            reference=reference(ending),
            outside={"wagers": pools.account(link.code, pools.DROP)},
            memo={"table": ending.table.code, "boxes": sorted(set(forfeited)), "why": why},
            by=by,
            day=day,
        )
    give_back(ending, forfeited, by)
    ending.status, ending.why = status, why
    ending.unfed_day = day if ending.fed_day is not None else None
    ending.ended_at, ending.ended_by, ending.ended_device, ending.ended_day = moment, by.identity, by.device, day
    ending.save(update_fields=["status", "why", "unfed_day", "ended_at", "ended_by", "ended_device", "ended_day"])
    taken_back = RoundVoided if status == Round.Status.VOID else RoundInvalidated
    record_act(
        taken_back(
            link=link.code,
            round=ending.pk,
            table=ending.table.code,
            why=why,
            refunded=Money.total(wagers.values()) - kept,
            forfeited=tuple(sorted(set(forfeited))),
        ),
        by=by,
    )
    return ending


def give_back(ending: Round, forfeited: Sequence[int], by: Actor) -> None:
    """A wager that does not count makes room again under its player's limit; a forfeited one was lost."""
    counted = Wager.objects.filter(round=ending, player_card__isnull=False).exclude(box__in=forfeited)
    for wager in counted.order_by("player_card"):
        play.give_back(
            player_id=cards.holder(wager.player_card),
            kind=PlayLineKind.REFUND,
            amount=wager.amount,
            place=ending.table.code,
            reference=reference(ending),
            by=by,
        )


def _take_back_hits(ending: Round, why: str, by: Actor, day: date) -> None:
    hits = list(
        Hit.objects.select_for_update(of=("self",)).select_related("link", "table", "round").filter(round=ending)
    )
    if any(hit.status == Hit.Status.PAID for hit in hits):
        raise Conflict("hit-paid", f"Something won in round {ending.pk} has been paid: it cannot be taken back.")
    for hit in hits:
        if hit.status != Hit.Status.DENIED:
            steps.must_be_another_person(hit, by, permissions.INVALIDATE)
            deny(hit, reason=why, by=by, day=day)


def deny(hit: Hit, *, reason: str, by: Actor, day: date) -> None:
    """Give what was set aside back to where it came from. The pool and the hit are held by the caller.

    Once nobody is left who won from its level, the restart that followed is undone too: the pool stands as if the hit
    had not been, with everything that has come in since. Not so a must-hit-by link: what is decided is never decided
    again. What it won waits beside the pool and starts the next ones.
    """
    _undo(hit.link, WIN, f"hit/{hit.pk}", why=reason, by=by, day=day)
    hit.status, hit.reason = Hit.Status.DENIED, reason
    hit.denied_at, hit.denied_by, hit.denied_day = timezone.now(), by.identity, day
    hit.save(update_fields=["status", "reason", "denied_at", "denied_by", "denied_day"])
    if hit.kind == Kind.MYSTERY:
        assert hit.level is not None
        pools.book(
            link=hit.link.code,
            movements=[Movement(hit.level, overflow_of(hit.level), hit.from_pool)],
            kind=OVERFLOW,
            reference=f"denied/{hit.pk}",
            by=by,
            day=day,
        )
    elif hit.level is not None and hit.round is not None:
        not_denied = Hit.objects.filter(round=hit.round, level=hit.level).exclude(status=Hit.Status.DENIED)
        if not not_denied.exists():
            _undo(hit.link, RESTART, restart_of(hit.round, hit.level), why=reason, by=by, day=day)
    record_act(HitDenied(**shown(hit), reason=reason), by=by)


def _undo(link: Link, kind: str, ref: str, *, why: str, by: Actor, day: date) -> None:
    pools.unbook(link=link.code, kind=kind, reference=ref, why=why, by=by, day=day, levels=link.levels)
