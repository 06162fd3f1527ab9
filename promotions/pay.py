"""Paying a prize, once: money and what stands for it through the ledger, goods handed over on record.

How it may be paid is `promotions.rules.claims`: never cash (17.4), as the winner chooses above $10,000 (15.4), money
instead of the prize as the terms allow (17.3, 15.3).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from house.cash.cheques import NUMBER_CHARACTERS_LIMIT, WrittenCheque, require_number
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from kernel.actors import Actor
from kernel.money import Money
from ledger.post import Booking, post, post_many
from promotions import accounts, wins
from promotions.acts.prizes import PaidPart, PrizePaid
from promotions.cash_kinds import PRIZE
from promotions.claimants import must_be_shown
from promotions.claims import lock_claim
from promotions.finish import finish_if_over
from promotions.locks import database_time
from promotions.models import Payment, PaymentPart, Win, WinStatus
from promotions.permissions import PAY
from promotions.players import player_behind
from promotions.prize_steps import must_be_payable
from promotions.rules.claims import Offer, Part, plan
from promotions.rules.editions import CASH, CHEQUE, DEPOSIT, HANDED_OVER, ISSUED, TRANSFER
from promotions.versions import edition_of

# What leaves a number behind: of the cheque, the transfer, the voucher, the receipt for goods.
WITH_REFERENCE = frozenset({CHEQUE, TRANSFER, ISSUED, HANDED_OVER})


@dataclass(frozen=True, slots=True)
class Paid:
    method: str
    amount: Money
    reference: str = ""


@transaction.atomic
def pay_prize(
    *,
    claim_id: int,
    parts: Sequence[Paid],
    by: Actor,
    alternative: bool = False,
    identity: Identity | None = None,
    now: datetime | None = None,
) -> Payment:
    """Pay an accepted claim, by another person than the one who accepted it.

    *identity*: who the winner is, where so much of it goes in cash that it is reported.
    """
    by.require(PAY)
    promotion, claim = lock_claim(claim_id)
    win = must_be_payable(claim, by)
    if identity is not None and identity.born is not None:
        must_be_shown(claim, win, receiver_born=identity.born)
    edition = edition_of(promotion)
    offer = Offer(win.prize.kind, win.value, tuple(win.prize.payment), win.prize.alternative)
    amount = plan(edition, offer, [Part(part.method, part.amount) for part in parts], alternative=alternative)
    _check_references(parts)
    now = now or database_time()
    day = gaming_day_at(now).date
    payment = Payment.objects.create(
        win=win, claim=claim, amount=amount, alternative=alternative, at=now, day=day, by=by.identity
    )
    if alternative:
        _book_alternative(win, amount, by=by, now=now)
    for part in parts:
        _pay_part(payment, part, by=by, now=now)
    win.status = WinStatus.PAID
    win.save(update_fields=["status"])
    paid = PrizePaid(
        promotion=promotion.code,
        win=win.pk,
        prize=win.pick.prize,
        amount=amount,
        alternative=alternative,
        parts=tuple(PaidPart(part.method, part.amount) for part in parts),
        claim=claim.pk,
        payment=payment.pk,
    )
    record_act(paid, by=by)
    finish_if_over(promotion=promotion, by=by, now=now)
    winner = player_behind(win.pick.entry.entrant.identity)
    _hand_over(payment, parts, Receiver(identity=identity, played_by=winner), by)
    return payment


def _hand_over(payment: Payment, parts: Sequence[Paid], receiver: Receiver, by: Actor) -> None:
    """Money counts; what is handed over as goods or issued as vouchers is none."""

    def paid_by(*methods: str) -> Money:
        return Money.total(part.amount for part in parts if part.method in methods)

    cheques = [
        WrittenCheque(amount=part.amount, number=part.reference, field=f"parts[{at}].reference")
        for at, part in enumerate(parts)
        if part.method == CHEQUE
    ]
    handed = HandedOver(
        kind=PRIZE,
        payment=payment.pk,
        reference=str(payment.claim_id),
        cash=paid_by(CASH),
        cheque=cheques[0] if cheques else None,
        other=paid_by(TRANSFER, DEPOSIT),
        day=payment.day,
        at=payment.at,
    )
    hand_over(handed, receiver=receiver, by=by)


def _check_references(parts: Sequence[Paid]) -> None:
    for at, part in enumerate(parts):
        if part.method in WITH_REFERENCE:
            require_number(
                part.reference,
                words=f"Write the number of the {part.method}, in up to {NUMBER_CHARACTERS_LIMIT} characters.",
                code="reference-missing",
                field=f"parts[{at}].reference",
            )


def _pay_part(payment: Payment, part: Paid, *, by: Actor, now: datetime) -> None:
    transfer = None
    if part.method in accounts.BY_METHOD:
        booking = Booking(
            debit=accounts.OWING,
            credit=accounts.BY_METHOD[part.method],
            amount=part.amount,
            kind="promotions.payment",
            reference=f"{payment.pk}/{part.method}",
        )
        transfer = post(booking=booking, by=by, day=payment.day, at=now)
    PaymentPart.objects.create(
        payment=payment,
        method=part.method,
        amount=part.amount,
        reference=part.reference.strip(),
        transfer=transfer,
    )


def _book_alternative(win: Win, amount: Money, *, by: Actor, now: datetime) -> None:
    """Money instead: what was owed as the prize (a voucher's value) is owed no more, the money is."""
    day = gaming_day_at(now).date
    bookings = []
    if win.prize.kind in wins.BOOKED_KINDS:
        bookings.append(
            Booking(
                debit=accounts.OWING,
                credit=accounts.PRIZES,
                amount=win.value,
                kind="promotions.prize-exchanged",
                reference=str(win.pk),
            )
        )
    bookings.append(
        Booking(
            debit=accounts.PRIZES,
            credit=accounts.OWING,
            amount=amount,
            kind="promotions.alternative",
            reference=str(win.pk),
        )
    )
    post_many(bookings=bookings, by=by, day=day, at=now)
