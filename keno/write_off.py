"""What was paid too much and does not come back is written off: proposed by one, decided by another.

Only once somebody has asked for it, or has found out that there is nobody to ask. All that is left, whole: if a part
comes back meanwhile, the proposal is about another amount, and is made again. Whoever paid decides nothing about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.approvals import Approvable, Record, Shape, propose
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal, ProposalStatus
from keno import accounts
from keno.models import Overpayment, Recovery, RecoveryKind
from keno.overpayment_acts import OverpaymentWrittenOff
from keno.overpayment_kinds import WRITTEN_OFF
from keno.overpayments import refuse_who_paid, whose_affair
from keno.permissions import DECIDE_OVERPAYMENT, OVERPAYMENT
from keno.recover import find_overpayment, lock_overpayment, require_left
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from ledger.post import Booking, post
from web.fields import MoneyField

_SUBJECT: Final = "keno-overpayment:"


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteOff:
    amount: Money


class WriteOffValue(Record):
    """What is given up: all that is left."""

    amount = MoneyField(help_text="All that is left of it.")
    makes = WriteOff


@transaction.atomic
def propose_write_off(*, overpayment_id: int, why: str, by: Actor) -> Proposal:
    """Propose to give up all that is left. Nothing happens until another person decides."""
    by.require(OVERPAYMENT)
    if not why.strip():
        raise Refusal("reason-missing", "Say why it does not come back: it stays on record.", field="why")
    overpayment = lock_overpayment(overpayment_id)
    refuse_who_paid(overpayment.payment, by, OVERPAYMENT)
    left = require_left(overpayment)
    if (waiting := write_off_proposed(overpayment)) is not None:
        raise Conflict("proposed-already", f"Proposal {waiting.pk} to write it off waits.")
    return propose(kind=str(KIND), subject=overpayment.subject, new={"amount": str(left)}, why=why.strip(), by=by)


def write_off_proposed(overpayment: Overpayment) -> Proposal | None:
    waiting = [ProposalStatus.PROPOSED, ProposalStatus.APPROVED]
    return Proposal.objects.filter(kind=str(KIND), subject=overpayment.subject, status__in=waiting).first()


def _overpayment(subject: str) -> Overpayment:
    number = subject.removeprefix(_SUBJECT)
    if not subject.startswith(_SUBJECT) or not number.isdigit():
        raise NotFound("no-such-overpayment", "Write the subject like keno-overpayment:3.", field="subject")
    return find_overpayment(int(number))


def _concerned(subject: str) -> set[str]:
    """Nobody where there is no such overpayment: who may not decide at all is told that first."""
    try:
        return whose_affair(_overpayment(subject).payment)
    except NotFound:
        return set()


def _nothing(subject: str) -> None:
    _overpayment(subject)


def _check(subject: str, new: WriteOff) -> None:
    _require(_overpayment(subject), new.amount)


def _require(overpayment: Overpayment, amount: Money) -> None:
    if amount != (left := require_left(overpayment)):
        raise Conflict("another-amount", f"${left} of it is left, and not ${amount}.", field="new.amount")
    if not overpayment.steps.filter(kind=RecoveryKind.ASKED).exists():
        raise Conflict("not-asked", "Ask for it first, or find out that there is nobody to ask.")


def _apply(proposal: Proposal, new: WriteOff, by: Actor) -> None:
    overpayment, now = lock_overpayment(_overpayment(proposal.subject).pk), timezone.now()
    _require(overpayment, new.amount)
    day = gaming_day_at(now).date
    overpayment.written_off = new.amount
    overpayment.save(update_fields=["written_off"])
    Recovery.objects.create(
        overpayment=overpayment,
        kind=RecoveryKind.WRITTEN_OFF,
        amount=new.amount,
        note=proposal.why,
        by=by.identity,
        at=now,
        day=day,
        proposal=proposal,
    )
    booking = Booking(
        debit=accounts.OVERPAID_LOST,
        credit=accounts.OVERPAID,
        amount=new.amount,
        kind=WRITTEN_OFF,
        reference=str(overpayment.pk),
    )
    post(booking=booking, by=by, day=day, at=now)
    record_act(
        OverpaymentWrittenOff(
            ticket=overpayment.payment.ticket.serial,
            overpayment=overpayment.pk,
            game=overpayment.game,
            amount=new.amount,
            proposal=proposal.pk,
        ),
        by=by,
    )


KIND = Approvable(
    kind="keno.overpayment-write-off",
    label="Write off a Keno overpayment",
    shape=Shape[WriteOff](WriteOffValue()),
    permission=DECIDE_OVERPAYMENT,
    authority=Authority.HOUSE,
    propose_permission=OVERPAYMENT,
    describe=lambda subject, old, new: (
        f"${new.amount} that ticket {_overpayment(subject).payment.ticket.serial} was paid too much is written off."
    ),
    current=_nothing,
    check=_check,
    concerns=lambda subject, new: _concerned(subject),
    apply=_apply,
)
