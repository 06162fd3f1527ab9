"""What was won is claimed by the table, verified by a supervisor, paid by a manager: three people, none twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.models import PlayLineKind
from house.players import cards, play, restrict
from house.refusal import Conflict, NotFound, Refusal
from jackpot import mystery, permissions, pools
from jackpot.claim import record_hit
from jackpot.models import Hit, HitStatus, ThresholdReport
from jackpot.rules.pool import WINNERS, Movement
from jackpot.void_round import another_person, deny
from ledger.money import Money

PAYMENT: Final = "jackpot.payment"
THRESHOLD: Final = Money.dollars(10_000)
"""Cash of this much or more is reported, with the identity of who received it."""
RIGHT_TO_COMPLAIN: Final = (
    "The person may take this to a casino supervisor, and has the right to complain to an inspector (nsw-csp:16.17–18)."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Who receives cash of $10,000 or more, from a document that was seen."""

    name: str
    date_of_birth: date
    address: str
    document: str


@transaction.atomic
def verify_hit(
    *,
    hit_id: int,
    by: Actor,
    cards: Sequence[str] | None = None,
    box: int | None = None,
    player: str | None = None,
    surveillance: str = "",
    note: str = "",
) -> Hit:
    """A supervisor has seen the cards face up (nsw-csp:9.6), the box and the player, with surveillance's reference.

    Cards and box, where given, must be those the table sent: two pairs of eyes on one hand. What a controller that only
    counts has brought down has no box yet: the supervisor names it.
    """
    by.require(permissions.VERIFY)
    hit = _lock(hit_id)
    _must_be(hit, Hit.Status.CLAIMED, "verified")
    another_person(hit, by)
    if cards is not None:
        dealt = _dealt(hit)
        if sorted(cards) != sorted(dealt):
            raise Refusal(
                "hand-differs",
                f"The table sent {' '.join(dealt) or 'no hand'} for box {hit.box}, not {' '.join(cards)}: deny the hit "
                "or invalidate the round.",
                clause="nsw-csp:9.6",
                field="cards",
            )
    if hit.box is None and box is None:
        raise Refusal("box-missing", f"Say at which box of {hit.table} it was won.", field="box")
    if box is not None and not (hit.box in (None, box) and 1 <= box <= hit.table.boxes):
        raise Refusal("box-differs", f"It was not won at box {box} of {hit.table}.", field="box")
    hit.box = hit.box or box
    if player is not None and hit.player is not None and player != hit.player:
        raise Refusal(
            "player-differs", f"The wager on box {hit.box} is {hit.player}’s, not {player}’s.", field="player"
        )
    hit.status, hit.verified_at, hit.verified_by = Hit.Status.VERIFIED, timezone.now(), by.identity
    hit.verification = {
        "cards": list(cards) if cards is not None else None,
        "box": box,
        "player": player,
        "surveillance": surveillance.strip(),
        "note": note.strip(),
    }
    hit.player = hit.player or player
    hit.save(update_fields=["status", "verified_at", "verified_by", "verification", "player", "box"])
    record_hit(hit, "jackpot.hit-verified", by=by, verification=hit.verification)
    return hit


@transaction.atomic
def pay_hit(
    *,
    hit_id: int,
    by: Actor,
    method: str | None = None,
    payment_reference: str = "",
    identity: Identity | None = None,
) -> Hit:
    """Pay a verified hit, in the round's order of payment (nsw-csp:11.10.4, 12.2, 12.4).

    Left open, the method is cash, and from $10,000 a cheque. Cash of that much needs the receiver's identity, which
    goes into a threshold report.
    """
    by.require(permissions.PAY)
    hit = _lock(hit_id)
    _must_be(hit, Hit.Status.VERIFIED, "paid")
    another_person(hit, by)
    _refuse_out_of_order(hit)
    if method is None:
        method = Hit.Method.CASH if hit.amount < THRESHOLD else Hit.Method.CHEQUE
    if method not in Hit.Method.values:
        raise Refusal("no-such-method", f"A hit is paid by {', '.join(Hit.Method.values)}.", field="method")
    reported = method == Hit.Method.CASH and hit.amount >= THRESHOLD
    if reported and identity is None:
        raise Refusal(
            "identity-missing",
            f"{hit.amount} in cash needs the receiver’s name, date of birth, address and document.",
            field="identity",
        )
    if hit.player is not None:
        wagered_at = hit.round.started_at if hit.round else hit.claimed_at
        restrict.refuse_payment_on(hit.player, wagered_at=wagered_at)
    moment = timezone.now()
    day = gaming_day_at(moment).date
    hit.status, hit.paid_at, hit.paid_by, hit.paid_day = Hit.Status.PAID, moment, by.identity, day
    hit.method, hit.payment_reference = method, payment_reference.strip()
    hit.save(update_fields=["status", "paid_at", "paid_by", "paid_day", "method", "payment_reference"])
    if reported and identity is not None:
        _report(hit, identity, by)
    pools.book(
        pool=hit.pool.code,
        movements=[Movement(WINNERS, method, hit.amount)],
        kind=PAYMENT,
        reference=f"hit/{hit.pk}",
        memo={"method": method, "reference": hit.payment_reference},
        by=by,
        day=day,
    )
    play.give_back(
        player_id=cards.holder(hit.player),
        kind=PlayLineKind.WINNINGS,
        amount=hit.amount,
        place=hit.table.code,
        reference=f"hit/{hit.pk}",
        by=by,
    )
    record_hit(hit, "jackpot.hit-paid", by=by, method=method, reported=reported)
    return hit


@transaction.atomic
def deny_hit(*, hit_id: int, reason: str, by: Actor) -> Hit:
    """Deny a hit, with the reason. What was set aside goes back, the pool's part to the pool, the house's to it."""
    by.require(permissions.DENY)
    if not reason.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: the player is told.", field="reason")
    pool = find_hit(hit_id).pool
    pools.lock(pool.code)
    mystery.settle_first(pool, by=by)
    hit = _lock(hit_id)
    if hit.status not in (Hit.Status.CLAIMED, Hit.Status.VERIFIED):
        raise Conflict("hit-decided", f"Hit {hit_id} is {hit.status} already.")
    another_person(hit, by)
    deny(hit, reason=reason.strip(), by=by, day=gaming_day_at(timezone.now()).date)
    return hit


@transaction.atomic
def threshold_reported(*, report_id: int, by: Actor) -> ThresholdReport:
    """Note that a report went to the authority, once."""
    by.require(permissions.THRESHOLD)
    report = ThresholdReport.objects.select_for_update(of=("self",)).filter(pk=report_id).first()
    if report is None:
        raise NotFound("no-such-report", f"There is no threshold report {report_id}.")
    if report.sent_at is not None:
        raise Conflict("already-reported", f"Report {report_id} was sent already.")
    report.sent_at = timezone.now()
    report.save(update_fields=["sent_at"])
    acts.record(kind="jackpot.threshold-reported", subject=report.hit.pool.subject, by=by, data={"hit": report.hit_id})
    return report


def find_hit(hit_id: int) -> Hit:
    hit = Hit.objects.select_related("pool", "table", "round").filter(pk=hit_id).first()
    if hit is None:
        raise NotFound("no-such-hit", f"There is no hit {hit_id}.")
    return hit


def _lock(hit_id: int) -> Hit:
    found = Hit.objects.select_for_update(of=("self",)).select_related("pool", "table", "round")
    hit = found.filter(pk=hit_id).first()
    if hit is None:
        raise NotFound("no-such-hit", f"There is no hit {hit_id}.")
    return hit


def _must_be(hit: Hit, status: HitStatus, to_be: str) -> None:
    if hit.status != status:
        raise Conflict("hit-not-ready", f"Hit {hit.pk} is {hit.status}: only a {status} one can be {to_be}.")


def _refuse_out_of_order(hit: Hit) -> None:
    earlier = (
        Hit.objects.filter(round=hit.round_id, batch=hit.batch_id, place__lt=hit.place)
        .exclude(status__in=[Hit.Status.PAID, Hit.Status.DENIED])
        .order_by("place")
        .first()
    )
    if earlier is not None:
        raise Conflict(
            "paid-out-of-order",
            f"Hit {earlier.pk} ({earlier.kind}, box {earlier.box}) comes first in the order of payment.",
            clause="nsw-csp:12.4" if earlier.kind != "bonus" else "nsw-csp:11.10.4",
            first=earlier.pk,
        )


def _dealt(hit: Hit) -> list[str]:
    hands = (hit.round.hands if hit.round else None) or ()
    hand: dict[str, list[str]] = next((hand for hand in hands if hand["box"] == hit.box), {})
    return list(hand.get("cards") or hand.get("tiles") or ())


def _report(hit: Hit, identity: Identity, by: Actor) -> None:
    texts = {
        "name": identity.name.strip(),
        "address": identity.address.strip(),
        "document": identity.document.strip(),
    }
    for field, text in texts.items():
        if not text:
            raise Refusal("identity-missing", f"The receiver’s {field} is missing.", field=f"identity.{field}")
    if identity.date_of_birth >= timezone.now().date():
        raise Refusal("identity-missing", "Nobody is born in the future.", field="identity.date_of_birth")
    ThresholdReport.objects.create(
        hit=hit, amount=hit.amount, date_of_birth=identity.date_of_birth, made_by=by.identity, **texts
    )
