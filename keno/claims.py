"""The Unclaimed Prize Claim Form: tickets lost, unreadable or too late, vouchers too late (11, 12.5). Paid by cheque.

Whoever still has the ticket may collect at the counter while a claim waits: the claim then finds nothing left to pay.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Final

from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field

from house.approvals import Approvable, Shape, propose
from house.cash.cheques import WrittenCheque, require_number
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import Proposal
from keno import accounts, possession, vouchers
from keno.cash_kinds import CLAIM as CLAIM_PAID
from keno.counter_acts import ClaimMade, ClaimPaid
from keno.models import Claim, ClaimReason, Payment, PaymentMethod, Ticket, Voucher
from keno.particulars import read_serial
from keno.pay import bookings, due_of, lock_ticket, lock_unpaid, record, refuse_held, unpaid_of
from keno.permissions import CLAIM, CLAIM_WITHOUT_PAPER, PAY_CLAIM
from keno.return_to_players import hold_fund, owed_by_fund
from keno.steps import require_payable
from kernel.actors import Actor
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import Conflict, NotFound, Refusal
from kernel.transactions import one_transaction
from ledger.post import Booking, post, post_many
from web.fields import Text

MADE, APPROVED = "made", "approved"
CLAIMANT: Final = ("name", "address", "contact")


@one_transaction()
def make_claim(
    *,
    reason: ClaimReason,
    claimant: Mapping[str, str],
    grounds: str,
    by: Actor,
    serial: str | None = None,
    voucher: str | None = None,
    security_code: str | None = None,
) -> Claim:
    """Take a claim form for everything unpaid on a ticket, or for a voucher; a second person decides.

    With the paper in hand its code is shown, as for a payment. Of a ticket that is lost or cannot be read, a
    supervisor takes the form: it says what is owing, which a serial alone tells no writer.
    """
    by.require(CLAIM)
    if security_code is None:
        by.require(CLAIM_WITHOUT_PAPER)
    details = {name: claimant.get(name, "").strip() for name in CLAIMANT}
    if missing := [name for name, value in details.items() if not value]:
        raise Refusal("claimant-incomplete", f"The claim form asks for the claimant's {missing[0]}.", field="claimant")
    if not grounds.strip():
        raise Refusal("grounds-missing", "Say what shows that it is theirs.", field="grounds")
    if (serial is None) == (voucher is None):
        raise Refusal("claim-of-one-thing", "A claim is for one ticket or one voucher.", field="serial")
    now = timezone.now()
    shown = partial(_show, security_code, by)
    if serial is not None:
        found = _ticket_claim(serial, reason, now, shown)
    else:
        found = _voucher_claim(voucher or "", reason, now, shown)
    claim = Claim.objects.create(
        **found, reason=reason, claimant=details, grounds=grounds.strip(), made_at=now, made_by=by.identity
    )
    made = ClaimMade(
        claim=claim.pk,
        amount=claim.amount,
        ticket=None if claim.ticket is None else claim.ticket.serial,
        voucher=None if claim.voucher is None else claim.voucher.code,
        reason=str(claim.reason),
    )
    record_act(made, by=by)
    propose(kind=KIND, subject=f"claim:{claim.pk}", new=APPROVED, why=claim.grounds, by=by)
    return claim


def _show(security_code: str | None, by: Actor, paper: Ticket | Voucher) -> None:
    if security_code is None:
        return
    if isinstance(paper, Ticket):
        possession.require_ticket(paper, security_code, by=by)
    else:
        possession.require_voucher(paper, security_code, by=by)


def _ticket_claim(
    serial: str, reason: ClaimReason, now: datetime, shown: Callable[[Ticket], None]
) -> dict[str, object]:
    ticket = lock_ticket(serial, field="serial")
    shown(ticket)
    refuse_held(ticket)
    unpaid = list(unpaid_of(ticket))
    amount = Money.total(prize.amount for prize in unpaid)
    if not unpaid:
        raise Conflict("nothing-to-pay", "There is nothing unpaid on this ticket.", clause="act-keno:12.5")
    if reason == ClaimReason.LATE and not any(vouchers.late(prize.day, now=now) for prize in unpaid):
        raise Refusal(
            "not-late", "It is not twelve months since the win: pay it at the counter.", clause="act-keno:11.1"
        )
    _refuse_second(each for each in Claim.objects.filter(ticket=ticket, paid_at=None) if _still_about(each, amount))
    return {"ticket": ticket, "amount": amount}


def _still_about(claim: Claim, unpaid: Money) -> bool:
    """Whether it is what was claimed that is unpaid: nothing was paid on the ticket since, and nothing more won."""
    return (
        unpaid == claim.amount and not Payment.objects.filter(ticket=claim.ticket, paid_at__gte=claim.made_at).exists()
    )


def _voucher_claim(
    code: str, reason: ClaimReason, now: datetime, shown: Callable[[Voucher], None]
) -> dict[str, object]:
    voucher = Voucher.objects.select_for_update().filter(code=read_serial(code)).first()
    if voucher is None:
        raise NotFound("no-such-voucher", "There is no such Keno voucher.", field="voucher")
    shown(voucher)
    vouchers.refuse_not_cash(voucher)
    if voucher.spent_at is not None:
        raise Conflict("voucher-spent", "This voucher has been spent.")
    if reason != ClaimReason.LATE or not vouchers.late(voucher.day, now=now):
        raise Refusal(
            "not-late", "A voucher is claimed only after twelve months: take it at the counter.", clause="act-keno:11.1"
        )
    _refuse_second(Claim.objects.filter(voucher=voucher, paid_at=None))
    return {"voucher": voucher, "amount": voucher.amount}


def _refuse_second(waiting: Iterable[Claim]) -> None:
    """One claim at a time, unless the one before was rejected or withdrawn, or is about another amount."""
    for claim in waiting:
        proposal = Proposal.objects.filter(kind=KIND, subject=f"claim:{claim.pk}").order_by("-id").first()
        if proposal is None or proposal.status in ("proposed", "approved", "effective"):
            raise Conflict("claimed-already", f"Claim {claim.pk} for it is under way.", clause="act-keno:11.1")


@transaction.atomic
def pay_claim(
    *, claim_id: int, cheque_number: str, by: Actor, identity: Identity | None = None, card: str | None = None
) -> Claim:
    """Pay an approved claim, by cheque (11.5): what was approved and nothing else, also what had moved on (11.4)."""
    by.require(PAY_CLAIM)
    now = timezone.now()
    seen = _find(claim_id)
    held = hold_fund()
    if seen.ticket_id is not None:
        assert seen.ticket is not None
        lock_ticket(seen.ticket.serial)  # tickets before claims: the order of all who pay
    claim = Claim.objects.select_for_update().get(pk=seen.pk)
    require_payable(claim, by)
    claim.cheque_number = require_number(cheque_number, clause="act-keno:11.5", field=None)
    if claim.ticket is not None:
        claim.payment = _pay_ticket(claim, claim.cheque_number, by, now, held)
        paid, reference, player = claim.payment.cheque, claim.ticket.serial, claim.ticket.player_id
    else:
        voucher = _pay_voucher(claim, by, now)
        paid, reference, player = voucher.amount, voucher.code, voucher.player_id
    claim.paid_at, claim.paid_by = now, by.identity
    claim.save()
    paid_for = ClaimPaid(
        claim=claim.pk,
        amount=paid,
        ticket=None if claim.ticket is None else reference,
        payment=claim.payment_id,
        voucher=reference if claim.ticket is None else None,
    )
    record_act(paid_for, by=by)
    handed = HandedOver(
        kind=CLAIM_PAID,
        payment=claim.pk,
        reference=reference,
        cheque=WrittenCheque(amount=paid, number=cheque_number) if paid else None,
        day=gaming_day_at(now).date,
        at=now,
    )
    hand_over(handed, receiver=Receiver(identity=identity, card=card, played_by=player), by=by)
    return claim


def _pay_ticket(claim: Claim, cheque_number: str, by: Actor, now: datetime, held: Money) -> Payment:
    assert claim.ticket is not None
    prizes = lock_unpaid(claim.ticket)
    if not prizes:
        raise Conflict("already-paid", "Everything on this ticket has been paid since.", clause="act-keno:12.5")
    due = due_of(claim.ticket, prizes, by=by)
    if not _still_about(claim, due.amount):
        raise Conflict(
            "claim-differs",
            f"${claim.amount} was approved, and now ${due.amount} is unpaid on this ticket: take the claim form anew.",
            clause="act-keno:11.1",
        )
    not_cash = due.not_cash
    payment = record(
        due,
        method=PaymentMethod.CHEQUE,
        by=by,
        now=now,
        shift=None,
        cheque=due.amount - not_cash,
        not_cash=not_cash,
        cheque_number=cheque_number,
        supervisor=claim.approved_by,
        keeps_paper=False,  # lost or unreadable: whoever finds it still has its games to come
    )
    sources = [
        part
        for account, amount in due.sources()
        for part in (owed_by_fund(amount, held=held) if account == accounts.UNCLAIMED else [(account, amount)])
    ]
    targets = [(accounts.BANK, due.amount - not_cash), (accounts.VOUCHERS, not_cash)]
    booked = bookings(due, payment, targets, sources)
    post_many(bookings=booked, by=by, day=payment.day, at=now)
    if not_cash:  # no drawer pays a claim: the voucher is noted where the ticket was sold
        claim.paper = vouchers.issue(
            amount=not_cash,
            cashable=False,
            day=payment.day,
            at=now,
            shift=claim.ticket.shift,
            by=by,
            payment=payment,
        )
    return payment


def _pay_voucher(claim: Claim, by: Actor, now: datetime) -> Voucher:
    assert claim.voucher_id is not None
    held = Voucher.objects.select_for_update(of=("self",)).select_related("ticket", "payment__ticket")
    voucher = held.get(pk=claim.voucher_id)
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
    return voucher


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


@extend_schema_field({"type": "string", "enum": [MADE, APPROVED]})
class _ClaimStatus(Text):
    """Whether a claim form is approved; that nothing else can become of it is a rule."""


def _current(subject: str) -> str:
    return MADE if _of(subject).approved_by is None else APPROVED


def _check(subject: str, new: str) -> None:
    if new != APPROVED:
        raise Refusal("value-unknown", f"A claim can become “{APPROVED}”.", field="new")


def _apply(proposal: Proposal, new: str, by: Actor) -> None:
    claim = Claim.objects.select_for_update().get(pk=_of(proposal.subject).pk)
    claim.approved_by, claim.approved_at = by.identity, timezone.now()
    claim.save(update_fields=["approved_by", "approved_at"])


def _describe(subject: str, old: str | None, new: str) -> str:
    """Without the claimant's name: what is decided stands in the log, which has no personal data."""
    claim = _of(subject)
    what = f"ticket {claim.ticket.serial}" if claim.ticket is not None else "a voucher"
    return f"Claim {claim.pk} is paid: ${claim.amount} by cheque for {what}, which is {claim.reason}."


KIND = Approvable(
    kind="keno.claim",
    label="Claim form",
    shape=Shape[str](_ClaimStatus(allow_blank=True), unreadable="value-unknown"),
    authority=Authority.INSPECTOR,  # 11.1, 11.4, 12.5
    propose_permission=CLAIM,
    describe=_describe,
    current=_current,
    check=_check,
    apply=_apply,
)
