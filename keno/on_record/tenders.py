"""How tickets were paid for and what was given back, as the log tells it (4.6, 6, 14.3): ticket by ticket. Pure.

A ticket paid in cash or chips without change has its sale and nothing more (``sales``). Here are the others: paper that
was taken in, change, cancellations, wagers that were voided.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from keno.acts import CancellationAsked, TicketCancelled, WagersVoided
from keno.chart import APPROVED_VOUCHERS, PRIZES_OWING, REFUNDS_OWING, STAKES_HELD, UNCLAIMED, VOUCHERS
from keno.counter_acts import TenderTaken
from keno.on_record.marks import Marks
from keno.on_record.payments import PaidOnRecord, Payments
from keno.on_record.tickets import REFUND, Owed, TicketOnRecord
from keno.on_record.vouchers import VouchersOnRecord
from keno.rules.price import KENO_TO_GO
from kernel.export_check import ActOnRecord, Doubt, TransferOnRecord
from kernel.kept import Kept
from kernel.money import Money

SALE, CHANGE, CANCEL, VOIDED = "keno.sale", "keno.change", "keno.cancel", "keno.voided"
KINDS: Final = frozenset({CHANGE, CANCEL, VOIDED})
PAPERS: Final = frozenset({APPROVED_VOUCHERS, VOUCHERS, PRIZES_OWING, REFUNDS_OWING, UNCLAIMED})
_CASH, _CHIPS, _VOUCHER, _KENO_VOUCHER, _TICKET = "cash", "chips", "voucher", "keno-voucher", "ticket"


@dataclass(slots=True)
class Tender:
    """What was taken in for one ticket, where it was not all cash and chips, or something was over."""

    act: TenderTaken | None = None
    never_cash: int = 0  # of its lines, what may not become cash: approved vouchers, and what stands for them
    sources: dict[str, int] = field(default_factory=dict)  # by account: what came out of it, the change included
    to_vouchers: int = 0  # of the change
    approved_as_change: bool = False


@dataclass(slots=True)
class Stop:
    """It plays no further game: cancelled at the counter, let out by a void attempt, or voided for a breach."""

    act: TicketCancelled | WagersVoided
    index: int
    at: str


@dataclass(slots=True)
class Tenders:
    vouchers: VouchersOnRecord
    payments: Payments
    marked: Marks  # tickets that something is said of here
    tenders: Kept[str, Tender] = field(default_factory=Kept)
    stops: Kept[str, list[Stop]] = field(default_factory=Kept)
    given_back: Kept[str, dict[str, int]] = field(default_factory=Kept)  # by ticket: cash, vouchers, owed
    asked: set[tuple[str, int]] = field(default_factory=set)  # requests to cancel that came too late
    cancelled_on: Kept[str, str] = field(default_factory=Kept)  # by ticket: the gaming day on which money went back
    cancelled: int = 0

    def _of(self, serial: str) -> Tender:
        self.marked.add(serial.encode())
        return self.tenders.setdefault(serial, Tender)

    def sold(self, serial: str, debit: str, micros: int) -> None:
        """A part of a sale that has paper among its parts."""
        sources = self._of(serial).sources
        sources[debit] = sources.get(debit, 0) + micros

    def transfer(self, row: TransferOnRecord) -> None:
        serial = row.reference.partition("/")[0]
        if row.kind == CHANGE:
            self.sold(serial, row.debit, row.micros)
            tender = self._of(serial)
            tender.to_vouchers += row.micros if row.credit == VOUCHERS else 0
            tender.approved_as_change |= row.debit == APPROVED_VOUCHERS
            return
        if row.debit != STAKES_HELD:
            raise Doubt(f"ticket {serial}: what is given back comes out of {row.debit}.")
        self.marked.add(serial.encode())
        back = self.given_back.setdefault(serial, dict)
        part = "owed" if row.kind == VOIDED else "vouchers" if row.credit == VOUCHERS else "cash"
        if (part == "owed") != (row.credit == REFUNDS_OWING):
            raise Doubt(f"ticket {serial}: what is given back goes to {row.credit}.")
        back[part] = back.get(part, 0) + row.micros
        if row.kind == CANCEL:
            self.cancelled_on[serial] = row.day

    def act(self, act: TenderTaken | TicketCancelled | WagersVoided | CancellationAsked, row: ActOnRecord) -> None:
        match act:
            case TenderTaken():
                self._taken(act, row)
            case CancellationAsked():
                self.asked.add((act.ticket, act.game))
            case _:
                self.marked.add(act.ticket.encode())
                self.stops.setdefault(act.ticket, list).append(Stop(act, row.index, row.at))

    def _taken(self, act: TenderTaken, row: ActOnRecord) -> None:
        tender = self._of(act.ticket)
        if tender.act is not None:
            raise Doubt(f"ticket {act.ticket} is paid for twice.")
        tender.act = act
        for line in act.lines:
            micros = line.amount.micros
            match line.type:
                case "voucher":
                    self.vouchers.take_approved(line.reference, micros, index=row.index)
                    tender.never_cash += micros
                case "keno-voucher":
                    if not self.vouchers.spend(line.reference, micros):
                        tender.never_cash += micros
                case "ticket":
                    self.payments.tendered(line.reference, micros, row)
                case "cash" | "chips":
                    pass
                case _:
                    raise Doubt(f"ticket {act.ticket} is paid for with {line.type}, which is no tender (4.6).")

    def stop_of(self, serial: str) -> tuple[int | None, frozenset[int]]:
        """The first game that the ticket does not play any more, and the sealed sets that it stays in."""
        stops = self.stops.get(serial) or ()
        first = min((stop.act.from_ for stop in stops), default=None)
        return first, frozenset(game for stop in stops for game in stop.act.late)

    def playing_at(self, ticket: TicketOnRecord, game: int, *, index: int) -> bool:
        """Whether it played in the game when the log stood at *index*."""
        stops = self.stops.get(ticket.serial) or ()
        return ticket.first <= game <= ticket.last and not any(
            stop.index < index and stop.act.from_ <= game for stop in stops
        )

    def check(self, ticket: TicketOnRecord) -> int:
        """That money in is price and change, and what was given back is what was paid for the games taken back.
        What of it never becomes cash and is still in the ticket."""
        tender = self.tenders.pop(ticket.serial)
        issued = self.vouchers.for_ticket.pop(ticket.serial) or []
        back = self.given_back.pop(ticket.serial) or {}
        never_cash = self._check_tender(ticket, tender, issued) if tender is not None else 0
        returned = self._check_stops(ticket, back, never_cash)
        out = sum(micros for micros, _ in issued)
        expected = back.get("vouchers", 0) + (self._change_as_voucher(ticket, tender) if tender is not None else 0)
        if out != expected:
            raise Doubt(
                f"ticket {ticket.serial}: vouchers of {Money(out).said} were issued for it, and "
                f"{Money(expected).said} was booked as vouchers."
            )
        never = back.get("vouchers", 0) + (max(0, tender.never_cash - ticket.price) if tender is not None else 0)
        if sum(micros for micros, cashable in issued if not cashable) != never:
            raise Doubt(
                f"ticket {ticket.serial}: a voucher issued for it is cash where it must not be, or is not (4.6)."
            )
        return never_cash - returned

    def _change_as_voucher(self, ticket: TicketOnRecord, tender: Tender) -> int:
        """Booked as such, and what a voucher left over of itself, which moves nowhere."""
        if tender.act is None:
            return tender.to_vouchers
        lines = _by_type(tender.act)
        return tender.to_vouchers + lines.get(_KENO_VOUCHER, 0) - tender.sources.get(VOUCHERS, 0)

    def _check_tender(self, ticket: TicketOnRecord, tender: Tender, issued: list[tuple[int, bool]]) -> int:
        act = tender.act
        if act is None:
            if paper := sorted(tender.sources.keys() & PAPERS):
                raise Doubt(f"ticket {ticket.serial} is paid out of {paper[0]}, and nothing says with which paper.")
            return 0
        lines, over = _by_type(act), sum(line.amount.micros for line in act.lines) - ticket.price
        if over != act.change.micros:
            raise Doubt(
                f"ticket {ticket.serial} costs {Money(ticket.price).said}; {Money(over + ticket.price).said} was "
                f"tendered and {act.change.said} given back."
            )
        as_voucher = self._change_as_voucher(ticket, tender)
        if as_voucher not in (0, over):
            part = Money(as_voucher).said
            raise Doubt(f"ticket {ticket.serial}: of {Money(over).said} that was over {part} is a voucher.")
        cash = lines.get(_CASH, 0)
        expected = {
            APPROVED_VOUCHERS: lines.get(_VOUCHER, 0),
            VOUCHERS: lines.get(_KENO_VOUCHER, 0) - (as_voucher - tender.to_vouchers),
            _TICKET: lines.get(_TICKET, 0),
            _CHIPS: lines.get(_CHIPS, 0),
            _CASH: cash - (0 if as_voucher else min(cash, over)),
        }
        found: dict[str, int] = {}
        for account, micros in tender.sources.items():
            found[_source(account)] = found.get(_source(account), 0) + micros
        for source in sorted(expected.keys() | found.keys()):
            if found.get(source, 0) != expected.get(source, 0):
                raise Doubt(
                    f"ticket {ticket.serial}: {Money(expected.get(source, 0)).said} of its tender is {source}, and "
                    f"{Money(found.get(source, 0)).said} was booked."
                )
        left_over = max(0, tender.never_cash - ticket.price)
        if tender.approved_as_change or (left_over and (left_over != over or not _all_never_cash(issued, over))):
            raise Doubt(f"ticket {ticket.serial}: what an approved voucher paid was given back as cash (4.6).")
        return tender.never_cash - left_over

    def _check_stops(self, ticket: TicketOnRecord, back: dict[str, int], never_cash: int) -> int:
        """What was paid for the games taken back (6.2, 14.3), as it came in: what never becomes cash comes first."""
        upto, at_counter, owed = ticket.last, 0, 0
        for stop in self.stops.pop(ticket.serial) or ():
            act = stop.act
            refund = ticket.paid_from(act.from_) - ticket.paid_from(upto + 1)
            if act.refund.micros != refund or act.to != upto or not ticket.first <= act.from_ <= upto:
                raise Doubt(
                    f"ticket {ticket.serial}: {act.refund.said} was given back from game {act.from_} on; "
                    f"{Money(refund).said} was paid for these games."
                )
            self._check_cancelled(ticket, stop)
            self.cancelled += refund
            upto = act.from_ - 1
            if isinstance(act, TicketCancelled) and not self._honoured(ticket, stop):
                at_counter += refund
            elif refund:
                owed += refund
                ticket.owed.append(
                    Owed(act.from_, REFUND, refund, "its wagers were taken back", since=(stop.index, stop.at))
                )
        booked = back.get("cash", 0) + back.get("vouchers", 0), back.get("owed", 0)
        if booked != (at_counter, owed):
            raise Doubt(
                f"ticket {ticket.serial}: {Money(sum(booked)).said} was booked as given back; it is "
                f"{Money(at_counter + owed).said}."
            )
        returned = min(at_counter, never_cash)
        if back.get("vouchers", 0) != returned:
            raise Doubt(f"ticket {ticket.serial}: what an approved voucher paid was given back as cash (4.6).")
        return returned

    def _honoured(self, ticket: TicketOnRecord, stop: Stop) -> bool:
        """Asked for while the witness was asked, and let out because no number ever came of it (6.1)."""
        return (ticket.serial, stop.act.from_) in self.asked

    def _check_cancelled(self, ticket: TicketOnRecord, stop: Stop) -> None:
        if not isinstance(stop.act, TicketCancelled) or self._honoured(ticket, stop):
            return
        if ticket.last - ticket.first + 1 >= KENO_TO_GO and stop.act.from_ > ticket.first:
            raise Doubt(f"ticket {ticket.serial}, of {KENO_TO_GO} games or more, is cancelled after it began (6.3).")
        if (day := self.cancelled_on.pop(ticket.serial) or ticket.day) != ticket.day:
            raise Doubt(f"ticket {ticket.serial} is cancelled on {day}, not on its day of issue (6.4).")

    def check_payments(self, serial: str, payments: list[PaidOnRecord], never_cash: int) -> None:
        """What went out as vouchers was issued as such; refunds of approved vouchers never become cash (4.6)."""
        for payment in payments:
            worth = self.vouchers.for_payment.pop(payment.number) if payment.number else None
            if payment.vouchers != (worth[0] if worth else 0):
                raise Doubt(f"payment {payment.number}: its voucher is not the one that was booked.", row=payment.row)
            refunds = sum(owed.micros for owed in payment.pays if owed.kind == REFUND)
            not_cash = min(refunds, never_cash)
            if not_cash and (worth is None or worth[0] != not_cash or worth[1]):
                raise Doubt(
                    f"ticket {serial}: what an approved voucher paid was given back as cash (4.6).",
                    row=payment.row,
                )
            never_cash -= not_cash

    def end(self) -> None:
        for serial, _ in (*self.tenders.items(), *self.stops.items(), *self.given_back.items()):
            raise Doubt(f"ticket {serial} was paid for or given back, and there is no such ticket.")


def _by_type(act: TenderTaken) -> dict[str, int]:
    found: dict[str, int] = {}
    for line in act.lines:
        found[line.type] = found.get(line.type, 0) + line.amount.micros
    return found


def _source(account: str) -> str:
    """Which part of a tender an account stands for."""
    if account in (PRIZES_OWING, REFUNDS_OWING, UNCLAIMED):
        return _TICKET
    if account.endswith(":chips"):
        return _CHIPS
    return _CASH if account.endswith(":cash") else account


def _all_never_cash(issued: list[tuple[int, bool]], micros: int) -> bool:
    return (micros, False) in issued
