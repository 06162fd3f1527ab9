"""What is handed over for a ticket: any mix, with the rest in cash or as a Keno voucher (4.6).

Approved vouchers pay for tickets and give no change: they are not cash. Everything else does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from house.refusal import Malformed, NotFound, Refusal
from keno import accounts, approved, pay, vouchers
from keno.flows import pair
from keno.models import Shift, Tender, TenderType, Voucher
from keno.serials import read_serial
from ledger.money import Money
from ledger.post import Booking

_CLAUSE: Final = "act-keno:4.6"
MOST_LINES: Final = 20
LONGEST_REFERENCE: Final = 64


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """One line of the tender. Cash or chips without an amount: as much as is missing."""

    type: TenderType
    amount: Money | None = None
    reference: str = ""
    security_code: str | None = None


EXACT_CASH: Final = (Handed(type=TenderType.CASH),)


@dataclass(frozen=True, slots=True)
class Line:
    type: TenderType
    amount: Money
    reference: str


@dataclass(frozen=True, slots=True)
class Taken:
    """The tender once it has been looked at: nothing is booked yet, vouchers and tickets are locked."""

    lines: tuple[Line, ...]
    change: Money
    vouchers: tuple[Voucher, ...]
    payments: tuple[pay.Due, ...]

    def total(self, *types: TenderType) -> Money:
        return Money.total(line.amount for line in self.lines if line.type in types)


def take(*, tender: Sequence[Handed], price: Money, now: datetime) -> Taken:
    """Look at everything handed over; refuse what is short or worthless. Tickets are locked first, then vouchers."""
    if not 1 <= len(tender) <= MOST_LINES:
        raise Malformed("tender-lines", f"A ticket is paid for with 1 to {MOST_LINES} tenders.", field="tender")
    _check_lines(tender)
    due: dict[int, pay.Due] = {}
    spent: dict[int, Voucher] = {}
    by_serial = [(read_serial(one.reference), i, one) for i, one in enumerate(tender)]
    for _, i, one in sorted(by_serial, key=lambda each: each[0]):
        if one.type is TenderType.TICKET:
            with _worthless_if_unknown():
                due[i] = pay.lock_due(
                    serial=one.reference, security_code=one.security_code, now=now, field=f"tender[{i}].reference"
                )
    for _, i, one in sorted(by_serial, key=lambda each: each[0]):
        if one.type is TenderType.KENO_VOUCHER:
            with _worthless_if_unknown():
                spent[i] = vouchers.lock(
                    one.reference, now=now, security_code=one.security_code, field=f"tender[{i}].reference"
                )
    fixed = {i: won.amount for i, won in due.items()} | {i: voucher.amount for i, voucher in spent.items()}
    fixed |= {i: one.amount for i, one in enumerate(tender) if one.amount is not None and i not in fixed}
    missing = price - Money.total(fixed.values())
    lines = []
    for i, one in enumerate(tender):
        amount = fixed.get(i, missing)
        if one.amount is not None and one.amount != amount:
            raise Refusal(
                "tender-differs",
                f"It is worth ${amount}, not ${one.amount}.",
                clause=_CLAUSE,
                field=f"tender[{i}].amount",
            )
        if amount.micros > 0:
            lines.append(Line(one.type, amount, _name(one)))
    total = Money.total(line.amount for line in lines)
    if total < price:
        raise Refusal(
            "tender-short", f"The ticket costs ${price}; ${total} was tendered.", clause=_CLAUSE, field="tender"
        )
    for i, won in due.items():
        if won.amount > approved.amount(approved.SUPERVISED_ABOVE):
            raise Refusal(
                "pay-it-first",
                f"The ticket has won ${won.amount}: a supervisor stands by such a payment. Pay it first.",
                field=f"tender[{i}].reference",
            )
    taken = Taken(tuple(lines), total - price, tuple(spent.values()), tuple(due.values()))
    if taken.total(TenderType.VOUCHER) > price:
        raise Refusal(
            "voucher-gives-no-change",
            f"Approved vouchers pay for tickets and give no change: they may be worth ${price} here at most.",
            clause=_CLAUSE,
            field="tender",
        )
    return taken


@contextmanager
def _worthless_if_unknown() -> Iterator[None]:
    """A ticket or voucher nobody knows is a tender without worth, not an address without a page."""
    try:
        yield
    except NotFound as missing:
        raise Refusal(missing.code, missing.detail, clause=_CLAUSE, field=missing.field) from None


def _check_lines(tender: Sequence[Handed]) -> None:
    seen: set[tuple[str, str]] = set()
    open_lines = 0
    for i, one in enumerate(tender):
        field = f"tender[{i}]"
        if one.type in (TenderType.CASH, TenderType.CHIPS):
            if one.reference:
                raise Malformed("reference-misplaced", "Cash and chips have no reference.", field=f"{field}.reference")
            open_lines += one.amount is None
        elif not one.reference:
            raise Malformed("reference-missing", "Say which voucher or ticket it is.", field=f"{field}.reference")
        elif (key := (one.type, _name(one))) in seen:
            raise Refusal("tendered-twice", "It is tendered twice.", clause=_CLAUSE, field=f"{field}.reference")
        else:
            seen.add(key)
        if one.amount is not None and (one.amount.micros <= 0 or not one.amount.whole_cents):
            raise Malformed("amount-impossible", "An amount is whole cents, above nothing.", field=f"{field}.amount")
        if one.type is TenderType.VOUCHER:
            _check_approved_voucher(one, field)
    if open_lines > 1:
        raise Malformed("amount-missing", "Only one tender may be without an amount.", field="tender")


def _check_approved_voucher(one: Handed, field: str) -> None:
    """Its type is approved (4.6), and one is taken in once: the database has its reference once."""
    if one.amount is None:
        raise Malformed("amount-missing", "Say what the voucher is worth.", field=f"{field}.amount")
    if len(_name(one)) > LONGEST_REFERENCE:
        raise Malformed("reference-too-long", "A voucher has 64 letters at most.", field=f"{field}.reference")
    code = one.reference.partition("-")[0].upper()
    if approved.value(approved.VOUCHER_TYPE, code) is None:
        raise Refusal(
            "voucher-type-not-approved",
            f"Vouchers of the type “{code}” are not approved here.",
            clause=_CLAUSE,
            field=f"{field}.reference",
        )
    if Tender.objects.filter(type=TenderType.VOUCHER, reference=_name(one)).exists():
        raise Refusal("voucher-spent", "This voucher was taken in before.", clause=_CLAUSE, field=f"{field}.reference")


def _name(one: Handed) -> str:
    return one.reference.strip().upper() if one.type is TenderType.VOUCHER else read_serial(one.reference)


def bookings(taken: Taken, *, serial: str, price: Money, shift: Shift, change_to: str) -> list[Booking]:
    """The transfers of a sale: each source of value into stakes held, and what is over into the change.

    Cash is booked net of the change that goes back over the counter. Approved vouchers come first: they are spent on
    the ticket and never on the change.
    """
    cash, change = taken.total(TenderType.CASH), taken.change
    if change_to == shift.cash:
        netted = min(cash, change)
        cash, change = cash - netted, change - netted
    sources = [
        (accounts.APPROVED_VOUCHERS, taken.total(TenderType.VOUCHER)),
        *(source for due in taken.payments for source in due.sources()),
        (accounts.VOUCHERS, taken.total(TenderType.KENO_VOUCHER)),
        (shift.chips, taken.total(TenderType.CHIPS)),
        (shift.cash, cash),
    ]
    booked: list[Booking] = []
    for source, use, amount in pair(sources, [(accounts.STAKES_HELD, price), (change_to, change)]):
        kind = "keno.sale" if use == accounts.STAKES_HELD else "keno.change"
        reference = f"{serial}/{len(booked)}" if booked else serial
        booked.append(Booking(debit=source, credit=use, amount=amount, kind=kind, reference=reference))
    return booked
