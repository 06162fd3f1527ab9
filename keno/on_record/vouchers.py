"""Keno vouchers and approved vouchers as the log tells them: each out once, in once, never as cash where it must not.

Pure. A voucher's act stands beside the transfers; which of them is its own is settled ticket by ticket (``tenders``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from house.approvals_on_record import ApprovalsOnRecord
from keno.acts import RedemptionAuthorised
from keno.chart import BANK, VOUCHERS
from keno.counter_acts import ClaimPaid, VoucherIssued, VouchersRegistered
from keno.on_record.marks import Marks
from keno.on_record.payments import PAY_LARGE
from keno.on_record.values import SUPERVISED_ABOVE, Values
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord
from kernel.kept import Kept
from kernel.money import Money

PAID: Final = "keno.voucher-paid"
REGISTER: Final = "keno.voucher-register"


@dataclass(slots=True)
class VouchersOnRecord:
    values: Values
    approvals: ApprovalsOnRecord
    marked: Marks  # tickets that something is said of here
    all: Kept[str, tuple[int, bool, bool]] = field(default_factory=Kept)  # what it is worth, if cashable, if spent
    outstanding: int = 0  # of those that are not
    for_ticket: Kept[str, list[tuple[int, bool]]] = field(default_factory=Kept)
    for_payment: Kept[int, tuple[int, bool]] = field(default_factory=Kept)
    registered: Kept[str, tuple[int, bool]] = field(default_factory=Kept)  # approved ones: worth, whether taken in
    authorised: dict[str, str] = field(default_factory=dict)
    by_cheque: dict[str, tuple[int, int]] = field(default_factory=dict)  # paid without a claim so far: amount, row

    def issued(self, act: VoucherIssued) -> None:
        if act.voucher in self.all:
            raise Doubt(f"voucher {act.voucher} is issued twice.")
        worth = (act.amount.micros, act.cashable)
        self.all[act.voucher] = (*worth, False)
        self.outstanding += act.amount.micros
        if act.payment is not None:
            self.for_payment[act.payment] = worth
        elif act.ticket is not None:
            self.marked.add(act.ticket.encode())
            self.for_ticket.setdefault(act.ticket, list).append(worth)
        else:
            raise Doubt(f"voucher {act.voucher} is issued for nothing.")

    def spend(self, code: str, micros: int) -> bool:
        """It comes in, for a ticket or for cash; whether it may be cash."""
        found = self.all.get(code)
        if found is None:
            raise Doubt(f"voucher {code} is spent, and was never issued.")
        worth, cashable, spent = found
        if spent:
            raise Doubt(f"voucher {code} is spent twice.")
        self.all[code] = (worth, cashable, True)
        self.outstanding -= worth
        if worth != micros:
            raise Doubt(f"voucher {code} is worth {Money(worth).said}, and {Money(micros).said} was given for it.")
        return cashable

    def paid(self, row: TransferOnRecord) -> None:
        """Redeemed at the counter, or on a claim form by cheque."""
        if row.debit != VOUCHERS:
            raise Doubt(f"voucher {row.reference} is paid out of {row.debit}.")
        if not self.spend(row.reference, row.micros):
            raise Doubt(f"voucher {row.reference} stands for an approved voucher, and was paid out (4.6).")
        if row.credit == BANK:
            self.by_cheque[row.reference] = (row.micros, row.id)
            return
        alone = self.authorised.get(row.reference) in (None, row.actor)
        if alone and row.micros > self.values.amount(SUPERVISED_ABOVE, before=row.index).micros:
            raise Doubt(f"voucher {row.reference} of {Money(row.micros).said} was paid, and nobody else authorised it.")

    def authorise(self, act: RedemptionAuthorised, row: ActOnRecord) -> None:
        if not self.approvals.people.may(row.actor, PAY_LARGE):
            raise Doubt(f"the redemption of voucher {act.voucher} is authorised by {row.actor}, who has no power to.")
        self.authorised[act.voucher] = row.actor

    def claimed(self, act: ClaimPaid) -> int:
        """On a claim form (``claims.py``): what was paid for the voucher, in micro-dollars."""
        paid, _ = self.by_cheque.pop(act.voucher or "", (0, 0))
        if paid != act.amount.micros:
            raise Doubt(f"claim {act.claim}: its voucher was not paid as the claim says.")
        return paid

    def register(self, act: VouchersRegistered, row: ActOnRecord) -> None:
        if act.proposal is None and not row.actor.startswith("system:"):
            raise Doubt(f"vouchers of the type {act.type} are registered by one person.")
        if act.proposal is not None and not self._is_approved(act):
            raise Doubt(f"other vouchers of the type {act.type} are registered than proposal {act.proposal} was about.")
        for number in act.numbers:
            reference = f"{act.type}-{number}"
            if reference in self.registered:
                raise Doubt(f"approved voucher {reference} is registered twice.")
            self.registered[reference] = (act.value.micros, False)

    def _is_approved(self, act: VouchersRegistered) -> bool:
        """As one person proposed and another decided just now: their worth and every number."""
        found = self.approvals.numbered(act.proposal or 0)
        if found is None or found not in self.approvals.under_way(REGISTER, act.subject):
            return False
        new: Any = found.act.new
        numbers = new.get("numbers")
        if numbers is None:
            numbers = map(str, range(new["first"], new["last"] + 1))
        said = [number.strip().upper() for number in numbers]
        return (Money.parse(new["value"]), said) == (act.value, list(act.numbers))

    def take_approved(self, reference: str, micros: int, *, index: int) -> None:
        """An approved voucher pays for a ticket (4.6): known to the register, for its worth, once."""
        worth, taken = self.registered.get(reference) or (0, False)
        if taken:
            raise Doubt(f"approved voucher {reference} is taken in twice.")
        if worth != micros:
            raise Doubt(f"approved voucher {reference} is not on the register for {Money(micros).said}.")
        if self.values.value("voucher-type", reference.partition("-")[0], before=index) is None:
            raise Doubt(f"approved voucher {reference} is of a type that was not approved.")
        self.registered[reference] = (worth, True)

    def end(self) -> None:
        for code, (micros, row) in self.by_cheque.items():
            raise Doubt(f"voucher {code} of {Money(micros).said} was paid by cheque without a claim.", row=row)
        for serial, issued in self.for_ticket.items():
            amount = Money(issued[0][0]).said
            raise Doubt(f"a voucher of {amount} was issued for ticket {serial}, which does not exist.")
        for payment, (micros, _) in self.for_payment.items():
            raise Doubt(f"a voucher of {Money(micros).said} was issued for payment {payment}, which was not made so.")

    def balances(self, held: Mapping[str, int]) -> None:
        if held.get(VOUCHERS, 0) - self.values.adjusted.get(VOUCHERS, 0) != self.outstanding:
            raise Doubt(
                f"vouchers of {Money(self.outstanding).said} are out; {VOUCHERS} holds "
                f"{Money(held.get(VOUCHERS, 0)).said}."
            )
