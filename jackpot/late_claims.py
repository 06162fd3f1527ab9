"""A hand that should have won and was not named when its round was finished: claimed late, by two people.

One proposes it with the cards as surveillance has reconstructed them and its reference, another decides; then it is a
hit like any other, which a third verifies and a fourth pays. Where the rule asks the player to declare it before the
cards are collected (act-cp:10.3), the proposal says that he did. What it pays is measured as on the day of its round
where the rule measures on what was displayed then, otherwise on the pool as it is when the claim is locked.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from house.approvals import Approvable, Record, Shape
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from jackpot import links, permissions, pools, terms
from jackpot.approvables import code_of, link_of
from jackpot.claim import OVERFLOW
from jackpot.finish_round import displayed_at_start, find_round, void_boxes
from jackpot.lock import late_reference, lock_hits, restart_pools
from jackpot.models import Hit, LateHand, Round, Wager
from jackpot.round_acts import HandClaimedLate
from jackpot.rules import pool as purses
from jackpot.rules.payouts import late_payouts, names_of
from jackpot.rules.policies import Folded, Game, Kind, Prize
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.refusal import Conflict, Refusal
from web.fields import ListOf, Text, TrueOrFalse, WholeNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class LateClaim:
    round: int
    box: int
    pieces: list[str]
    surveillance: str
    declared: bool = True


class LateClaimValue(Record):
    """A hand that was not named when its round was finished."""

    round = WholeNumber(min_value=1)
    box = WholeNumber(min_value=1, max_value=20)
    pieces = ListOf(child=Text(max_length=16), max_length=20, help_text="Its cards or tiles, as reconstructed.")
    surveillance = Text(max_length=200, help_text="Its reference of the reconstruction.")
    declared = TrueOrFalse(required=False, help_text="The player declared it before the cards were collected.")
    makes = LateClaim


def check(subject: str, new: LateClaim) -> None:
    played = find_round(new.round)
    rules = terms.of(played.terms).rules
    if played.terms.link.subject != subject:
        raise Refusal("not-on-this-link", f"Round {new.round} was not played on {code_of(subject)}.", field="round")
    if played.status != Round.Status.FINISHED or rules.game is Game.MYSTERY:
        raise Conflict("round-not-finished", f"Round {new.round} is {played.status}: nothing is claimed late in it.")
    if not Wager.objects.filter(round=played, box=new.box).exists():
        raise Refusal("no-wager-on-box", f"Box {new.box} had no jackpot wager.", field="box")
    named = [hand["box"] for hand in played.hands or ()]
    if new.box in named or LateHand.objects.filter(round=played, box=new.box).exists():
        raise Conflict("hand-named", f"The hand of box {new.box} is on record.", field="box")
    if new.box in (played.folded or ()) and rules.folded is Folded.LOSES:
        raise Refusal("box-folded", f"Box {new.box} had folded.", clause="act-cp:7.3", field="box")
    if rules.declared_clause and not new.declared:
        raise Refusal("not-declared", "It wins only if declared.", clause=rules.declared_clause, field="declared")
    prize = rules.prize_for(names_of(rules, new.pieces))
    if prize is None:
        raise Refusal("hand-wins-nothing", "That hand wins no jackpot.", field="pieces")
    if prize.percent and _was_won(played, prize):
        raise Conflict(
            "shares-fixed",
            "Of that pool something was won in that round, and its shares are fixed. What this hand is owed beside "
            "them is an underpayment: record it as one.",
        )
    seen = [piece for hand in played.hands or () for piece in (hand.get("cards") or hand.get("tiles") or ())]
    if rules.game is Game.CARDS and set(seen) & set(new.pieces):
        raise Refusal("dealt-too-often", "One of these cards lay elsewhere in that round.", field="pieces")


def _was_won(played: Round, prize: Prize) -> bool:
    """Whether somebody in that round has a share of the pool, or a bonus that such a win brings; not if denied."""
    of_the_pool = Hit.objects.filter(Q(level=prize.level) | Q(kind=Kind.BONUS), round=played)
    return of_the_pool.exclude(status=Hit.Status.DENIED).exists()


def apply(proposal: Proposal, new: LateClaim, by: Actor) -> None:
    """The claim is locked: amount fixed, money set aside, the pool restarted where all of it was won."""
    check(proposal.subject, new)
    played = Round.objects.select_for_update(of=("self",)).select_related("table", "terms__link").get(pk=new.round)
    link, link_terms = played.terms.link, terms.of(played.terms)
    held = pools.read_pools(link.code, levels=link_terms.levels)
    aside = purses.overflow(link_terms.parameters, held.balances)
    balances = purses.apply(held.balances, aside)
    wagers = {wager.box: wager for wager in Wager.objects.filter(round=played)}
    places = Hit.objects.filter(round=played).count()
    result = late_payouts(
        link_terms.rules,
        pools={level: balances[level] for level in link_terms.levels},
        shown=displayed_at_start(played),
        boxes=sorted(wagers.keys() - void_boxes(played), reverse=True),
        box=new.box,
        pieces=new.pieces,
        bonus=link_terms.bonus,
    )
    day = gaming_day_at(timezone.now()).date
    act = record_act(
        HandClaimedLate(
            link=link.code,
            round=played.pk,
            table=played.table.code,
            box=new.box,
            pieces=tuple(new.pieces),
            proposal=proposal.pk,
            pools=held.balances,
            seen=held.seen,
        ),
        by=by,
    )
    LateHand.objects.create(round=played, box=new.box, pieces=new.pieces, act=act, proposal=proposal)
    ref = late_reference(played, new.box)
    pools.book(link=link.code, movements=aside, kind=OVERFLOW, reference=ref, by=by, day=day)
    hits = lock_hits(played, result, wagers, by, day, after=places)
    restart_pools(played, balances, result, by, day, hits=hits, under=ref)


def _exists(subject: str) -> None:
    link_of(subject)


def _hold(subject: str, new: object) -> None:
    links.hold(link_of(subject).code)


LATE_CLAIM = Approvable(
    kind="jackpot.late-claim",
    label="A jackpot hand that was not named when its round ended",
    shape=Shape[LateClaim](LateClaimValue()),
    authority=Authority.HOUSE,
    permission=permissions.DECIDE,
    describe=lambda subject, old, new: (
        f"{code_of(subject)}: {' '.join(new.pieces)} on box {new.box} of round {new.round} ({new.surveillance})."
    ),
    current=_exists,
    check=check,
    hold=_hold,
    apply=apply,
)
