"""A payment that was too much: more was handed out than was owed. Proposed by one, decided by another.

What a game that is settled again makes of its paid prizes is recorded with it (``resettled_prizes.py``). Here are the
other errors. The drawer stays as it was counted: what it was short of moves from over and short to what is asked back.
Nobody who paid, or authorised the payment, says so about himself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house.approvals import Approvable, Record, Shape, propose
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from house.persons import is_another, persons_behind
from keno import accounts
from keno.models import Overpayment, Payment
from keno.overpayment_acts import OverpaymentRecorded
from keno.overpayment_kinds import AT_COUNTER
from keno.permissions import DECIDE_OVERPAYMENT, OVERPAYMENT, SEE_ALL
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.codes import Permission
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, Forbidden, NotFound, Refusal
from ledger.post import Booking, post
from web.fields import MoneyField

_SUBJECT: Final = "keno-payment:"
PAYMENTS_LIMIT: Final = 2**63  # numbers that a payment can have


@dataclass(frozen=True, slots=True, kw_only=True)
class TooMuch:
    amount: Money


class TooMuchValue(Record):
    """How much more was handed out than was owed."""

    amount = MoneyField(help_text="How much more was handed out than was owed.")
    makes = TooMuch


def overpayments(by: Actor) -> QuerySet[Overpayment]:
    by.require(SEE_ALL)
    return Overpayment.objects.select_related("payment__ticket")


def subject_of(payment: Payment) -> str:
    return f"{_SUBJECT}{payment.pk}"


@transaction.atomic
def propose_overpayment(*, payment_id: int, amount: Money, why: str, by: Actor) -> Proposal:
    """Propose that this payment was so much too much. Nothing happens until another person decides."""
    by.require(OVERPAYMENT)
    if not why.strip():
        raise Refusal("reason-missing", "Say what shows it: it stays on record.", field="why")
    payment = find_payment(payment_id)
    refuse_who_paid(payment, by, OVERPAYMENT)
    return propose(kind=str(KIND), subject=subject_of(payment), new={"amount": str(amount)}, why=why.strip(), by=by)


def find_payment(number: int) -> Payment:
    payment = None
    if number < PAYMENTS_LIMIT:
        payment = Payment.objects.select_related("ticket").filter(pk=number).first()
    if payment is None:
        raise NotFound("no-such-payment", f"There is no payment {number}.", field="payment")
    return payment


def who_paid(payment: Payment) -> list[str]:
    return [payment.paid_by, *([payment.supervisor] if payment.supervisor else [])]


def whose_affair(payment: Payment) -> set[str]:
    """Whoever has the token of the terminal at which it was paid is among them."""
    return persons_behind(*who_paid(payment))


def refuse_who_paid(payment: Payment, by: Actor, power: Permission) -> None:
    if not is_another(by, power, *who_paid(payment)):
        raise Forbidden("needs-second-person", "Somebody else has to say so: you have paid it, or authorised it.")


def _payment(subject: str) -> Payment:
    number = subject.removeprefix(_SUBJECT)
    if not subject.startswith(_SUBJECT) or not number.isdigit():
        raise NotFound("no-such-payment", "Write the subject like keno-payment:31.", field="subject")
    return find_payment(int(number))


def _concerned(subject: str) -> set[str]:
    """Nobody where there is no such payment: who may not decide at all is told that first."""
    try:
        return whose_affair(_payment(subject))
    except NotFound:
        return set()


def _nothing(subject: str) -> None:
    _payment(subject)


def _check(subject: str, new: TooMuch) -> None:
    payment = _payment(subject)
    if new.amount <= ZERO or not new.amount.whole_cents:
        raise Refusal("amount-missing", "Say how much, in whole cents.", field="new.amount")
    if Overpayment.objects.filter(payment=payment, game=None).exists():
        raise Conflict("recorded-already", f"That payment {payment.pk} was too much is on record.")


def _apply(proposal: Proposal, new: TooMuch, by: Actor) -> None:
    payment, now = _payment(proposal.subject), timezone.now()
    made = Overpayment.objects.create(payment=payment, amount=new.amount, why=proposal.why, proposal=proposal, at=now)
    booking = Booking(
        debit=accounts.OVERPAID,
        credit=accounts.OVER_SHORT,
        amount=new.amount,
        kind=AT_COUNTER,
        reference=str(made.pk),
    )
    post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    record_act(
        OverpaymentRecorded(
            ticket=payment.ticket.serial,
            overpayment=made.pk,
            payment=payment.pk,
            amount=new.amount,
            proposal=proposal.pk,
        ),
        by=by,
    )


KIND = Approvable(
    kind="keno.overpayment",
    label="Record a Keno overpayment",
    shape=Shape[TooMuch](TooMuchValue()),
    permission=DECIDE_OVERPAYMENT,
    authority=Authority.HOUSE,
    propose_permission=OVERPAYMENT,
    describe=lambda subject, old, new: (
        f"Payment {_payment(subject).pk} on ticket {_payment(subject).ticket.serial} was ${new.amount} too much: it is "
        "asked back."
    ),
    current=_nothing,
    check=_check,
    concerns=lambda subject, new: _concerned(subject),
    apply=_apply,
)
