"""Keno vouchers: unused value on paper, issued once and spent once (4.6, 11.1, 11.3)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime

from django.db import connection, transaction
from django.utils import timezone

from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.refusal import Conflict, NotFound, Refusal
from keno import accounts, particulars, serials
from keno.models import Payment, Shift, Ticket, Voucher
from keno.permissions import PAY
from keno.shifts import hold_open_shift
from ledger.money import Money
from ledger.post import Booking, post


@dataclass(frozen=True, slots=True)
class Paper:
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
) -> Paper:
    """Write a voucher for what is left over. The caller books the money to VOUCHERS in the same transaction."""
    with connection.cursor() as cursor:
        while True:
            cursor.execute(
                """INSERT INTO keno_voucher (code, amount, issued_at, day, shift_id, issued_by, ticket_id, payment_id)
                   VALUES (%s, %s, %s, %s, %s, %s, %s, %s) ON CONFLICT (code) DO NOTHING RETURNING id""",
                [
                    serials.new_serial(),
                    amount.micros,
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
    return Paper(voucher, code_of(voucher))


def code_of(voucher: Voucher) -> str:
    return serials.security_code(particulars.of_voucher(voucher))


def lock(code: str, *, now: datetime, security_code: str | None = None, field: str = "code") -> Voucher:
    """The voucher, held until the transaction ends. Of two who spend it at once the second finds it spent."""
    voucher = Voucher.objects.select_for_update().filter(code=serials.read_serial(code)).first()
    if voucher is None:
        raise NotFound("no-such-voucher", "There is no such Keno voucher.", field=field)
    if security_code is not None and not serials.agrees(security_code, particulars.of_voucher(voucher)):
        raise Refusal(
            "security-code-wrong",
            "The voucher does not agree with the record. Keep it, and call a supervisor.",
            clause="act-keno:10.3",
            field="security_code",
        )
    if voucher.spent_at is not None:
        raise Conflict("voucher-spent", f"This voucher was spent on {voucher.spent_at:%d %B %Y}.", field=field)
    if late(voucher.day, now=now):
        raise Refusal(
            "claim-needed",
            "This voucher is older than twelve months: it is paid on an approved claim form.",
            clause="act-keno:11.1",
            field=field,
        )
    return voucher


def late(day: date, *, now: datetime) -> bool:
    """More than twelve months after the Keno day to which it relates (11.1)."""
    return gaming_day_at(now).date >= twelve_months_after(day)


def twelve_months_after(day: date) -> date:
    """The first Keno day that is too late: the day after the same date a year on; 29 February runs to 28 February."""
    try:
        anniversary = day.replace(year=day.year + 1)
    except ValueError:
        anniversary = day.replace(year=day.year + 1, day=28)
    return date.fromordinal(anniversary.toordinal() + 1)


def spend(voucher: Voucher, *, by: Actor, at: datetime, on: Ticket | None = None) -> None:
    voucher.spent_at, voucher.spent_by, voucher.spent_on = at, by.identity, on
    voucher.save(update_fields=["spent_at", "spent_by", "spent_on"])


@transaction.atomic
def redeem_voucher(*, code: str, security_code: str, by: Actor) -> Voucher:
    """Pay a Keno voucher out in cash."""
    by.require(PAY)
    now = timezone.now()
    voucher = lock(code, now=now, security_code=security_code)
    shift = hold_open_shift(by)
    spend(voucher, by=by, at=now)
    booking = Booking(
        debit=accounts.VOUCHERS,
        credit=shift.cash,
        amount=voucher.amount,
        kind="keno.voucher-paid",
        reference=voucher.code,
    )
    post(booking=booking, by=by, day=gaming_day_at(now).date, at=now)
    return voucher
