"""The Unclaimed Prize Claim Form: tickets lost, unreadable or too late, vouchers too late (11, 12.5). Paid by cheque.

Whoever still has the ticket may collect at the counter while a claim waits: the claim then finds nothing left to pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from house.actors import Actor
from house.approvals import approvable, propose
from house.gaming_days import gaming_day_at
from house.models import Proposal
from house.refusal import Conflict, NotFound, Refusal
from keno import accounts, vouchers
from keno.models import Claim, ClaimReason, PaymentMethod, Prize, Voucher
from keno.pay import Due, bookings, lock_ticket, record
from keno.permissions import CLAIM, DECIDE, PAY_CLAIM
from keno.return_to_players import hold_fund, owed_by_fund
from keno.serials import read_serial
from ledger.money import Money
from ledger.post import Booking, post, post_many

APPROVED: Final = "approved"
CLAIMANT: Final = ("name", "address", "contact")


@transaction.atomic
def make_claim(
    *,
    reason: ClaimReason,
    claimant: Mapping[str, Any],
    grounds: str,
    by: Actor,
    serial: str | None = None,
    voucher: str | None = None,
) -> Claim:
    """Take a claim form for everything unpaid on a ticket, or for a voucher; a second person decides."""
    by.require(CLAIM)
    details = {name: str(claimant.get(name) or "").strip() for name in CLAIMANT}
    if missing := [name for name, value in details.items() if not value]:
        raise Refusal("claimant-incomplete", f"The claim form asks for the claimant's {missing[0]}.", field="claimant")
    if not grounds.strip():
        raise Refusal("grounds-missing", "Say what shows that it is theirs.", field="grounds")
    if (serial is None) == (voucher is None):
        raise Refusal("claim-of-one-thing", "A claim is for one ticket or one voucher.", field="serial")
    now = timezone.now()
    found = _ticket_claim(serial, reason, now) if serial is not None else _voucher_claim(voucher or "", reason, now)
    claim = Claim.objects.create(
        **found, reason=reason, claimant=details, grounds=grounds.strip(), made_at=now, made_by=by.identity
    )
    propose(kind=KIND, subject=f"claim:{claim.pk}", new=APPROVED, why=claim.grounds, by=by)
    return claim


def _ticket_claim(serial: str, reason: ClaimReason, now: datetime) -> dict[str, Any]:
    ticket = lock_ticket(serial, field="serial")
    unpaid = list(Prize.objects.filter(ticket=ticket, payment=None))
    if not unpaid:
        raise Conflict("nothing-to-pay", "There is nothing unpaid on this ticket.", clause="act-keno:12.5")
    if reason == ClaimReason.LATE and not any(vouchers.late(prize.day, now=now) for prize in unpaid):
        raise Refusal(
            "not-late", "It is not twelve months since the win: pay it at the counter.", clause="act-keno:11.1"
        )
    _refuse_second(Claim.objects.filter(ticket=ticket, paid_at=None))
    return {"ticket": ticket, "amount": Money.total(prize.amount for prize in unpaid)}


def _voucher_claim(code: str, reason: ClaimReason, now: datetime) -> dict[str, Any]:
    voucher = Voucher.objects.select_for_update().filter(code=read_serial(code)).first()
    if voucher is None:
        raise NotFound("no-such-voucher", "There is no such Keno voucher.", field="voucher")
    if voucher.spent_at is not None:
        raise Conflict("voucher-spent", "This voucher has been spent.")
    if reason != ClaimReason.LATE or not vouchers.late(voucher.day, now=now):
        raise Refusal(
            "not-late", "A voucher is claimed only after twelve months: take it at the counter.", clause="act-keno:11.1"
        )
    _refuse_second(Claim.objects.filter(voucher=voucher, paid_at=None))
    return {"voucher": voucher, "amount": voucher.amount}


def _refuse_second(waiting: Any) -> None:
    """One claim at a time, unless the one before was rejected or withdrawn."""
    for claim in waiting:
        proposal = Proposal.objects.filter(kind=KIND, subject=f"claim:{claim.pk}").order_by("-id").first()
        if proposal is None or proposal.status in ("proposed", "approved", "effective"):
            raise Conflict("claimed-already", f"Claim {claim.pk} for it is under way.", clause="act-keno:11.1")


@transaction.atomic
def pay_claim(*, claim_id: int, cheque_number: str, by: Actor) -> Claim:
    """Pay an approved claim, by cheque (11.5): everything unpaid on the ticket, also what had moved on (11.4)."""
    by.require(PAY_CLAIM)
    now = timezone.now()
    seen = _find(claim_id)
    held = hold_fund()
    if seen.ticket_id is not None:
        assert seen.ticket is not None
        lock_ticket(seen.ticket.serial)  # tickets before claims: the order of all who pay
    claim = Claim.objects.select_for_update().get(pk=seen.pk)
    if claim.paid_at is not None:
        raise Conflict("already-paid", f"Claim {claim_id} has been paid.")
    if claim.approved_by is None:
        raise Conflict("not-approved", f"Claim {claim_id} has not been approved.", clause="act-keno:11.1")
    if not cheque_number.strip():
        raise Refusal("cheque-number-missing", "Write the number of the cheque.", clause="act-keno:11.5")
    if claim.ticket_id is not None:
        claim.payment = _pay_ticket(claim, cheque_number.strip(), by, now, held)
    else:
        _pay_voucher(claim, by, now)
    claim.paid_at, claim.paid_by, claim.cheque_number = now, by.identity, cheque_number.strip()
    claim.save()
    return claim


def _pay_ticket(claim: Claim, cheque_number: str, by: Actor, now: datetime, held: Money) -> Any:
    assert claim.ticket is not None
    prizes = tuple(Prize.objects.select_for_update().filter(ticket=claim.ticket, payment=None).order_by("game", "kind"))
    if not prizes:
        raise Conflict("already-paid", "Everything on this ticket has been paid since.", clause="act-keno:12.5")
    due = Due(claim.ticket, prizes)
    payment = record(
        due,
        method=PaymentMethod.CHEQUE,
        by=by,
        now=now,
        shift=None,
        cheque=due.amount,
        cheque_number=cheque_number,
        supervisor=claim.approved_by if claim.approved_by != by.identity else None,
    )
    sources = [
        part
        for account, amount in due.sources()
        for part in (owed_by_fund(amount, held=held) if account == accounts.UNCLAIMED else [(account, amount)])
    ]
    booked = bookings(due, payment, [(accounts.BANK, due.amount)], sources)
    post_many(bookings=booked, by=by, day=payment.day, at=now)
    return payment


def _pay_voucher(claim: Claim, by: Actor, now: datetime) -> None:
    assert claim.voucher_id is not None
    voucher = Voucher.objects.select_for_update().get(pk=claim.voucher_id)
    if voucher.spent_at is not None:
        raise Conflict("voucher-spent", "This voucher has been spent since.")
    vouchers.spend(voucher, by=by, at=now)
    booking = Booking(
        debit=accounts.VOUCHERS,
        credit=accounts.BANK,
        amount=voucher.amount,
        kind="keno.voucher-paid",
        reference=voucher.code,
    )
    post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)


def _find(claim_id: int) -> Claim:
    claim = Claim.objects.filter(pk=claim_id).first()
    if claim is None:
        raise NotFound("no-such-claim", f"There is no claim {claim_id}.")
    return claim


# The approval of a claim form


def _of(subject: str) -> Claim:
    number = subject.removeprefix("claim:")
    if not (number.isascii() and number.isdigit() and len(number) < 19):
        raise NotFound("no-such-claim", "Write the subject like claim:12.", field="subject")
    return _find(int(number))


def _check(subject: str, new: Any) -> None:
    if new != APPROVED:
        raise Refusal("value-unknown", f"A claim can become “{APPROVED}”.", field="new")


def _apply(proposal: Proposal, by: Actor) -> None:
    claim = Claim.objects.select_for_update().get(pk=_of(proposal.subject).pk)
    claim.approved_by, claim.approved_at = by.identity, timezone.now()
    claim.save(update_fields=["approved_by", "approved_at"])


def _describe(subject: str, old: Any, new: Any) -> str:
    claim = _of(subject)
    what = f"ticket {claim.ticket.serial}" if claim.ticket is not None else "a voucher"
    return f"{claim.claimant['name']} is paid ${claim.amount} by cheque for {what}, which is {claim.reason}."


KIND = approvable(
    kind="keno.claim",
    label="Claim form",
    permission=DECIDE,
    propose_permission=CLAIM,
    describe=_describe,
    current=lambda subject: APPROVED if _of(subject).approved_by is not None else "made",
    check=_check,
    apply=_apply,
)
