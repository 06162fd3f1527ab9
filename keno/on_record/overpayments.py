"""What was paid too much, as the log tells it: given back, given up, or still asked for. Pure.

Of a game that was settled again each ticket's overpayment is computed (``resettlements.py``); of the others two people
have said how much. Nothing more comes back than was too much, and nobody alone gives it up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from house.approvals_on_record import ApprovalsOnRecord
from keno.chart import OVER_SHORT, OVERPAID, OVERPAID_LOST
from keno.on_record.resettlements import Resettlements
from keno.on_record.shifts import Shifts
from keno.on_record.values import Values
from keno.overpayment_acts import (
    OverpaymentAsked,
    OverpaymentReceived,
    OverpaymentRecorded,
    OverpaymentWrittenOff,
)
from keno.overpayment_kinds import AT_COUNTER, RECEIVED, WRITTEN_OFF
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord
from kernel.money import Money

KINDS: Final = frozenset({AT_COUNTER, RECEIVED, WRITTEN_OFF})
ACTS: Final = (OverpaymentAsked, OverpaymentReceived, OverpaymentRecorded, OverpaymentWrittenOff)
POWER: Final = "keno.overpayment"
_ACCOUNTS: Final = {AT_COUNTER: (OVERPAID, OVER_SHORT), WRITTEN_OFF: (OVERPAID_LOST, OVERPAID)}
OverpaymentAct = OverpaymentAsked | OverpaymentReceived | OverpaymentRecorded | OverpaymentWrittenOff


@dataclass(slots=True)
class _Overpaid:
    ticket: str
    game: int | None
    first: int  # where in the log it is first spoken of
    amount: int | None = None  # None: as the game that was settled again makes it
    back: int = 0
    asked: bool = False
    ended: bool = False


@dataclass(slots=True)
class Overpayments:
    values: Values
    approvals: ApprovalsOnRecord
    resettlements: Resettlements
    by_number: dict[int, _Overpaid] = field(default_factory=dict)
    decided: list[tuple[int, str, str]] = field(default_factory=list)  # proposal, subject, what is wrong without it
    # What was booked by whom, by kind and number, until its act comes.
    booked: dict[tuple[str, int], tuple[int, str]] = field(default_factory=dict)

    def transfer(self, row: TransferOnRecord, shifts: Shifts) -> None:
        if row.kind == RECEIVED:
            shifts.moves(row.debit, row.actor)  # into the drawer of who receives it
        number = row.reference.partition("/")[0]
        fits = row.credit == OVERPAID if row.kind == RECEIVED else (row.debit, row.credit) == _ACCOUNTS[row.kind]
        if not number.isdigit() or not fits:
            raise Doubt(f"{row.kind} {row.reference} goes where nothing of an overpayment goes.")
        if (row.kind, int(number)) in self.booked:
            raise Doubt(f"{row.kind} {row.reference} is booked, and nothing was said of the one before.")
        self.booked[row.kind, int(number)] = (row.micros, row.actor)

    def act(self, act: OverpaymentAct, row: ActOnRecord) -> None:
        match act:
            case OverpaymentRecorded():
                self._recorded(act, row)
            case OverpaymentAsked():
                if not self.approvals.people.may(row.actor, POWER):
                    raise Doubt(f"overpayment {act.overpayment} is asked for by {row.actor}, who has no power to.")
                self._of(act, row).asked = True
            case OverpaymentReceived():
                self._same(act.overpayment, RECEIVED, act.amount, row)
                self._of(act, row).back += act.amount.micros
            case OverpaymentWrittenOff():
                self._written_off(act, row)

    def _recorded(self, act: OverpaymentRecorded, row: ActOnRecord) -> None:
        says = f"payment {act.payment} was {act.amount.said} too much, and no second person said so."
        self.decided.append((act.proposal, f"keno-payment:{act.payment}", says))
        if act.overpayment in self.by_number:
            raise Doubt(f"overpayment {act.overpayment} is recorded twice.")
        self._same(act.overpayment, AT_COUNTER, act.amount, row)
        self.by_number[act.overpayment] = _Overpaid(act.ticket, None, row.index, act.amount.micros)

    def _written_off(self, act: OverpaymentWrittenOff, row: ActOnRecord) -> None:
        says = f"overpayment {act.overpayment} is written off, and no second person decided so."
        self.decided.append((act.proposal, f"keno-overpayment:{act.overpayment}", says))
        self._same(act.overpayment, WRITTEN_OFF, act.amount, row)
        overpaid = self._of(act, row)
        if not overpaid.asked:
            raise Doubt(f"overpayment {act.overpayment} is written off, and nobody had asked for it.")
        overpaid.back += act.amount.micros
        overpaid.ended = True

    def _of(self, act: OverpaymentAsked | OverpaymentReceived | OverpaymentWrittenOff, row: ActOnRecord) -> _Overpaid:
        """The one it is about. One of a game that was settled again is first spoken of here."""
        found = self.by_number.get(act.overpayment)
        if found is None and act.game is not None:
            found = self.by_number[act.overpayment] = _Overpaid(act.ticket, act.game, row.index)
        if found is None or (found.ticket, found.game) != (act.ticket, act.game) or found.ended:
            raise Doubt(f"overpayment {act.overpayment} is none of ticket {act.ticket}, or is over.")
        return found

    def _same(self, number: int, kind: str, said: Money, row: ActOnRecord) -> None:
        booked, by = self.booked.pop((kind, number), (0, ""))
        if (booked, by) != (said.micros, row.actor):
            raise Doubt(
                f"overpayment {number}: {row.actor} says {said.said} of {kind}, and {Money(booked).said} was booked "
                f"by {by}."
            )

    def balances(self) -> None:
        """All rows are read."""
        for proposal, subject, says in self.decided:
            if self.values.effective.get(proposal) != subject:
                raise Doubt(says)
        for kind, number in self.booked:
            raise Doubt(f"{kind} is booked for overpayment {number}, and nothing is said of it.")

    def end(self) -> None:
        """What the tickets of games that were settled again had been paid is known."""
        seen: set[tuple[str, int]] = set()
        for number, each in self.by_number.items():
            amount = each.amount
            if each.game is not None:
                of = (each.ticket, each.game)
                too_much, since = self.resettlements.too_much.get(of, (0, 0))
                if not too_much or of in seen or each.first < since:
                    raise Doubt(
                        f"overpayment {number}: ticket {each.ticket} was not overpaid for game {each.game} then."
                    )
                seen.add(of)
                amount = too_much
            assert amount is not None
            if each.back > amount or (each.ended and each.back != amount):
                raise Doubt(
                    f"overpayment {number}: {Money(each.back).said} came back or was written off of "
                    f"{Money(amount).said}."
                )
