"""A round ends: hands are ranked from what was dealt, and what was won is locked at once (decision 12).

A round without a win locks no pool. With one, the pool is held for this transaction: the amount is fixed, the winner's
money set aside, the pool restarted, and everything won on the link has one strict order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.approvals import condition_met
from house.gaming_days import gaming_day_at
from jackpot import links, movements, permissions, pools, steps, terms
from jackpot.claim import AFTER_WIN_KINDS, CONTRIBUTION, OVERFLOW, RESTART, WHEN_WON, claim, last_sequence
from jackpot.models import Hit, Link, Round, Wager
from jackpot.rules import pool as purses
from jackpot.rules.payouts import Dealt, Evaluation, evaluate
from jackpot.rules.policies import Contributes, Game
from jackpot.start_round import reference
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import NotFound, Refusal

KEPT: Final = "jackpot.kept"


@transaction.atomic
def finish_round(*, round_id: int, hands: Sequence[Dealt], by: Actor, folded: Sequence[int] = ()) -> list[Hit]:
    """End a round with what lay on its boxes; the answer is what was won, in order of payment."""
    by.require(permissions.PLAY)
    ending = find_round(round_id)
    steps.must_be_its_table(ending, by)
    link, link_terms = ending.table.link, terms.of(ending.terms)
    _check_boxes(ending, hands, folded)
    if link_terms.rules.game is Game.MYSTERY:
        return _finish_mystery(ending, hands, folded, by)
    wagers = {wager.box: wager for wager in Wager.objects.filter(round=ending)}
    shown = {level: Money.parse(amount) for level, amount in ending.displayed.items()}

    def evaluated(meter: Mapping[str, Money]) -> Evaluation:
        return evaluate(
            link_terms.rules,
            meter=meter,
            wagers=list(wagers),
            hands=hands,
            bonus=link_terms.bonus,
            folded=folded,
            displayed=shown,
        )

    # Who wins does not depend on the meter, only how much. Nobody: nothing to lock.
    won = bool(evaluated(shown).payouts)
    if won:
        links.hold(link.code)
    ending = lock_round(round_id, by)
    moment = timezone.now()
    day = gaming_day_at(moment).date
    if won:
        balances = _without_overflow(link, link_terms, reference(ending), by, day)
        result = evaluated({level: balances[level] for level in link_terms.levels})
        hits = _lock_hits(ending, result, wagers, by, day)
        _restart(ending, balances, result, by, day)
    else:
        hits, result = [], evaluated(shown)
    fed = link_terms.rules.contributing(wagers=wagers, paid=result.paid_boxes)
    if link_terms.rules.contributes is Contributes.LOSING_WAGERS and wagers:
        _decide_wagers(ending, link, link_terms, fed=len(fed), kept=len(wagers) - len(fed), by=by, day=day)
        ending.fed, ending.fed_day = len(fed), day
    ending.ended_at, ending.ended_day = moment, day
    _end(ending, hands, folded, by)
    return hits


def _finish_mystery(ending: Round, hands: Sequence[Dealt], folded: Sequence[int], by: Actor) -> list[Hit]:
    """No hand wins a must-hit-by jackpot. Its wagers count now; whether one won is decided within two seconds."""
    if hands:
        raise Refusal("not-won-by-a-hand", "No hand wins this jackpot: where it falls is drawn.", field="hands")
    ending = lock_round(ending.pk, by)
    moment = timezone.now()
    ending.ended_at, ending.ended_day = moment, gaming_day_at(moment).date
    wagers = Wager.objects.filter(round=ending).count()
    if wagers:
        link = ending.table.link
        _decide_wagers(ending, link, terms.of(ending.terms), fed=wagers, kept=0, by=by, day=ending.ended_day)
        movements.count_round(ending, at=moment)
        ending.fed, ending.fed_day = wagers, ending.ended_day
    _end(ending, hands, folded, by)
    return []


def _end(ending: Round, hands: Sequence[Dealt], folded: Sequence[int], by: Actor) -> None:
    ending.status, ending.ended_by, ending.ended_device = Round.Status.FINISHED, by.identity, by.device
    ending.hands = [
        {
            "box": hand.box,
            **({} if hand.declared else {"declared": False}),
            **({"cards": list(hand.cards)} if hand.cards is not None else {"tiles": list(hand.tiles or ())}),
        }
        for hand in hands
    ]
    ending.folded = sorted(set(folded))
    ending.save(
        update_fields=[
            "status", "ended_at", "ended_by", "ended_device", "ended_day", "hands", "folded", "fed", "fed_day",
        ]
    )  # fmt: skip


def find_round(round_id: int) -> Round:
    found = Round.objects.select_related("table__link", "terms").filter(pk=round_id).first()
    if found is None:
        raise NotFound("no-such-round", f"There is no round {round_id}.")
    return found


def lock_round(round_id: int, by: Actor) -> Round:
    """The round, held and still open. A late or doubled message from a controller finds it ended."""
    found = Round.objects.select_for_update(of=("self",)).select_related("table__link", "terms").get(pk=round_id)
    steps.must_finish(found, by)
    return found


def _check_boxes(ending: Round, hands: Sequence[Dealt], folded: Sequence[int]) -> None:
    for i, hand in enumerate(hands):
        if not 1 <= hand.box <= ending.table.boxes:
            raise Refusal("no-such-box", f"There is no box {hand.box} at {ending.table}.", field=f"hands[{i}].box")
    for i, box in enumerate(folded):
        if not 1 <= box <= ending.table.boxes:
            raise Refusal("no-such-box", f"There is no box {box} at {ending.table}.", field=f"folded[{i}]")


def _without_overflow(link: Link, link_terms: LinkTerms, ref: str, by: Actor, day: date) -> Mapping[str, Money]:
    """The purses under the lock, with what stands above a ceiling moved aside first."""
    balances = pools.read_pools(link.code, levels=link_terms.levels).balances
    aside = purses.overflow(link_terms.parameters, balances)
    pools.book(link=link.code, movements=aside, kind=OVERFLOW, reference=ref, by=by, day=day)
    return purses.apply(balances, aside)


def _lock_hits(ending: Round, result: Evaluation, wagers: Mapping[int, Wager], by: Actor, day: date) -> list[Hit]:
    link = ending.table.link
    last = last_sequence(link)
    hits = [
        Hit(
            link=link,
            sequence=last + place,
            table=ending.table,
            round=ending,
            place=place,
            box=payout.box,
            player_card=wagers[payout.box].player_card,
            hand=payout.hand,
            kind=payout.kind.value,
            level=payout.level,
            amount=payout.amount,
            from_pool=payout.from_pool,
            from_house=payout.from_house,
            measured_on=payout.measured_on,
            restarts=payout.level in result.restarts,
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


def _restart(ending: Round, balances: Mapping[str, Money], result: Evaluation, by: Actor, day: date) -> None:
    """After 100% was won, changes that waited for it take effect, and the next pool begins under them."""
    link = ending.table.link
    if result.restarts:
        condition_met(condition=WHEN_WON, subject=link.subject, kinds=AFTER_WIN_KINDS)
    after = purses.apply(balances, purses.pay(result))
    link_terms = terms.of(terms.in_force(link))
    movements = purses.after_win(link_terms.rules, link_terms.parameters, after, result)
    for level in link_terms.levels:  # each by itself: a denied win undoes the restart of its own level only
        pools.book(
            link=link.code,
            movements=[move for move in movements if move.target == level],
            kind=RESTART,
            reference=restart_of(ending, level),
            by=by,
            day=day,
        )


def restart_of(ending: Round, level: str) -> str:
    return f"{reference(ending)}/{level}"


def _decide_wagers(
    ending: Round, link: Link, link_terms: LinkTerms, *, fed: int, kept: int, by: Actor, day: date
) -> None:
    """act-cp:10.5, act-pg:12.7: losing wagers feed the pools, the winning ones are the house's, who pays."""
    for kind, moves, count in (
        (CONTRIBUTION, purses.contribute(link_terms.parameters, wagers=fed), fed),
        (KEPT, purses.keep(link_terms.parameters, wagers=kept), kept),
    ):
        pools.book(
            link=link.code,
            movements=moves,
            kind=kind,
            reference=reference(ending),
            memo={"table": ending.table.code, "wagers": count},
            by=by,
            day=day,
        )
