"""Paying a prize, once: money and what stands for it through the ledger, goods handed over on record.

How it may be paid is `promotions.rules.claims`: never cash (17.4), as the winner chooses above $10,000 (15.4), money
instead of the prize as the terms allow (17.3, 15.3). Act ``promotion.prize-paid``: {"amount", "alternative", "parts"}.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from house import acts
from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.refusal import Conflict, Refusal
from ledger.money import Money
from ledger.post import Booking, post, post_many
from promotions import accounts, wins
from promotions.claims import lock_claim
from promotions.clock import database_time
from promotions.draw_permissions import PAY
from promotions.finish import finish_if_over
from promotions.models import ClaimStatus, Payment, PaymentPart, Win, WinStatus
from promotions.rules.claims import Offer, Part, plan
from promotions.rules.editions import CHEQUE, HANDED_OVER, ISSUED, TRANSFER
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
    *, claim_id: int, parts: Sequence[Paid], by: Actor, alternative: bool = False, now: datetime | None = None
) -> Payment:
    """Pay an accepted claim, by another person than the one who accepted it."""
    by.require(PAY)
    promotion, claim = lock_claim(claim_id)
    if claim.status != ClaimStatus.ACCEPTED or claim.win is None:
        raise Conflict("claim-not-accepted", f"Claim {claim_id} has not been accepted.")
    win = claim.win
    if win.status == WinStatus.PAID:
        raise Conflict("already-paid", "This prize has been paid.")
    if claim.decided_by == by.identity:
        raise Conflict("same-person", "Who accepted the claim does not pay it.")
    edition = edition_of(promotion)
    offer = Offer(win.prize.kind, win.value, tuple(win.prize.payment), win.prize.alternative)
    amount = plan(edition, offer, [Part(part.method, part.amount) for part in parts], alternative=alternative)
    for at, part in enumerate(parts):
        if part.method in WITH_REFERENCE and not 0 < len(part.reference.strip()) <= 120:
            raise Refusal(
                "reference-missing",
                f"Write the number of the {part.method}, in up to 120 characters.",
                field=f"parts[{at}].reference",
            )
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
    acts.record(
        kind="promotion.prize-paid",
        subject=win.subject,
        by=by,
        data={
            "promotion": promotion.code,
            "prize": win.pick.prize,
            "amount": str(amount),
            "alternative": alternative,
            "parts": [{"method": part.method, "amount": str(part.amount)} for part in parts],
        },
    )
    finish_if_over(promotion=promotion, by=by, now=now)
    return payment


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
