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
from jackpot import at_once, links, permissions, pools, promises, steps, terms
from jackpot.acts import RoundInvalidated, RoundVoided
from jackpot.claim import CONTRIBUTION, OVERFLOW, RESTART, WIN, opened, shown, win_reference
from jackpot.finish_round import KEPT, VOID_HAND, find_round, give_back, seeds_since, void_boxes
from jackpot.hit_acts import HitDenied
from jackpot.lock import restart_of, terms_back
from jackpot.models import Hit, Round, RoundStatus, Wager
from jackpot.rules.gazetted import cited
from jackpot.rules.policies import Kind, RuleSet
from jackpot.rules.pool import HOUSE, Movement, overflow_of
from jackpot.settle_pools import keep_at_seed
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
FRAUD: Final = "fraud"
LISTED_CAUSES: Final = ("civil-commotion", "fire", "riot", "brawl", "robbery", "act-of-god", FRAUD)
IMPRACTICAL: Final = "impractical-to-continue"  # in the ACT, beside the others (act-cp:15.4, act-pg:17.4)
INVALIDATION_CAUSES: Final = (*LISTED_CAUSES, IMPRACTICAL)
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
    """Invalidate a round, also a finished one of which nothing has been paid, for a cause that its rule lists: an error
    of staff is none, it is an irregularity with a rule of its own. Wagers go back; only in NSW, and only the wager of
    who committed a fraud, can be forfeited (nsw-csp:16.9, 16.10)."""
    by.require(permissions.INVALIDATE)
    rules = terms.of(find_round(round_id).terms).rules
    causes = causes_under(rules)
    if cause not in causes:
        raise Refusal("no-such-cause", f"The causes are {', '.join(causes)}.", clause=_listed(rules), field="cause")
    if forfeited and (_jurisdiction(rules) != "nsw" or cause != FRAUD):
        raise Refusal(
            "not-forfeited",
            "Wagers of an invalidated round go back; only in NSW can that of who committed the fraud be forfeited.",
            clause="nsw-csp:16.10" if _jurisdiction(rules) == "nsw" else _listed(rules),
            field="forfeited",
        )
    if not why.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: it stays on record.", field="why")
    return _end(round_id, Round.Status.INVALIDATED, f"{cause}: {why.strip()}", by, forfeited)


def _jurisdiction(rules: RuleSet) -> str:
    """``nsw``, ``act``, or nothing for a game that no gazetted rule governs."""
    return next((clause.partition("-")[0] for clause in cited(rules)), "")


def _listed(rules: RuleSet) -> str | None:
    return {"caribbean-stud": "nsw-csp:16.9", "boomerang": "act-cp:15.4", "gee-jun": "act-pg:17.4"}.get(rules.code)


def causes_under(rules: RuleSet) -> tuple[str, ...]:
    return LISTED_CAUSES if _jurisdiction(rules) == "nsw" else INVALIDATION_CAUSES


def void_by_two(*, round_id: int, why: str, by: Actor) -> Round:
    """One person has said that an open round does not count, and another decides (``waiting_rounds.py``)."""
    return _end(round_id, Round.Status.VOID, why, by, by_two=True)


def _end(
    round_id: int, status: RoundStatus, why: str, by: Actor, forfeited: Sequence[int] = (), *, by_two: bool = False
) -> Round:
    found = find_round(round_id)
    steps.must_be_at(found.table.code, by)
    link = found.terms.link
    links.hold(link.code)
    ending = Round.objects.select_for_update(of=("self",)).select_related("table", "terms__link").get(pk=round_id)
    if by_two:
        steps.must_be_running(ending, Round.Status.OPEN)
    else:
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
    given_back = Wager.objects.filter(round=ending).exclude(box__in=[*forfeited, *void_boxes(ending)])
    taken_back = RoundVoided if status == Round.Status.VOID else RoundInvalidated
    record_act(
        taken_back(
            link=link.code,
            round=ending.pk,
            table=ending.table.code,
            why=why,
            refunded=Money.total(wager.amount for wager in given_back),
            forfeited=tuple(sorted(set(forfeited))),
        ),
        by=by,
    )
    _take_back_hits(ending, why, by, day)
    _take_back_wagers(ending, forfeited, why=why, by=by, day=day)
    give_back(ending, list(given_back), by)
    keep_at_seed(link)
    ending.status, ending.why = status, why
    ending.unfed_day = day if ending.fed_day is not None else None
    ending.ended_at, ending.ended_by, ending.ended_device, ending.ended_day = moment, by.identity, by.device, day
    ending.save(update_fields=["status", "why", "unfed_day", "ended_at", "ended_by", "ended_device", "ended_day"])
    return ending


def _take_back_wagers(ending: Round, forfeited: Sequence[int], *, why: str, by: Actor, day: date) -> None:
    link, seeds = ending.terms.link, seeds_since(ending)
    kept = Money.total(Wager.objects.filter(round=ending, box__in=forfeited).values_list("amount", flat=True))
    for kind in (VOID_HAND, KEPT, CONTRIBUTION, HELD_WAGERS):
        pools.unbook(link=link, kind=kind, reference=reference(ending), why=why, by=by, day=day, seeds=seeds)
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
    hit.status, hit.reason = Hit.Status.DENIED, reason
    hit.denied_at, hit.denied_by, hit.denied_day = timezone.now(), by.identity, day
    hit.save(update_fields=["status", "reason", "denied_at", "denied_by", "denied_day"])
    record_act(HitDenied(**shown(hit), reason=reason, dealt=opened(hit)), by=by)
    _undo(hit, WIN, win_reference(hit), why=reason, by=by, day=day)
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
        lock = at_once.lock_of(hit)
        assert lock is not None
        if left := at_once.sharing(lock, hit.level):
            at_once.share_anew(hit, left, by=by)
        else:
            _undo(hit, RESTART, restart_of(hit), why=reason, by=by, day=day)
            terms_back(hit, by=by)


def _undo(hit: Hit, kind: str, ref: str, *, why: str, by: Actor, day: date) -> None:
    # As if it had not been: the pool may have stood below its seed before.
    pools.unbook(link=hit.link, kind=kind, reference=ref, why=why, by=by, day=day)
