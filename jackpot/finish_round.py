"""A round ends: hands are ranked from what was dealt, and what was won is locked at once (decision 12).

A round without a win locks no pool. With one, the pool is held for this transaction: the amount is fixed, the winner's
money set aside, the pool restarted, and everything won on the link has one strict order. What lay on the boxes goes
into the log first, with the pools as they stood: from it everybody computes what follows.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from chance.cards import HAND_SIZE, read_card
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import PlayLineKind
from house.players import cards, play
from jackpot import at_once, links, movements, permissions, pools, steps, terms
from jackpot.claim import CONTRIBUTION, OVERFLOW
from jackpot.lock import lock_hits, restart_pools
from jackpot.models import Hit, Link, Round, Wager
from jackpot.pools import PoolBalances
from jackpot.round_acts import RoundFinished
from jackpot.rules import pool as purses
from jackpot.rules.at_once import are_shared
from jackpot.rules.payouts import Dealt, Evaluation, evaluate
from jackpot.rules.policies import Contributes, Game
from jackpot.rules.pool import HOUSE, WAGERS, WINNERS, Movement
from jackpot.rules.sealed_hands import HandOnBox, salt_of, seal_of
from jackpot.start_round import reference
from jackpot.terms import LinkTerms
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import NotFound, Refusal

KEPT: Final = "jackpot.kept"
VOID_HAND: Final = "jackpot.void-hand"
SALT_BYTES: Final = 32


@dataclass(frozen=True, slots=True)
class Ending:
    """What a table says of the end of a round, and what it has of wagers."""

    hands: Sequence[Dealt]
    folded: tuple[int, ...]
    wagers: Mapping[int, Wager]
    void: tuple[int, ...]
    """Wagering boxes whose hand has too few or too many cards: void by itself (nsw-csp:14.8, act-cp:13.4)."""

    def evaluated(self, ending: Round, meter: Mapping[str, Money]) -> Evaluation:
        link_terms = terms.of(ending.terms)
        return evaluate(
            link_terms.rules,
            meter=meter,
            wagers=[box for box in self.wagers if box not in self.void],
            hands=[hand for hand in self.hands if not is_void(link_terms, hand)],
            bonus=link_terms.bonus,
            folded=self.folded,
            displayed=displayed_at_start(ending),
        )


def displayed_at_start(ending: Round) -> dict[str, Money]:
    return {level: Money.parse(amount) for level, amount in ending.displayed.items()}


def is_void(link_terms: LinkTerms, hand: Dealt) -> bool:
    """Of cards only: tiles handed out wrongly are a misdeal, and void the round (act-pg:15.2, 15.3)."""
    return link_terms.rules.game is Game.CARDS and hand.cards is not None and len(hand.cards) != HAND_SIZE


def void_boxes(ended: Round) -> list[int]:
    """Boxes whose wager went back when the round ended, because their hand was void."""
    link_terms = terms.of(ended.terms)
    hands = [Dealt(box=hand["box"], cards=hand.get("cards")) for hand in ended.hands or ()]
    return [hand.box for hand in hands if is_void(link_terms, hand)]


@transaction.atomic
def finish_round(*, round_id: int, hands: Sequence[Dealt], by: Actor, folded: Sequence[int] = ()) -> list[Hit]:
    """End a round with what lay on its boxes; the answer is what was won, in order of payment."""
    by.require(permissions.PLAY)
    found = find_round(round_id)
    steps.must_be_its_table(found, by)
    return end_with(found, hands=hands, folded=folded, by=by)


def end_with(
    found: Round, *, hands: Sequence[Dealt], folded: Sequence[int], by: Actor, by_two: bool = False
) -> list[Hit]:
    """*by_two*: one person has said so and another decides (``waiting_rounds.py``)."""
    link_terms = terms.of(found.terms)
    _check_boxes(found, hands, folded)
    said = _read(found, hands, folded)
    if link_terms.rules.game is Game.MYSTERY:
        return _finish_mystery(found, said, by)
    # Who wins does not depend on the meter, only how much. Nobody, and nothing to give back: nothing to lock.
    won = bool(said.evaluated(found, displayed_at_start(found)).payouts)
    if won or (said.void and link_terms.rules.contributes is Contributes.EVERY_WAGER):
        links.hold(found.terms.link.code)
    ending = lock_round(found.pk, by, by_two=by_two)
    moment = timezone.now()
    if said.void:
        _give_back_void(ending, link_terms, said, by, gaming_day_at(moment).date)
    if won:
        hits, result = _win(ending, said, by, moment)
    else:
        hits, result = [], said.evaluated(ending, displayed_at_start(ending))
        record_finished(ending, said, by, at=moment)
    _settle_wagers(ending, said, result, by)
    _end(ending, by)
    return hits


def _read(found: Round, hands: Sequence[Dealt], folded: Sequence[int]) -> Ending:
    link_terms = terms.of(found.terms)
    wagers = {wager.box: wager for wager in Wager.objects.filter(round=found)}
    void = set()
    for i, hand in enumerate(hands):
        if is_void(link_terms, hand):
            for place, card in enumerate(hand.cards or ()):
                read_card(card, clause=link_terms.rules.foreign_piece_clause, field=f"hands[{i}].cards[{place}]")
            void.add(hand.box)
    return Ending(hands, tuple(sorted(set(folded))), wagers, tuple(sorted(void & wagers.keys())))


def _finish_mystery(found: Round, said: Ending, by: Actor) -> list[Hit]:
    """No hand wins a must-hit-by jackpot. Its wagers count now; whether one won is decided within two seconds."""
    if said.hands:
        raise Refusal("not-won-by-a-hand", "No hand wins this jackpot: where it falls is drawn.", field="hands")
    ending = lock_round(found.pk, by)
    moment = timezone.now()
    record_finished(ending, said, by, at=moment)
    assert ending.ended_day is not None
    wagers = len(said.wagers)
    if wagers:
        _decide_wagers(ending, fed=wagers, kept=0, by=by, day=ending.ended_day)
        movements.count_round(ending, at=moment)
        ending.fed, ending.fed_day = wagers, ending.ended_day
    _end(ending, by)
    return []


def _win(ending: Round, said: Ending, by: Actor, moment: datetime) -> tuple[list[Hit], Evaluation]:
    """The pools as they stand under the lock, with what is above a ceiling moved aside first, are what is paid from."""
    link, link_terms = ending.terms.link, terms.of(ending.terms)
    held = pools.read_pools(link.code, levels=link_terms.levels)
    aside = purses.overflow(link_terms.parameters, held.balances)
    balances = purses.apply(held.balances, aside)
    result = said.evaluated(ending, {level: balances[level] for level in link_terms.levels})
    joining = at_once.joining(ending, result)
    for each in joining:
        result = each.joined.instead(result)
    open_seen = None
    if result.restarts and are_shared(link_terms.rules):
        ending.waits_for, open_seen = at_once.open_rounds(ending)
    record_finished(ending, said, by, at=moment, held=held, result=result, open_seen=open_seen)
    assert ending.ended_day is not None
    pools.book(link=link.code, movements=aside, kind=OVERFLOW, reference=reference(ending), by=by, day=ending.ended_day)
    for each in joining:
        level, back = each.joined.level, each.joined.back
        each.fix_others(winners=len(each.others) + sum(won.level == level for won in result.payouts), by=by)
        balances = purses.apply(balances, [Movement(WINNERS, level, back)])
    locks = {each.joined.level: each.lock for each in joining}
    hits = lock_hits(ending, result, said.wagers, by, ending.ended_day, locks=locks)
    restart_pools(ending, balances, result, by, ending.ended_day, hits=hits)
    return hits, result


def record_finished(
    ending: Round,
    said: Ending,
    by: Actor,
    *,
    at: datetime,
    held: PoolBalances | None = None,
    result: Evaluation | None = None,
    open_seen: str | None = None,
) -> None:
    """Write down what lay on the boxes, and what the log may show of it: a hand that won something is sealed there
    until it has been verified or denied."""
    ending.ended_at, ending.ended_day = at, gaming_day_at(at).date
    ending.hands, ending.folded = [_kept(hand) for hand in said.hands], list(said.folded)
    ending.salt = secrets.token_bytes(SALT_BYTES)
    winners = {payout.box for payout in result.payouts} if result is not None else set()
    ending.finished_act = record_act(
        RoundFinished(
            link=ending.terms.link.code,
            round=ending.pk,
            table=ending.table.code,
            hands=tuple(on_box(ending, hand, sealed=hand.box in winners) for hand in said.hands),
            folded=said.folded,
            void=said.void,
            pools=held.balances if held else None,
            seen=held.seen if held else None,
            waits_for=None if open_seen is None else tuple(ending.waits_for or ()),
            open_seen=open_seen,
        ),
        by=by,
    )


def on_box(ending: Round, hand: Dealt, *, sealed: bool) -> HandOnBox:
    pieces = tuple(hand.cards if hand.cards is not None else hand.tiles or ())
    salt = salt_of(bytes(ending.salt or b""), hand.box)
    seal = seal_of(round_id=ending.pk, box=hand.box, pieces=pieces, salt=salt) if sealed else None
    return HandOnBox(box=hand.box, declared=hand.declared, pieces=None if sealed else pieces, sealed=seal)


def _kept(hand: Dealt) -> dict[str, object]:
    return {
        "box": hand.box,
        **({} if hand.declared else {"declared": False}),
        **({"cards": list(hand.cards)} if hand.cards is not None else {"tiles": list(hand.tiles or ())}),
    }


def _end(ending: Round, by: Actor) -> None:
    ending.status, ending.ended_by, ending.ended_device = Round.Status.FINISHED, by.identity, by.device
    ending.save(
        update_fields=[
            "status", "ended_at", "ended_by", "ended_device", "ended_day", "hands", "folded", "fed", "fed_day",
            "voided", "voided_day", "salt", "finished_act", "waits_for",
        ]
    )  # fmt: skip


def find_round(round_id: int) -> Round:
    found = Round.objects.select_related("table", "terms__link").filter(pk=round_id).first()
    if found is None:
        raise NotFound("no-such-round", f"There is no round {round_id}.")
    return found


def lock_round(round_id: int, by: Actor, *, by_two: bool = False) -> Round:
    """The round, held and still open. A late or doubled message from a controller finds it ended."""
    found = Round.objects.select_for_update(of=("self",)).select_related("table", "terms__link").get(pk=round_id)
    if by_two:
        steps.must_be_running(found, Round.Status.OPEN)
    else:
        steps.must_finish(found, by)
    return found


def _check_boxes(ending: Round, hands: Sequence[Dealt], folded: Sequence[int]) -> None:
    for i, hand in enumerate(hands):
        if not 1 <= hand.box <= ending.table.boxes:
            raise Refusal("no-such-box", f"There is no box {hand.box} at {ending.table}.", field=f"hands[{i}].box")
    for i, box in enumerate(folded):
        if not 1 <= box <= ending.table.boxes:
            raise Refusal("no-such-box", f"There is no box {box} at {ending.table}.", field=f"folded[{i}]")


def _settle_wagers(ending: Round, said: Ending, result: Evaluation, by: Actor) -> None:
    """What becomes of the wagers themselves where only losing ones contribute, now that it is known which of them won.
    Those on a void hand have gone back."""
    link_terms, day = terms.of(ending.terms), ending.ended_day
    assert day is not None
    counted = [box for box in said.wagers if box not in said.void]
    if link_terms.rules.contributes is Contributes.LOSING_WAGERS and said.wagers:
        fed = link_terms.rules.contributing(wagers=counted, paid=result.paid_boxes)
        _decide_wagers(ending, fed=len(fed), kept=len(counted) - len(fed), by=by, day=day)
        ending.fed, ending.fed_day = len(fed), day


def _give_back_void(ending: Round, link_terms: LinkTerms, said: Ending, by: Actor, day: date) -> None:
    """nsw-csp:14.8, act-cp:13.4: a void hand takes no part; its wager goes back, with what it had brought in.

    Before anything is measured: void is "invalid with no result" (nsw-csp:1.1), so a wager that goes back is none of
    "this round's wagers", and who wins beside it wins the pool without it."""
    link, parameters, count = ending.terms.link, link_terms.parameters, len(said.void)
    moves: tuple[Movement, ...] = (Movement(WAGERS, pools.DROP, parameters.wager * count),)
    outside = None
    if link_terms.rules.contributes is Contributes.EVERY_WAGER:
        moves = purses.take_back(purses.contribute(parameters, wagers=count))
        outside = {WAGERS: pools.account(link.code, pools.DROP), HOUSE: pools.account(link.code, HOUSE)}
        pools.keep_floors(
            link,
            moves,
            reference=f"{VOID_HAND}/{reference(ending)}",
            why="void hand",
            by=by,
            day=day,
            seeds=seeds_since(ending),
        )
        ending.voided, ending.voided_day = count, day
    pools.book(
        link=link.code,
        movements=moves,
        kind=VOID_HAND,
        reference=reference(ending),
        outside=outside,
        memo={"table": ending.table.code, "boxes": list(said.void)},
        by=by,
        day=day,
    )
    give_back(ending, [said.wagers[box] for box in said.void], by)


def seeds_since(started: Round) -> dict[str, Money]:
    """By level: the seed of a pool that another round has won, and that began again, since this round began. What this
    one had brought in went with that win."""
    won = Hit.objects.filter(link=started.terms.link, restarts=True, claimed_at__gte=started.started_at)
    levels = won.exclude(round=started).exclude(status=Hit.Status.DENIED).values_list("level", flat=True)
    parameters = terms.of(terms.in_force(started.terms.link)).parameters
    return {level: parameters.level(level).seed for level in set(levels) if level}


def give_back(ending: Round, wagers: Sequence[Wager], by: Actor) -> None:
    """Wagers that do not count make room again under their players' limits."""
    for wager in sorted((each for each in wagers if each.player_card), key=lambda each: str(each.player_card)):
        play.give_back(
            player_id=cards.holder(wager.player_card),
            kind=PlayLineKind.REFUND,
            amount=wager.amount,
            place=ending.table.code,
            reference=reference(ending),
            by=by,
        )


def _decide_wagers(ending: Round, *, fed: int, kept: int, by: Actor, day: date) -> None:
    """act-cp:10.5, act-pg:12.7: losing wagers feed the pools, the winning ones are the house's, who pays."""
    link: Link = ending.terms.link
    parameters = terms.of(ending.terms).parameters
    for kind, moves, count in (
        (CONTRIBUTION, purses.contribute(parameters, wagers=fed), fed),
        (KEPT, purses.keep(parameters, wagers=kept), kept),
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
