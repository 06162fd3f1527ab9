"""What was paid on tickets, as the log tells it: only what they are owed, once, to tickets that are known. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from keno.acts import PaymentAuthorised
from keno.chart import MADE_GOOD, PRIZES_OWING, REFUNDS_OWING, UNCLAIMED, VOUCHERS
from keno.counter_acts import ClaimPaid
from keno.on_record.holds import Holds, Moment
from keno.on_record.marks import Marks
from keno.on_record.paid_plainly import PaymentReader, PlainPayments
from keno.on_record.resettlements import Resettlements
from keno.on_record.sweeps import Sweeps
from keno.on_record.tickets import REFUND, Owed, TicketOnRecord
from keno.on_record.values import SUPERVISED_ABOVE, Values
from keno.prize_acts import PaperTicked, TicketContinued
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord
from kernel.kept import Kept
from kernel.money import Money

PAY_LARGE: Final = "keno.pay-large"
CHECK_PAPER: Final = "keno.check-paper"
_MEANWHILE: Final = timedelta(seconds=10)
_SOURCES: Final = (PRIZES_OWING, REFUNDS_OWING, UNCLAIMED, MADE_GOOD)


@dataclass(slots=True)
class PaidOnRecord:
    """One payment: at the counter, on a claim form, or the ticket was handed in for another (*tendered*)."""

    index: int
    row: int
    tx: int
    serial: str
    at: str
    by: str
    micros: int = 0
    unclaimed: int = 0  # of it, what had become unclaimed before (11.4)
    vouchers: int = 0  # of it, what went out as a Keno voucher
    number: int = 0  # of the payment; 0 where it was tendered
    claim: int | None = None
    parts: int = 0
    pays: tuple[Owed, ...] = ()


@dataclass(slots=True)
class Payments:
    values: Values
    sweeps: Sweeps
    holds: Holds
    resettlements: Resettlements
    marked: Marks  # tickets that something is said of here
    plain: PlainPayments = field(default_factory=PlainPayments)
    read_plain: PaymentReader | None = None
    by_number: dict[int, PaidOnRecord] = field(default_factory=dict)  # of transactions that may not be over
    by_serial: Kept[str, list[PaidOnRecord]] = field(default_factory=Kept)  # the others, and what was tendered
    authorised: dict[tuple[str, int], tuple[int, str]] = field(default_factory=dict)  # by ticket and amount
    papers: dict[str, int] = field(default_factory=dict)  # of tickets that play on after a payment
    papers_found: dict[str, dict[int, str]] = field(default_factory=dict)  # by ticket and payment: by whom
    paid: int = 0
    unpaid: dict[str, int] = field(default_factory=dict)  # what is owed at the end, by account

    def transfer(self, row: TransferOnRecord) -> None:
        number, _, part = row.reference.partition("/")
        serial = (row.memo or {}).get("ticket")
        if not isinstance(serial, str) or not number.isdigit() or row.debit not in _SOURCES:
            raise Doubt("a payment does not say which ticket it is for, or what it pays.")
        payment = self.by_number.get(int(number))
        if payment is None:
            payment = PaidOnRecord(row.index, row.id, row.tx, serial, row.at, row.actor, number=int(number))
            self.by_number[int(number)] = payment
        elif payment.serial != serial:
            raise Doubt(f"payment {number} is for ticket {payment.serial} and for ticket {serial}.")
        if part != (str(payment.parts) if payment.parts else ""):  # the first is there once: references are
            raise Doubt(f"payment {number} goes on with {row.reference}, and its part {payment.parts} is the next.")
        payment.parts += 1
        payment.micros += row.micros
        self.paid += row.micros
        payment.unclaimed += row.micros if row.debit in (UNCLAIMED, MADE_GOOD) else 0
        payment.vouchers += row.micros if row.credit == VOUCHERS else 0

    def ended_before(self, tx: int) -> None:
        """Every transaction below is over: nothing is added to its payments."""
        for payment in [each for each in self.by_number.values() if each.tx < tx]:
            self._keep(payment)
            del self.by_number[payment.number]

    def rows_over(self) -> None:
        for payment in self.by_number.values():
            self._keep(payment)
        self.by_number.clear()
        self.paid += self.plain.micros
        self.read_plain = self.plain.reader()

    def _keep(self, payment: PaidOnRecord) -> None:
        self.marked.add(payment.serial.encode())
        self.by_serial[payment.serial] = [*(self.by_serial.get(payment.serial) or ()), payment]

    def tendered(self, serial: str, micros: int, row: ActOnRecord) -> None:
        """A winning ticket paid for another one."""
        self._keep(PaidOnRecord(row.index, row.id, row.tx, serial, row.at, row.actor, micros))
        self.paid += micros

    def authorise(self, act: PaymentAuthorised, row: ActOnRecord) -> None:
        if not self.holds.approvals.people.may(row.actor, PAY_LARGE):
            raise Doubt(f"a payment on ticket {act.ticket} is authorised by {row.actor}, who has no power to.")
        self.authorised[act.ticket, act.amount.micros] = (row.index, row.actor)

    def of_paper(self, act: PaperTicked | TicketContinued, row: ActOnRecord) -> None:
        if isinstance(act, PaperTicked):
            self._found(act, row)
        else:
            self.marked.add(act.ticket.encode())
            self._continued(act)

    def _continued(self, act: TicketContinued) -> None:
        """It was paid and plays on, with another paper (10.4): each is the next."""
        papers = self.papers.get(act.ticket, 1) + 1
        if act.paper != papers:
            raise Doubt(f"ticket {act.ticket} goes on with paper {act.paper}, and paper {papers} is the next.")
        self.papers[act.ticket] = papers

    def went_on(self, serial: str, payments: Sequence[PaidOnRecord], over: tuple[int, str] | None) -> None:
        """Whoever was paid while games were to come has gone on with another paper, and nobody else. *over*: where in
        the log its last game was, if it was. Who pays and who settles may stand there either way within a moment."""
        papers, surely, perhaps = self.papers.pop(serial, 1) - 1, 0, 0
        for paid in payments:
            if over is None:
                before = near = True
            else:
                apart = datetime.fromisoformat(over[1]) - datetime.fromisoformat(paid.at)
                before, near = paid.index < over[0] and apart > _MEANWHILE, abs(apart) <= _MEANWHILE
            surely += before and paid.number > 0 and paid.claim is None
            perhaps += before or near
        if not surely <= papers <= perhaps:
            raise Doubt(f"ticket {serial} was paid {surely} times with games to come, and went on {papers} times.")

    def _found(self, act: PaperTicked, row: ActOnRecord) -> None:
        """The paid ticket is there (10.4)."""
        if not self.holds.approvals.people.may(row.actor, CHECK_PAPER):
            raise Doubt(f"the paid ticket {act.ticket} is ticked off by {row.actor}, who has no power to.")
        found = self.papers_found.setdefault(act.ticket, {})
        if act.payment in found:
            raise Doubt(f"the paper of payment {act.payment} is found twice.")
        found[act.payment] = row.actor

    def _papers(self, serial: str, payments: list[PaidOnRecord]) -> None:
        """Somebody else than who paid it has found it. What was tendered has no number."""
        for number, actor in self.papers_found.pop(serial, {}).items():
            paid = [each for each in payments if each.number in (number, 0)]
            if not any(self.holds.approvals.people.are_others(actor, each.by) for each in paid):
                raise Doubt(f"the paper of payment {number} is found by who paid it, or was not paid on {serial}.")

    def claimed(self, act: ClaimPaid) -> int:
        """On a claim form (``claims.py``): what was paid of the ticket, in micro-dollars."""
        payment = self.by_number.get(act.payment or 0)
        if payment is None or payment.serial != act.ticket or payment.micros - payment.vouchers != act.amount.micros:
            raise Doubt(f"claim {act.claim}: its payment is not the one that was booked.")
        payment.claim = act.claim
        return payment.micros

    def check(self, ticket: TicketOnRecord, days: Mapping[int, str]) -> tuple[list[PaidOnRecord], int]:
        """That what was paid on this ticket, of which everything is known now, was owed; what is left is owed still.
        *days*: of its games."""
        payments = self._of(ticket.serial)
        self._papers(ticket.serial, payments)
        left = sorted(ticket.owed, key=lambda owed: owed[:2])
        turns = list(self.resettlements.of_ticket(ticket))
        for payment in payments:
            left = self._taken_from(self._turned(payment, ticket, turns, left), payment, days)
        for game in turns:
            left = self.resettlements.turn(ticket, game, left)
        self._still_owed(left, days)
        return payments, sum(owed.micros for owed in left)

    def check_plain(self, serial: str, owed: Sequence[Owed], days: Mapping[int, str]) -> list[PaidOnRecord]:
        """The same of a ticket none of whose games was settled again."""
        payments, left = self._of(serial), list(owed)
        for payment in payments:
            left = self._taken_from(left, payment, days)
        self._still_owed(left, days)
        return payments

    def _of(self, serial: str) -> list[PaidOnRecord]:
        return sorted([*(self.by_serial.pop(serial) or ()), *self._plain(serial)], key=lambda each: each.index)

    def _taken_from(self, left: list[Owed], payment: PaidOnRecord, days: Mapping[int, str]) -> list[Owed]:
        payment.pays = self._pays(payment, left)
        self._from_fund(payment, days)
        self._two_people(payment)
        if self.holds.held_at(payment.serial, Moment(payment.index, payment.row, payment.at)):
            raise Doubt(f"ticket {payment.serial} was paid while it was on hold.", row=payment.row)
        return [owed for owed in left if owed not in payment.pays]

    def _still_owed(self, left: Sequence[Owed], days: Mapping[int, str]) -> None:
        for owed in left:
            moved = self.sweeps.move(owed, day=days.get(owed.game, ""), paid_at=None)
            account = REFUNDS_OWING if owed.kind == REFUND else PRIZES_OWING
            self.unpaid[account] = self.unpaid.get(account, 0) + owed.micros - moved

    def _turned(self, payment: PaidOnRecord, ticket: TicketOnRecord, turns: list[int], left: list[Owed]) -> list[Owed]:
        """What it was owed when this was paid, games that had been settled again by then put right (12.1). Who pays and
        who settles again hold the ticket: within a moment, whoever stands first in the log may have come second."""
        while turns:
            index, at = self.resettlements.since(turns[0])
            apart = datetime.fromisoformat(payment.at) - datetime.fromisoformat(at)
            comes_first = payment.index < index if abs(apart) > _MEANWHILE else self._fits(payment, left)
            if comes_first:
                return left
            left = self.resettlements.turn(ticket, turns.pop(0), left)
        return left

    def _fits(self, payment: PaidOnRecord, left: list[Owed]) -> bool:
        try:
            return bool(self._pays(payment, left))
        except Doubt:
            return False

    def _plain(self, serial: str) -> Iterator[PaidOnRecord]:
        if self.read_plain is None or serial.encode() not in self.plain.marks:
            return
        for paid in self.read_plain.of(serial.encode()):
            self.plain.take([paid.record])
            yield PaidOnRecord(paid.place, paid.row, 0, serial, paid.at, paid.by, paid.micros, number=paid.number)

    def _from_fund(self, payment: PaidOnRecord, days: Mapping[int, str]) -> None:
        """What had become unclaimed is paid out of that, and made good by the house where it was spent (11.4)."""
        if not payment.unclaimed:
            return
        index = payment.index
        moved = sum(self.sweeps.move(owed, day=days.get(owed.game, ""), paid_at=index) for owed in payment.pays)
        if moved != payment.unclaimed:
            raise Doubt(
                f"ticket {payment.serial}: {Money(payment.unclaimed).said} was paid out of the unclaimed prizes; "
                f"{Money(moved).said} of it had become unclaimed.",
                row=payment.row,
            )
        if payment.claim is None:
            raise Doubt(f"ticket {payment.serial} was paid after twelve months without a claim.", row=payment.row)

    def _pays(self, payment: PaidOnRecord, left: list[Owed]) -> tuple[Owed, ...]:
        """Everything due at that moment: prizes one after the other that make up its amount."""
        left = [owed for owed in left if _before(owed, payment)]
        for start in range(len(left)):
            total = 0
            for end in range(start, len(left)):
                total += left[end].micros
                if total == payment.micros:
                    return tuple(left[start : end + 1])
                if total > payment.micros:
                    break
        owed = sum(each.micros for each in left)
        raise Doubt(
            f"ticket {payment.serial} was paid {Money(payment.micros).said}; what it had won and not been paid was "
            f"{Money(owed).said}.",
            row=payment.row,
        )

    def _two_people(self, payment: PaidOnRecord) -> None:
        """Above the approved amount somebody else authorises it first; a claim has the inspector's word."""
        if payment.number == 0 or payment.claim is not None:
            return
        limit = self.values.amount(SUPERVISED_ABOVE, before=payment.index)
        if payment.micros <= limit.micros:
            return
        stood_by = self.authorised.get((payment.serial, payment.micros))
        if stood_by is None or stood_by[0] > payment.index or stood_by[1] == payment.by:
            raise Doubt(
                f"{Money(payment.micros).said} was paid on ticket {payment.serial}, and nobody else authorised it.",
                row=payment.row,
            )

    def end(self) -> None:
        for spoken_of in (*self.papers, *self.papers_found):
            raise Doubt(f"there is word of the paper of ticket {spoken_of}, which was not paid.")
        if (left := self.plain.left()) is not None:
            serial, paid = left
            raise Doubt(
                f"{Money(paid.micros).said} was paid on ticket {serial.decode()}, and there is no such ticket.",
                row=paid.row,
            )
        for named, payments in self.by_serial.items():
            raise Doubt(
                f"{Money(payments[0].micros).said} was paid on ticket {named}, and there is no such ticket.",
                row=payments[0].row,
            )

    def balances(self, held: Mapping[str, int]) -> None:
        """What is owed at the end is what the accounts say."""
        for account in (PRIZES_OWING, REFUNDS_OWING):
            expected = self.unpaid.get(account, 0)
            if held.get(account, 0) - self.values.adjusted.get(account, 0) != expected:
                raise Doubt(
                    f"{account} holds {Money(held.get(account, 0)).said}; the tickets that were not paid are owed "
                    f"{Money(expected).said}."
                )


def _before(owed: Owed, payment: PaidOnRecord) -> bool:
    """Whether it was owed when it was paid. Who pays holds the ticket before he looks what it is owed, and a settlement
    that ends meanwhile may stand behind him in the log: a moment behind."""
    index, at = owed.since
    if index < payment.index:
        return True
    return datetime.fromisoformat(at) <= datetime.fromisoformat(payment.at) + _MEANWHILE
