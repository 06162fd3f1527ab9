"""What a hit is owed, computed again from what was sealed, before it is paid (decision 16).

From the log: the act by which its round began (wagers, displayed amounts, terms) and the one by which it ended (hands,
folded boxes, the pools under the lock), both as they stand in the sealed tree. The cards come from the round's row and
must be those that were sealed. By the rules this gives every payout of the round; the hit must be the one at its place.
What a must-hit-by movement gave is the sealed decision's. A difference stops the payment and is an incident.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from django.db import transaction
from django.db.models import Min, Q

from house.incidents import open_incident
from house.models import Incident, IncidentStatus
from jackpot import terms
from jackpot.acts import MovementDecided
from jackpot.incident_kinds import HIT_DIFFERS
from jackpot.models import Hit, LateHand, MeterSeal, Round, Terms
from jackpot.round_acts import HandClaimedLate, RoundFinished, RoundStarted
from jackpot.rules import pool as purses
from jackpot.rules.at_once import shares
from jackpot.rules.link_terms import LinkTerms
from jackpot.rules.payouts import Evaluation, Payout, late_payouts, names_of, pay_prizes, prizes_won
from jackpot.rules.policies import Kind
from jackpot.rules.sealed_hands import HandOnBox, salt_of, seal_of
from kernel.actors import Actor
from kernel.acts import Act as AnAct
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Refusal
from ledger.models import Act
from ledger.proofs import is_as_sealed


class Differs(Exception):
    """What is on record is not what was sealed; says what."""


def require_as_sealed(hit: Hit, *, by: Actor) -> None:
    """Refuse to pay what the sealed round did not win. One incident a hit, however often it is tried."""
    try:
        if hit.kind == Kind.MYSTERY:
            _check_fall(hit)
        else:
            _check_hand(hit)
    except (Differs, Refusal) as found:
        raise Conflict(
            "hit-differs",
            f"Nothing is paid: {found} Keep the cards, and call a supervisor: there is an incident about it.",
            clause=hit.clause,
        ).noting(partial(_report, hit.pk, str(found), by)) from None


@transaction.atomic
def _report(number: int, why: str, by: Actor) -> None:
    hit = Hit.objects.select_for_update(of=("self",)).select_related("table").get(pk=number)
    subject = f"hit:{number}"
    if not Incident.objects.filter(kind=HIT_DIFFERS.code, subject=subject, status=IncidentStatus.OPEN).exists():
        what = f"The payment of hit {number} at {hit.table}, ${hit.amount}, was stopped. {why}"
        open_incident(kind=HIT_DIFFERS, what=what, by=by, subject=subject)


def _sealed(row: int | None, kind: type[AnAct], subject: str) -> Any:
    """The act in the log at that row, as it was sealed (in its first second it is not sealed yet)."""
    found = Act.objects.filter(pk=row, kind=kind.kind, subject=subject).first() if row else None
    if found is None or is_as_sealed(found) is False:
        raise Differs(f"the log does not say what the sealed record says ({kind.kind}).")
    return kind.read(found.data, subject=found.subject)


def _check_hand(hit: Hit) -> None:
    dealt = hit.round
    if dealt is None:
        raise Differs("it was won in no round.")
    payout = _at_its_place(hit, owed_by(dealt, hit))
    lock = hit.lock or dealt
    if hit.level is not None and lock.waits_for:
        payout = _shared(hit, lock)
    if not _is(hit, payout):
        raise Differs(f"hit {hit.pk} is not what its round won at place {hit.place} by the sealed cards.")


def _at_its_place(hit: Hit, due: Sequence[Payout]) -> Payout:
    if not 1 <= hit.place <= len(due):
        raise Differs(f"hit {hit.pk} is not what its round won at place {hit.place} by the sealed cards.")
    return due[hit.place - 1]


def _shared(hit: Hit, lock: Round) -> Payout:
    """Its share of what the first of the majors won that were won at the same time (act-pg:13.3): every one of them by
    the sealed cards of its own round, in a round that was open then by the sealed end of the first."""
    ended: RoundFinished = _sealed(lock.finished_act, RoundFinished, hit.link.subject)
    sharing = Hit.objects.filter(Q(round=lock) | Q(lock=lock), level=hit.level)
    first_paid = sharing.aggregate(first=Min("paid_at"))["first"]
    found, wagers, displayed = None, [], None
    for each in sharing.order_by("sequence"):
        if each.denied_at is not None and (first_paid is None or each.denied_at < first_paid):
            continue
        assert each.round is not None
        if each.round != lock and each.round_id not in (ended.waits_for or ()):
            raise Differs(f"round {each.round_id} was not open when that of hit {hit.pk} was won.")
        alone = _at_its_place(each, owed_by(each.round, each))
        if (alone.box, alone.hand, alone.level) != (each.box, each.hand, each.level):
            raise Differs(f"hit {each.pk} is not what its round won by the sealed cards.")
        displayed = alone.measured_on if each.round == lock else displayed
        wagers.append((each.pk, terms.of(each.round.terms).parameters.wager))
        found = alone if each.pk == hit.pk else found
    displayed = displayed or _displayed_at(lock, hit)
    parts = dict(zip((pk for pk, _ in wagers), shares(displayed, [wager for _, wager in wagers]), strict=True))
    if found is None or hit.measured_on != displayed:
        raise Differs(f"hit {hit.pk} was not measured on what was displayed when the first was won.")
    return replace(found, amount=parts[hit.pk], from_pool=parts[hit.pk], from_house=ZERO, measured_on=displayed)


def _displayed_at(lock: Round, hit: Hit) -> Money:
    """What the first won, though it was denied: it is what the others share."""
    first = Hit.objects.filter(round=lock, lock=None, level=hit.level).order_by("sequence").first()
    measured_on = None if first is None else _at_its_place(first, owed_by(lock, first)).measured_on
    if measured_on is None:
        raise Differs(f"nothing was won in round {lock.pk} that hit {hit.pk} could share.")
    return measured_on


def _is(hit: Hit, payout: Payout) -> bool:
    stored = (hit.box, hit.hand, hit.kind, hit.level, hit.amount, hit.from_pool, hit.from_house)
    return stored == (
        *(payout.box, payout.hand, payout.kind.value, payout.level),
        *(payout.amount, payout.from_pool, payout.from_house),
    )


def owed_by(dealt: Round, hit: Hit) -> list[Payout]:
    """Everything its round pays, in order, from the sealed acts and the cards that open them; then late claims."""
    subject = hit.link.subject
    began: RoundStarted = _sealed(dealt.started_act, RoundStarted, subject)
    ended: RoundFinished = _sealed(dealt.finished_act, RoundFinished, subject)
    if not began.round == ended.round == dealt.pk:
        raise Differs(f"the acts that round {dealt.pk} names are another round’s.")
    link_terms = terms.of(Terms.objects.get(link=hit.link, version=began.terms))
    found = list(_at_its_end(dealt, link_terms, began, ended).payouts) if ended.pools is not None else []
    for late in dealt.late_hands.order_by("pk"):
        found += _claimed_late(late, link_terms, began, ended, subject).payouts
    return [payout for payout in found if payout.amount]


def _claimed_late(
    late: LateHand, link_terms: LinkTerms, began: RoundStarted, ended: RoundFinished, subject: str
) -> Evaluation:
    act: HandClaimedLate = _sealed(late.act, HandClaimedLate, subject)
    if (act.round, act.box, list(act.pieces)) != (late.round_id, late.box, late.pieces):
        raise Differs(f"the late hand of box {late.box} is not the one in the log.")
    pools = purses.apply(act.pools, purses.overflow(link_terms.parameters, act.pools))
    return late_payouts(
        link_terms.rules,
        pools={level: pools[level] for level in link_terms.levels},
        shown=began.displayed,
        boxes=_valid_boxes(began, ended),
        box=act.box,
        pieces=act.pieces,
        bonus=link_terms.bonus,
    )


def _valid_boxes(began: RoundStarted, ended: RoundFinished) -> list[int]:
    """With a wager, and a hand that was not void; from right to left."""
    return sorted(set(began.boxes) - set(ended.void), reverse=True)


def _at_its_end(dealt: Round, link_terms: LinkTerms, began: RoundStarted, ended: RoundFinished) -> Evaluation:
    assert ended.pools is not None
    rules, parameters = link_terms.rules, link_terms.parameters
    boxes = _valid_boxes(began, ended)
    names = {}
    for hand in ended.hands:
        pieces = _pieces(dealt, hand)
        if hand.box not in ended.void and (hand.declared or not rules.declared_clause):
            names[hand.box] = names_of(rules, pieces)
    pools = purses.apply(ended.pools, purses.overflow(parameters, ended.pools))
    return pay_prizes(
        rules,
        pools={level: pools[level] for level in link_terms.levels},
        shown=began.displayed,
        boxes=boxes,
        won=prizes_won(rules, boxes, names, folded=frozenset(ended.folded)),
        bonus=link_terms.bonus,
    )


def _pieces(dealt: Round, hand: HandOnBox) -> list[str]:
    """The cards or tiles of a box, from its row, where they are those in the log."""
    stored: dict[str, Any] = next((each for each in dealt.hands or () if each["box"] == hand.box), {})
    pieces = list(stored.get("cards") or stored.get("tiles") or ())
    if hand.pieces is not None:
        if pieces != list(hand.pieces):
            raise Differs(f"the hand of box {hand.box} is not the one in the log.")
        return pieces
    salt = salt_of(bytes(dealt.salt or b""), hand.box)
    if seal_of(round_id=dealt.pk, box=hand.box, pieces=pieces, salt=salt) != hand.sealed:
        raise Differs(f"the hand of box {hand.box} is not the one that was sealed.")
    return pieces


def _check_fall(hit: Hit) -> None:
    """The decision in the log that names it. (What decides it is computed again when the day's master is shown.)"""
    subject = hit.link.subject
    for row in Act.objects.filter(kind=MovementDecided.kind, subject=subject, at__gte=hit.claimed_at).order_by("id")[
        :9
    ]:
        decided: MovementDecided = _sealed(row.pk, MovementDecided, subject)
        fell = next((fell for fell in decided.falls if fell.hit == hit.pk), None)
        if fell is not None:
            seal = MeterSeal.objects.filter(link=hit.link, number=decided.number, decided_at__isnull=False).first()
            if fell.amount == hit.amount == hit.from_pool and seal is not None and seal.after == decided.after:
                return
            break
    raise Differs(f"hit {hit.pk} is not what a sealed movement of {hit.link} gave.")
