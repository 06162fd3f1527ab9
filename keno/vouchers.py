"""Keno vouchers: unused value on paper, issued once and spent once (4.6, 11.1, 11.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection
from django.db.models import Q, QuerySet, Sum
from django.utils import timezone

from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.steps import refuse_paying_alone
from house.gaming_days import gaming_day_at
from house.log import record_act
from keno import accounts, particulars, possession
from keno.acts import RedemptionAuthorised
from keno.cash_kinds import VOUCHER
from keno.counter_acts import VoucherIssued
from keno.models import Payment, PaymentAuthority, Shift, Tender, TenderType, Ticket, Voucher
from keno.permissions import PAY, PAY_LARGE
from keno.rules.unclaimed import twelve_months_after
from keno.shifts import hold_open_shift
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, NotFound, Refusal
from kernel.rooms import above
from kernel.transactions import one_transaction
from ledger.post import Booking, post


@dataclass(frozen=True, slots=True)
class IssuedVoucher:
    """A voucher as it is handed out."""

    voucher: Voucher
    security_code: str


def issue(
    *,
    amount: Money,
    day: date,
    at: datetime,
    shift: Shift,
    by: Actor,
    ticket: Ticket | None = None,
    payment: Payment | None = None,
    cashable: bool = True,
) -> IssuedVoucher:
    """Write a voucher for what is left over. The caller books the money to VOUCHERS in the same transaction.

    Not *cashable*: it was an approved voucher before, and pays for tickets only.
    """
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                """INSERT INTO keno_voucher (code, amount, cashable, issued_at, day, shift_id, issued_by, ticket_id,
                                             payment_id)
                   VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (code) DO NOTHING RETURNING id""",
                [
                    particulars.new_serial(),
                    amount.micros,
                    cashable,
                    at,
                    day,
                    shift.pk,
                    by.identity,
                    ticket.pk if ticket else None,
                    payment.pk if payment else None,
                ],
            )
            if row := cursor.fetchone():
                break
    voucher = Voucher.objects.get(pk=row[0])
    issued = VoucherIssued(
        voucher=voucher.code,
        amount=amount,
        cashable=cashable,
        ticket=ticket.serial if ticket else None,
        payment=payment.pk if payment else None,
    )
    record_act(issued, by=by)
    return IssuedVoucher(voucher, code_of(voucher))


def code_of(voucher: Voucher) -> str:
    return particulars.security_code(particulars.of_voucher(voucher))


def not_cash_left(ticket: Ticket) -> Money:
    """What approved vouchers paid of the ticket, as far as it has not gone back: value that never becomes cash."""
    tenders = Tender.objects.filter(ticket=ticket)
    never_cash = Voucher.objects.filter(cashable=False)
    spent = never_cash.filter(code__in=tenders.filter(type=TenderType.KENO_VOUCHER).values("reference"))
    came = Q(type=TenderType.VOUCHER) | Q(type=TenderType.KENO_VOUCHER, reference__in=spent.values("code"))
    given_back = never_cash.filter(Q(ticket=ticket) | Q(payment__ticket=ticket))
    return _total(tenders.filter(came)) - _total(given_back)


def _total(rows: QuerySet[Tender] | QuerySet[Voucher]) -> Money:
    return rows.aggregate(total=Sum("amount"))["total"] or ZERO


def lock(
    code: str,
    *,
    now: datetime,
    security_code: str | None,
    by: Actor,
    field: str = "code",
    code_field: str = "security_code",
) -> Voucher:
    """The voucher, held until the transaction ends. Of two who spend it at once the second finds it spent."""
    possession.refuse_missing(security_code, field=code_field)
    voucher = _lock_row(code, field=field)
    possession.require_voucher(voucher, security_code, by=by, field=code_field)
    refuse_spent(voucher, field=field)
    if late(voucher.day, now=now):
        raise Refusal(
            "claim-needed",
            "This voucher is older than twelve months: it is paid on an approved claim form.",
            clause="act-keno:11.1",
            field=field,
        )
    return voucher


def _lock_row(code: str, *, field: str = "code") -> Voucher:
    """With whose ticket it is the rest of: it is read in the same breath."""
    held = Voucher.objects.select_for_update(of=("self",)).select_related("ticket", "payment__ticket")
    voucher = held.filter(code=particulars.read_serial(code)).first()
    if voucher is None:
        raise NotFound("no-such-voucher", "There is no such Keno voucher.", field=field)
    return voucher


def refuse_spent(voucher: Voucher, *, field: str | None = None) -> None:
    if voucher.spent_at is not None:
        raise Conflict("voucher-spent", f"This voucher was spent on {voucher.spent_at:%d %B %Y}.", field=field)


def late(day: date, *, now: datetime) -> bool:
    """More than twelve months after the Keno day to which it relates (11.1)."""
    return gaming_day_at(now).date >= twelve_months_after(day)


def spend(voucher: Voucher, *, by: Actor, at: datetime, on: Ticket | None = None) -> None:
    voucher.spent_at, voucher.spent_by, voucher.spent_on = at, by.identity, on
    voucher.save(update_fields=["spent_at", "spent_by", "spent_on"])


def refuse_not_cash(voucher: Voucher) -> None:
    if not voucher.cashable:
        raise Refusal(
            "voucher-not-cash",
            "It stands for an approved voucher: it pays for tickets, and never becomes cash or a cheque.",
            clause="act-keno:4.6",
        )


@one_transaction()
def redeem_voucher(
    *, code: str, security_code: str | None, by: Actor, identity: Identity | None = None, card: str | None = None
) -> Voucher:
    """Pay a Keno voucher out in cash: what asks for identity or a second person as a prize does so here as well."""
    by.require(PAY)
    now = timezone.now()
    voucher = lock(code, now=now, security_code=security_code, by=by)
    refuse_not_cash(voucher)
    _require_authority(voucher, by)
    shift = hold_open_shift(by)
    spend(voucher, by=by, at=now)
    booking = Booking(
        debit=accounts.VOUCHERS,
        credit=shift.cash,
        amount=voucher.amount,
        kind="keno.voucher-paid",
        reference=voucher.code,
    )
    day = gaming_day_at(now).date
    post(booking=booking, by=by, day=day, at=now)
    handed = HandedOver(kind=VOUCHER, payment=voucher.pk, reference=voucher.code, cash=voucher.amount, day=day, at=now)
    hand_over(handed, receiver=Receiver(identity=identity, card=card, played_by=voucher.player_id), by=by)
    return voucher


@one_transaction()
def authorise_redemption(*, code: str, by: Actor) -> PaymentAuthority:
    """A supervisor authorises the redemption of a large voucher; another person then pays it."""
    by.require(PAY_LARGE)
    voucher = _lock_row(code)
    refuse_not_cash(voucher)
    refuse_spent(voucher)
    authority = PaymentAuthority.objects.create(
        voucher=voucher, amount=voucher.amount, given_by=by.identity, given_at=timezone.now()
    )
    record_act(RedemptionAuthorised(voucher=voucher.code, amount=voucher.amount), by=by)
    return authority


def _require_authority(voucher: Voucher, by: Actor) -> None:
    if voucher.amount <= above(PAY):
        return
    given = PaymentAuthority.objects.filter(voucher=voucher).order_by("-id").first()
    refuse_paying_alone(voucher.amount, power=PAY, authorised_by=given.given_by if given else None, by=by)
