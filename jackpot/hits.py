"""What was won is claimed by the table, verified by a supervisor, paid by a manager: three people, none twice.

The one who verifies enters the cards or tiles that he sees, without having been shown what the table sent; the two are
compared. So a hit that nobody looked at cannot be verified, and neither can one that somebody only typed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from django.db import transaction
from django.utils import timezone

from chance import tiles
from chance.cards import read_hand as read_cards
from house import incidents
from house.cash.cheques import WrittenCheque
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity, require_identity
from house.cash.limits import asks_identity, reaches_report
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import PlayLineKind
from house.players import cards, play, restrict
from house.players.cards import known_card
from jackpot import handpay, instalments, links, permissions, pools, steps, terms
from jackpot.cash_kinds import HIT
from jackpot.claim import opened, shown
from jackpot.hit_acts import HitPaid, HitVerified
from jackpot.incident_kinds import HAND_NOT_CONFIRMED
from jackpot.models import Hit, WrongEntry
from jackpot.recompute import require_as_sealed
from jackpot.rules.handpay import TAX
from jackpot.rules.policies import Game, Kind
from jackpot.rules.pool import WINNERS, Movement
from jackpot.settle_pools import keep_at_seed
from jackpot.void_round import deny
from kernel.actors import Actor
from kernel.money import ZERO
from kernel.refusal import Conflict, NotFound, Refusal

PAYMENT: Final = "jackpot.payment"
TAX_WITHHELD: Final = "jackpot.tax"
RIGHT_TO_COMPLAIN: Final = (
    "The person may take this to a casino supervisor, and has the right to complain to an inspector (nsw-csp:16.17–18)."
)


@transaction.atomic
def verify_hit(
    *,
    hit_id: int,
    by: Actor,
    cards: Sequence[str] | None = None,
    box: int | None = None,
    player_card: str | None = None,
    surveillance: str = "",
    note: str = "",
) -> Hit:
    """A supervisor has seen the cards face up (nsw-csp:9.6), the box and the player, with surveillance's reference.

    The cards or tiles of a dealt hand must be there and be those the table sent: two pairs of eyes on one hand. What a
    controller that only counts has brought down has no hand, no box and no player yet: the supervisor names these.
    """
    by.require(permissions.VERIFY)
    hit = _lock(hit_id)
    steps.must_verify(hit, by)
    if hit.dealt and not cards:
        raise Refusal(
            "cards-missing",
            f"Enter the cards or tiles that lie on box {hit.box}, as you see them.",
            clause="nsw-csp:9.6",
            field="cards",
        )
    if not surveillance.strip():
        raise Refusal(
            "surveillance-missing", "Ask surveillance to look too, and enter its reference.", field="surveillance"
        )
    if player_card is not None:
        player_card = known_card(player_card).number
    _name_box_and_player(hit, box, player_card or note.strip() or None, player_card)
    if cards:
        _compare(hit, cards, by)
    hit.status, hit.verified_at = Hit.Status.VERIFIED, timezone.now()
    hit.verified_by, hit.verified_device = by.identity, by.device
    hit.verification = {
        "cards": list(cards) if cards else None,
        "box": box,
        "player": player_card,
        "surveillance": surveillance.strip(),
        "note": note.strip(),
    }
    hit.save(
        update_fields=[
            "status", "verified_at", "verified_by", "verified_device", "verification", "player_card", "box",
        ]
    )  # fmt: skip
    # The note may say who won it: that stays out of the log.
    seen = {name: value for name, value in hit.verification.items() if name != "note"}
    record_act(HitVerified(**shown(hit), verification=seen, dealt=opened(hit)), by=by)
    return hit


def _name_box_and_player(hit: Hit, box: int | None, who: str | None, player_card: str | None) -> None:
    if hit.box is None and box is None:
        raise Refusal("box-missing", f"Say at which box of {hit.table} it was won.", field="box")
    if box is not None and not (hit.box in (None, box) and 1 <= box <= hit.table.boxes):
        raise Refusal("box-differs", f"It was not won at box {box} of {hit.table}.", field="box")
    if hit.round_id is None and who is None:
        raise Refusal(
            "player-missing",
            "Say who won it, by the player’s card or in the note: the controller counted wagers, not players.",
            field="player",
        )
    if player_card is not None and hit.player_card is not None and player_card != hit.player_card:
        raise Refusal("player-differs", f"The wager on box {hit.box} is another player’s.", field="player")
    hit.box, hit.player_card = hit.box or box, hit.player_card or player_card


def game_of(hit: Hit) -> Game:
    """What it was won with: cards, tiles, or nothing that anybody can hold."""
    return terms.of(hit.round.terms).rules.game if hit.round else Game.MYSTERY


def _compare(hit: Hit, cards: Sequence[str], by: Actor) -> None:
    """The sentence does not tell what the table sent: the next entry must be what somebody sees, too."""
    if (game := game_of(hit)) is not Game.MYSTERY:
        read = tiles.read_hand if game is Game.TILES else read_cards
        read(cards, field="cards")  # what is no hand at all was mistyped, and is not counted
    if sorted(cards) not in _hands_to_see(hit):
        raise Refusal(
            "hand-differs",
            f"That is not what the table sent for box {hit.box}. Look again; if you see it so, deny the hit or "
            "invalidate the round.",
            clause="nsw-csp:9.6",
            field="cards",
        ).noting(lambda: _count_wrong_entry(hit, by))


def _hands_to_see(hit: Hit) -> list[list[str]]:
    """The hand of its box; of a bonus to a box whose hand was not laid, the hands that brought the bonus."""
    if hit.dealt or hit.round is None or hit.kind != Kind.BONUS:
        return [sorted(hit.dealt)]
    others = Hit.objects.filter(round=hit.round, level__isnull=False).select_related("round")
    return [sorted(each.dealt) for each in others]


@transaction.atomic
def _count_wrong_entry(hit: Hit, by: Actor) -> None:
    _lock(hit.pk)
    WrongEntry.objects.create(hit=hit, entered_by=by.identity)
    if WrongEntry.objects.filter(hit=hit).count() == steps.WRONG_ENTRIES_LIMIT:
        incidents.open_incident(
            kind=HAND_NOT_CONFIRMED,
            what=f"Hit {hit.pk} at {hit.table}, ${hit.amount}: other cards were entered three times than the table "
            "sent.",
            by=by,
            subject=f"hit:{hit.pk}",
        )


@transaction.atomic
def pay_hit(
    *,
    hit_id: int,
    by: Actor,
    method: str | None = None,
    payment_reference: str = "",
    identity: Identity | None = None,
    surveillance: str = "",
) -> Hit:
    """Pay a verified hit, in the round's order of payment (nsw-csp:11.10.4, 12.2, 12.4).

    Left open, the method is cash, and from $10,000 a cheque. That much is paid only to somebody who shows who he is,
    and a cheque of that much has its number on record; in cash it makes a threshold report. What is withheld as tax is
    owed to the tax authority, and what is paid in instalments to the winner.
    """
    by.require(permissions.PAY)
    hit = _lock(hit_id)
    steps.must_pay(hit, by)
    handpay.must_be_authorised(hit)
    _refuse_out_of_order(hit)
    require_as_sealed(hit, by=by)
    method = _method(hit, method)
    hit.withheld = handpay.rules_of(hit).withheld(hit.amount)
    hit.payment_surveillance = handpay.surveillance_of(hit, surveillance)
    plan = instalments.must_be_approved(hit, by) if method == Hit.Method.INSTALMENTS else None
    if hit.player_card is not None:
        wagered_at = hit.round.started_at if hit.round else hit.claimed_at
        restrict.refuse_payment_on(hit.player_card, wagered_at=wagered_at)
    day = _settle(hit, method, payment_reference, by)
    in_cash = hit.paid_out if method == Hit.Method.CASH else ZERO
    paid = HitPaid(
        **shown(hit),
        method=method,
        reported=reaches_report(in_cash),
        withheld=hit.withheld or None,
        instalments=plan.dues if plan else None,
        proposal=plan.proposal.pk if plan else None,
    )
    record_act(paid, by=by)
    _book_payment(hit, method, by, day)
    if plan is not None:
        instalments.owe(hit, plan)
        require_identity(hit.amount, identity, refused_as="identity-missing")  # he is paid again and again
    played_by = cards.holder(hit.player_card)
    play.give_back(
        player_id=played_by,
        kind=PlayLineKind.WINNINGS,
        amount=hit.amount,
        place=hit.table.code,
        reference=f"hit/{hit.pk}",
        by=by,
    )
    _hand_over(hit, Receiver(identity=identity, played_by=played_by, refused_as="identity-missing"), by)
    return hit


def _settle(hit: Hit, method: str, reference: str, by: Actor) -> date:
    """It is paid: by whom, how, on which gaming day."""
    moment = timezone.now()
    day = gaming_day_at(moment).date
    hit.status, hit.paid_at, hit.paid_by, hit.paid_day = Hit.Status.PAID, moment, by.identity, day
    hit.paid_device, hit.method, hit.payment_reference = by.device, method, reference.strip()
    hit.save(
        update_fields=[
            "status", "paid_at", "paid_by", "paid_device", "paid_day", "method", "payment_reference", "withheld",
            "payment_surveillance",
        ]
    )  # fmt: skip
    return day


def _book_payment(hit: Hit, method: str, by: Actor, day: date) -> None:
    if method not in links.PAID_FROM_THE_START or hit.withheld:
        links.open_payment_accounts(hit.link, by=by)
    for kind, target, amount in ((PAYMENT, method, hit.paid_out), (TAX_WITHHELD, TAX, hit.withheld)):
        pools.book(
            link=hit.link.code,
            movements=[Movement(WINNERS, target, amount)] if amount else [],
            kind=kind,
            reference=f"hit/{hit.pk}",
            memo={"method": method, "reference": hit.payment_reference},
            by=by,
            day=day,
        )


def _hand_over(hit: Hit, receiver: Receiver, by: Actor) -> None:
    assert hit.paid_at is not None
    assert hit.paid_day is not None
    cash = hit.paid_out if hit.method == Hit.Method.CASH else ZERO
    by_cheque = hit.method == Hit.Method.CHEQUE
    cheque = WrittenCheque(amount=hit.paid_out, number=hit.payment_reference, field="reference") if by_cheque else None
    handed = HandedOver(
        kind=HIT,
        payment=hit.pk,
        reference=str(hit.pk),
        cash=cash,
        cheque=cheque,
        other=ZERO if cash or by_cheque else hit.paid_out,
        day=hit.paid_day,
        at=hit.paid_at,
    )
    hand_over(handed, receiver=receiver, by=by)


def _method(hit: Hit, wanted: str | None) -> str:
    if wanted is None:
        return Hit.Method.CHEQUE if asks_identity(hit.amount) else Hit.Method.CASH
    if wanted not in Hit.Method.values:
        raise Refusal("no-such-method", f"A hit is paid by {', '.join(Hit.Method.values)}.", field="method")
    return wanted


@transaction.atomic
def deny_hit(*, hit_id: int, reason: str, by: Actor) -> Hit:
    """Deny a hit, with the reason. What was set aside goes back, the pool's part to the pool, the house's to it."""
    by.require(permissions.DENY)
    if not reason.strip():
        raise Refusal("reason-missing", "Say why, in a sentence: the player is told.", field="reason")
    link = find_hit(hit_id).link
    links.hold(link.code)
    hit = _lock(hit_id)
    steps.must_deny(hit, by)
    deny(hit, reason=reason.strip(), by=by, day=gaming_day_at(timezone.now()).date)
    keep_at_seed(link)
    return hit


def find_hit(hit_id: int) -> Hit:
    hit = Hit.objects.select_related("link", "table", "round__terms").filter(pk=hit_id).first()
    if hit is None:
        raise NotFound("no-such-hit", f"There is no hit {hit_id}.")
    return hit


def _lock(hit_id: int) -> Hit:
    found = Hit.objects.select_for_update(of=("self",)).select_related("link", "table", "round__terms")
    hit = found.filter(pk=hit_id).first()
    if hit is None:
        raise NotFound("no-such-hit", f"There is no hit {hit_id}.")
    return hit


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
            clause=_order_clause(earlier),
            first=earlier.pk,
        )


def _order_clause(earlier: Hit) -> str | None:
    """The ACT's texts have the same order (docs/reading.md), and no clause that says so."""
    if not (earlier.clause or "").startswith("nsw-"):
        return None
    return "nsw-csp:11.10.4" if earlier.kind == Kind.BONUS else "nsw-csp:12.4"
