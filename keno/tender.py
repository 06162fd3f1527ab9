"""What is handed over for a ticket: any mix, with the rest in cash or as a Keno voucher (4.6).

Approved vouchers pay for tickets and give no change: they are not cash, and each is known by the register of those
that were issued. A Keno voucher that stands for one gives its change as another such. Everything else gives change.
A winning ticket and a Keno voucher are handed in with their security code: a serial is no possession (10.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from house.cash.limits import asks_identity
from keno import accounts, approved, pay, possession, vouchers
from keno.chart import pair
from keno.models import ApprovedVoucher, Shift, Tender, TenderType, Voucher
from keno.models.approved_vouchers import REFERENCE_LETTERS_LIMIT
from keno.particulars import read_serial
from keno.permissions import PAY
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Malformed, NotFound, Refusal
from kernel.rooms import above
from ledger.post import Booking

_CLAUSE: Final = "act-keno:4.6"
LINES_LIMIT: Final = 20
_PAPERS: Final = (TenderType.TICKET, TenderType.KENO_VOUCHER)


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
    # The part of the change that never becomes cash: what is left of a Keno voucher that is not.
    not_cash_change: Money = ZERO

    def total(self, kind: TenderType) -> Money:
        return Money.total([line.amount for line in self.lines if line.type is kind])

    @property
    def cash_out(self) -> Money:
        """Of the change in cash, what is not the customer's own cash back: prizes, vouchers, chips that become cash."""
        return self.change - min(self.change, self.total(TenderType.CASH))

    @property
    def cash_in(self) -> Money:
        return self.total(TenderType.CASH) - min(self.change, self.total(TenderType.CASH))

    @property
    def played_by(self) -> int | None:
        """Whose card the largest paper of the tender was bought with."""
        papers = [(won.amount, won.ticket.player_id) for won in self.payments]
        papers += [(voucher.amount, voucher.player_id) for voucher in self.vouchers]
        known = [(amount, player) for amount, player in papers if player is not None]
        return max(known)[1] if known else None

    @property
    def never_cash(self) -> Money:
        """Of the Keno vouchers, those that stand for approved vouchers."""
        return Money.total(voucher.amount for voucher in self.vouchers if not voucher.cashable)


def take(*, tender: Sequence[Handed], price: Money, now: datetime, by: Actor) -> Taken:
    """Look at everything handed over; refuse what is short or worthless. Tickets are locked first, then vouchers."""
    if not 1 <= len(tender) <= LINES_LIMIT:
        raise Malformed("tender-lines", f"A ticket is paid for with 1 to {LINES_LIMIT} tenders.", field="tender")
    _check_lines(tender)
    by_serial = sorted(enumerate(tender), key=lambda each: read_serial(each[1].reference))
    due = {i: _winning_ticket(one, i, now=now, by=by) for i, one in by_serial if one.type is TenderType.TICKET}
    spent = {i: _keno_voucher(one, i, now=now, by=by) for i, one in by_serial if one.type is TenderType.KENO_VOUCHER}
    fixed = {i: won.amount for i, won in due.items()} | {i: voucher.amount for i, voucher in spent.items()}
    fixed |= {i: _approved_voucher(one, i) for i, one in enumerate(tender) if one.type is TenderType.VOUCHER}
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
    taken = Taken(tuple(lines), total - price, tuple(spent.values()), tuple(due.values()))
    return replace(taken, not_cash_change=_not_cash_change(taken, price))


def _not_cash_change(taken: Taken, price: Money) -> Money:
    """What is left of Keno vouchers that are never cash. Approved vouchers themselves give no change."""
    if taken.total(TenderType.VOUCHER) > price:
        raise Refusal(
            "voucher-gives-no-change",
            f"Approved vouchers pay for tickets and give no change: they may be worth ${price} here at most.",
            clause=_CLAUSE,
            field="tender",
        )
    over = taken.total(TenderType.VOUCHER) + taken.never_cash - price
    if over <= ZERO:
        return ZERO
    if over != taken.change:
        raise Refusal(
            "tender-too-much",
            "The vouchers alone pay for the ticket: take nothing else for it.",
            clause=_CLAUSE,
            field="tender",
        )
    return over


def _winning_ticket(one: Handed, i: int, *, now: datetime, by: Actor) -> pay.Due:
    field = f"tender[{i}].reference"
    with _worthless_if_unknown():
        ticket = pay.lock_ticket(one.reference, field=field)
        possession.require_ticket(ticket, one.security_code, by=by, field=f"tender[{i}].security_code")
        won = pay.lock_due(ticket, now=now, by=by, field=field)
    if won.amount > above(PAY) or asks_identity(won.amount):
        raise Refusal(
            "pay-it-first",
            f"The ticket has won ${won.amount}: a supervisor authorises such a payment, and the customer shows who he "
            "is. Pay it first.",
            field=field,
        )
    if won.not_cash:
        raise Refusal(
            "pay-it-first",
            "Part of its refund came in as an approved voucher, and goes back as one. Pay it first.",
            clause=_CLAUSE,
            field=field,
        )
    return won


def _keno_voucher(one: Handed, i: int, *, now: datetime, by: Actor) -> Voucher:
    field, code_field = f"tender[{i}].reference", f"tender[{i}].security_code"
    with _worthless_if_unknown():
        return vouchers.lock(
            one.reference, now=now, security_code=one.security_code, by=by, field=field, code_field=code_field
        )


def _approved_voucher(one: Handed, i: int) -> Money:
    """What the register says that it is worth (4.6). It is taken in once: the database has its reference once."""
    field, name = f"tender[{i}].reference", _name(one)
    code = name.partition("-")[0]
    if approved.value(approved.VOUCHER_TYPE, code) is None:
        raise Refusal(
            "voucher-type-not-approved",
            f"Vouchers of the type “{code}” are not approved here.",
            clause=_CLAUSE,
            field=field,
        )
    issued = ApprovedVoucher.objects.filter(reference=name).first()
    if issued is None:
        raise Refusal(
            "voucher-not-issued",
            "The register of issued vouchers does not have this one. Keep it, and call a supervisor.",
            clause=_CLAUSE,
            field=field,
        )
    if Tender.objects.filter(type=TenderType.VOUCHER, reference=name).exists():
        raise Refusal("voucher-spent", "This voucher was taken in before.", clause=_CLAUSE, field=field)
    worth: Money = issued.amount
    return worth


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
        if one.type in _PAPERS:
            possession.refuse_missing(one.security_code, field=f"{field}.security_code")
        if one.type is TenderType.VOUCHER and len(_name(one)) > REFERENCE_LETTERS_LIMIT:
            raise Malformed("reference-too-long", "A voucher has 64 letters at most.", field=f"{field}.reference")
    if open_lines > 1:
        raise Malformed("amount-missing", "Only one tender may be without an amount.", field="tender")


def _name(one: Handed) -> str:
    return one.reference.strip().upper() if one.type is TenderType.VOUCHER else read_serial(one.reference)


def bookings(taken: Taken, *, serial: str, price: Money, shift: Shift, change_to: str) -> list[Booking]:
    """The transfers of a sale: each source of value into stakes held, and what is over into the change.

    Cash is booked net of the change that goes back over the counter. Approved vouchers come first, and what stands for
    them: they are spent on the ticket and never on change in cash.
    """
    cash, change = taken.total(TenderType.CASH), taken.change
    if change_to == shift.cash:
        netted = min(cash, change)
        cash, change = cash - netted, change - netted
    sources = [
        (accounts.APPROVED_VOUCHERS, taken.total(TenderType.VOUCHER)),
        (accounts.VOUCHERS, taken.never_cash),
        *(source for due in taken.payments for source in due.sources()),
        (accounts.VOUCHERS, taken.total(TenderType.KENO_VOUCHER) - taken.never_cash),
        (shift.chips, taken.total(TenderType.CHIPS)),
        (shift.cash, cash),
    ]
    booked: list[Booking] = []
    for source, use, amount in pair(sources, [(accounts.STAKES_HELD, price), (change_to, change)]):
        kind = "keno.sale" if use == accounts.STAKES_HELD else "keno.change"
        reference = f"{serial}/{len(booked)}" if booked else serial
        booked.append(Booking(debit=source, credit=use, amount=amount, kind=kind, reference=reference))
    return booked
