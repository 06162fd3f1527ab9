"""Claim forms as the log tells them: what was claimed, what the inspector approved, what was paid (11, 12.5). Pure.

A form says what it is for before anybody decides about it; approved, it pays that and nothing else, once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from house.approvals_on_record import ApprovalsOnRecord
from keno.counter_acts import ClaimMade, ClaimPaid
from keno.on_record.payments import Payments
from keno.on_record.vouchers import VouchersOnRecord
from kernel.export_check import ActOnRecord, Doubt

CLAIM: Final = "keno.claim"
PAY_CLAIM: Final = "keno.pay-claim"


@dataclass(slots=True)
class Claims:
    approvals: ApprovalsOnRecord
    payments: Payments
    vouchers: VouchersOnRecord
    forms: dict[int, ClaimMade] = field(default_factory=dict)
    paid: set[int] = field(default_factory=set)

    def act(self, act: ClaimMade | ClaimPaid, row: ActOnRecord) -> None:
        if isinstance(act, ClaimMade):
            self._made(act, row)
        else:
            self._paid(act, row)

    def _made(self, act: ClaimMade, row: ActOnRecord) -> None:
        if not self.approvals.people.may(row.actor, CLAIM, anywhere=True):
            raise Doubt(f"claim {act.claim} is taken by {row.actor}, who has no power to.")
        if act.claim in self.forms or any(each.act.about == act.subject for each in self.approvals.proposals.values()):
            raise Doubt(f"claim {act.claim} is made twice, or after it was put before the inspector.")
        self.forms[act.claim] = act

    def _paid(self, act: ClaimPaid, row: ActOnRecord) -> None:
        """By cheque, but for what stands for an approved voucher, which is never money."""
        form = self.forms.get(act.claim)
        if form is None or act.claim in self.paid:
            raise Doubt(f"claim {act.claim} is paid twice, or nobody made it.")
        proposal = self._approved(act.subject)
        if proposal is None:
            raise Doubt(f"claim {act.claim} is paid, and no inspector approved it.")
        if not self.approvals.people.may(row.actor, PAY_CLAIM):
            raise Doubt(f"claim {act.claim} is paid by {row.actor}, who has no power to.")
        if self.approvals.proposals[proposal].confirmed_by == row.actor:
            raise Doubt(f"claim {act.claim} is paid by {row.actor}, who confirmed the letter that approved it.")
        handed_over = self.payments.claimed(act) if act.payment is not None else self.vouchers.claimed(act)
        if (act.ticket, act.voucher, handed_over) != (form.ticket, form.voucher, form.amount.micros):
            raise Doubt(f"claim {act.claim}: {form.amount.said} was approved, and something else is paid.")
        self.paid.add(act.claim)

    def _approved(self, subject: str) -> int | None:
        """The proposal by which the form took effect."""
        values = self.payments.values
        found = (number for number, about in values.effective.items() if about == subject)
        return next((number for number in found if values.decided_as[number] == CLAIM), None)
