"""What happens at the counter of a simulation: sales with every tender, cancels, payments, claims, drawers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from random import Random
from typing import Final

from house.approvals import approve
from house.cash.identity import Identity
from house.cash.limits import asks_identity
from house.models import Proposal
from keno import particulars, vouchers
from keno.cancel import cancel_ticket
from keno.claims import make_claim, pay_claim
from keno.entries import TicketRequest, compose
from keno.models import (
    ApprovedVoucher,
    ClaimReason,
    PaymentMethod,
    Prize,
    Shift,
    Tender,
    TenderType,
    Ticket,
    Voucher,
)
from keno.orders import issue_order, take_order
from keno.pay import authorise_payment, pay_ticket, unpaid_of
from keno.permissions import PAY
from keno.printing import print_receipt, reprint_receipt
from keno.replay import replay
from keno.sell import REST_AS_VOUCHER, REST_IN_CASH, Sold, sell_ticket
from keno.shifts import close_shift, drop, fill, open_shift
from keno.simulate import breaches, overpaid
from keno.simulate.book import Book
from keno.simulate.players import random_ticket
from keno.simulate.staff import People
from keno.tender import EXACT_CASH, Handed
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Refusal
from kernel.rooms import above
from ledger.balance import balance

FLOAT: Final = Money.dollars(1_000)
FULL: Final = Money.dollars(3_000)
SOMEBODY: Final = Identity(
    name="Pat Simmons",
    born=date(1970, 1, 1),
    address="1 Example Street",
    document="passport",
    document_number="N1234567",
)
CLAIMANT: Final = {"name": "Pat Simmons", "address": "1 Example Street", "contact": "pat@example.org"}


class Desk:
    """The counter, its people, and what was done at it so far. A refusal is counted: refusing is business as usual."""

    def __init__(self, people: People) -> None:
        self.people = people
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.book = Book()
        self.fresh: list[str] = []  # serials sold for the game at hand
        self.most_games: int | None = None  # on a ticket; None: as many as the rules allow

    def something(self, chance: Random) -> None:
        """The next customer."""
        name = chance.choices(tuple(_BUSINESS), tuple(weight for weight, _ in _BUSINESS.values()))[0]
        try:
            if _BUSINESS[name][1](self, chance):
                self.done[name] += 1
        except Refusal as refusal:
            self.refused[refusal.code] += 1

    def writer(self, chance: Random) -> Actor:
        return chance.choice(self.people.writers)

    # Shifts

    def open_shifts(self) -> None:
        at_work = set(Shift.objects.filter(closed_at=None).values_list("terminal", flat=True))
        for writer in self.people.writers:
            if writer.identity not in at_work:
                open_shift(by=writer, opening_float=FLOAT)
                self.done["shift opened"] += 1

    def see_to_drawers(self, chance: Random) -> None:
        """A supervisor takes what is too much, and brings what is too little."""
        for shift in self._shifts():
            cash = balance(shift.cash).amount
            if cash > FULL:
                too_much = Money.dollars((cash - FLOAT).micros // 1_000_000)
                for one in (self.people.supervisor, self._writer_of(shift)):
                    drop(shift_id=shift.pk, amount=too_much, by=one)
                self.done["drop"] += 1
            elif cash < Money.dollars(200):
                for one in (self.people.supervisor, self._writer_of(shift)):
                    fill(shift_id=shift.pk, amount=FLOAT, by=one)
                self.done["fill"] += 1

    def close_shifts(self, chance: Random, *, some_left_open: bool) -> None:
        """Counted blind: mostly right, now and then a few cents or dollars out.

        Where some are left open their writers have gone home: two others count, and an incident is there to see.
        """
        for shift in self._shifts():
            cash, chips = balance(shift.cash).amount, balance(shift.chips).amount
            out = Money.cents(chance.choice((0, 0, 0, 0, 5, 100, -20, -500)))
            left = some_left_open and chance.random() < 0.1
            for by in (self.people.supervisor, self.people.manager) if left else (self._writer_of(shift),):
                close_shift(shift_id=shift.pk, counted_cash=max(ZERO, cash + out), counted_chips=chips, by=by)
            self.done["shift closed"] += 1

    def _writer_of(self, shift: Shift) -> Actor:
        return next(one for one in self.people.writers if one.identity == shift.terminal)

    def _shifts(self) -> list[Shift]:
        terminals = [writer.identity for writer in self.people.writers]
        return list(Shift.objects.filter(closed_at=None, terminal__in=terminals).order_by("id"))

    # Tickets

    def sell(self, chance: Random) -> bool:
        return self._sell(random_ticket(chance), chance)

    def again(self, chance: Random) -> bool:
        """The same as last time, please."""
        return bool(self.fresh) and self._sell(replay(serial=chance.choice(self.fresh)).request, chance)

    def _sell(self, request: TicketRequest, chance: Random) -> bool:
        writer, request = self.writer(chance), self._in_time(request)
        price = compose(request).quote.price.total
        tender, rest = self._tender(price, chance)
        sold = sell_ticket(request=request, tender=tender, rest=rest, by=writer)
        self._note_sale(sold, [one.reference for one in tender if one.type == TenderType.TICKET])
        if chance.random() < 0.1:
            print_receipt(serial=sold.ticket.serial, by=writer)
        return True

    def _note_sale(self, sold: Sold, tickets_tendered: Sequence[str] = ()) -> None:
        """Into the book, and onto the list of those that may be cancelled before their draw."""
        self.book.sold(sold)
        for serial in tickets_tendered:
            self.book.paid_out(serial)
        self.done["continuation"] += len(sold.continuations)
        self.fresh.append(sold.ticket.serial)

    def _in_time(self, request: TicketRequest) -> TicketRequest:
        """Over by the end, where nothing may be left to play."""
        return request if self.most_games is None else replace(request, games=min(request.games, self.most_games))

    def _tender(self, price: Money, chance: Random) -> tuple[Sequence[Handed], str]:
        rest = REST_AS_VOUCHER if chance.random() < 0.2 else REST_IN_CASH
        cash = Handed(type=TenderType.CASH)
        match chance.choices(("exact", "note", "chips", "dine", "voucher", "ticket"), (50, 25, 8, 5, 6, 6))[0]:
            case "note":
                notes = -(-price.micros // 50_000_000)
                return [Handed(type=TenderType.CASH, amount=Money.dollars(50 * notes))], rest
            case "chips":
                return [Handed(type=TenderType.CHIPS)], REST_IN_CASH
            case "dine":
                taken = Tender.objects.filter(type=TenderType.VOUCHER).values("reference")
                dinner = ApprovedVoucher.objects.filter(amount__lte=price).exclude(reference__in=taken)
                if (found := dinner.order_by("id").first()) is not None:
                    return [Handed(type=TenderType.VOUCHER, reference=found.reference), cash], REST_IN_CASH
            case "voucher" if (voucher := Voucher.objects.filter(spent_at=None).order_by("id").first()) is not None:
                code = vouchers.code_of(voucher)
                return [Handed(type=TenderType.KENO_VOUCHER, reference=voucher.code, security_code=code), cash], rest
            case "ticket" if (won := self._uncollected(chance)) is not None:
                code = particulars.code_of(won)
                return [Handed(type=TenderType.TICKET, reference=won.serial, security_code=code), cash], REST_IN_CASH
        return EXACT_CASH, REST_IN_CASH

    def cancel(self, chance: Random) -> bool:
        if not self.fresh:
            return False
        serial = self.fresh.pop(chance.randrange(len(self.fresh)))
        code = particulars.code_of(Ticket.objects.get(serial=serial))
        cancelled = cancel_ticket(serial=serial, security_code=code, by=self.writer(chance))
        assert cancelled.ticket.cancelled_from is not None
        self.book.stopped(serial, before=cancelled.ticket.cancelled_from, refunded=False)
        return True

    def void(self, chance: Random) -> bool:
        if not self.fresh:
            return False
        serial = self.fresh.pop(chance.randrange(len(self.fresh)))
        breaches.void_ticket(serial, people=self.people, book=self.book)
        return True

    def order(self, chance: Random) -> bool:
        """A runner brings a wager from the floor."""
        taken = take_order(request=self._in_time(random_ticket(chance)), by=self.people.supervisor, note="Bar, table 7")
        _, sold = issue_order(order_id=taken.pk, by=self.writer(chance))
        self._note_sale(sold)
        return True

    def reprint(self, chance: Random) -> bool:
        if not self.fresh:
            return False
        reprint_receipt(serial=chance.choice(self.fresh), reason="Paper jam.", by=self.people.supervisor)
        return True

    # Prizes

    def _uncollected(self, chance: Random) -> Ticket | None:
        """A ticket with something due on it. One in ten is never brought back: it has been lost."""
        unpaid = Prize.objects.filter(payment=None, void=None, replaced=None).order_by("-game", "-ticket_id")
        due = unpaid.values_list("ticket_id", flat=True)[:60]
        found = [ticket for ticket in due if not _lost(ticket)]
        return Ticket.objects.prefetch_related("plays").get(pk=chance.choice(found)) if found else None

    def pay(self, chance: Random) -> bool:
        ticket = self._uncollected(chance)
        if ticket is None:
            return False
        prizes = unpaid_of(ticket)
        amount = Money.total(prize.amount for prize in prizes)
        if amount > above(PAY):
            authorise_payment(serial=ticket.serial, by=self.people.supervisor)
        major = any(prize.major for prize in prizes)
        method = PaymentMethod.CASH
        if major and amount > Money.dollars(500):
            method = PaymentMethod.CHEQUE
        paid = pay_ticket(
            serial=ticket.serial,
            security_code=particulars.code_of(ticket),
            method=method,
            cheque_number=f"{chance.getrandbits(20):07d}" if method == PaymentMethod.CHEQUE else "",
            identity=SOMEBODY if asks_identity(amount) else None,
            by=self.writer(chance),
        )
        self.book.paid_out(ticket.serial)
        self.done["continuation"] += paid.continuation is not None
        return True

    def look_into(self, chance: Random) -> bool:
        if self.most_games is not None:  # nothing is left behind where everything is over by the end
            return False
        ticket = self._uncollected(chance)
        return ticket is not None and breaches.look_into(ticket, chance, people=self.people, book=self.book)

    def dispute(self, chance: Random) -> bool:
        return self.most_games is None and breaches.dispute(chance, people=self.people)

    def hand_too_much(self, chance: Random) -> bool:
        return self.most_games is None and overpaid.hand_too_much(chance, people=self.people, book=self.book)

    def recover(self, chance: Random) -> bool:
        return overpaid.recover(chance, people=self.people, book=self.book, writer=self.writer(chance))

    def redeem(self, chance: Random) -> bool:
        voucher = Voucher.objects.filter(spent_at=None, cashable=True).order_by("id").first()
        if voucher is None:
            return False
        code = vouchers.code_of(voucher)
        vouchers.redeem_voucher(code=voucher.code, security_code=code, by=self.writer(chance))
        return True

    def claim(self, chance: Random) -> bool:
        """A lost ticket: the form, another person's approval, a cheque."""
        due = (
            Prize.objects.filter(payment=None, void=None, replaced=None)
            .select_related("ticket")
            .order_by("game", "ticket_id")[:200]
        )
        lost = next((prize for prize in due if _lost(prize.ticket_id)), None)
        if lost is None:
            return False
        self.claim_for(lost.ticket.serial, ClaimReason.LATE if lost.unclaimed_on is not None else ClaimReason.LOST)
        return True

    def claim_for(self, serial: str, reason: ClaimReason) -> None:
        made = make_claim(
            reason=reason,
            claimant=CLAIMANT,
            grounds="Knows the numbers, the time and the terminal.",
            serial=serial,
            by=self.people.supervisor,
        )
        proposal = Proposal.objects.get(kind="keno.claim", subject=f"claim:{made.pk}")
        approve(proposal_id=proposal.pk, by=self.people.inspector)
        shown = SOMEBODY if asks_identity(made.amount) else None
        pay_claim(claim_id=made.pk, cheque_number=f"C{made.pk}", identity=shown, by=self.people.supervisor)
        self.book.paid_out(serial)


def _lost(ticket: int) -> bool:
    return ticket % 10 == 7


# What customers come for, and how often, in a thousand.
_BUSINESS: Final[dict[str, tuple[int, Callable[[Desk, Random], bool]]]] = {
    "sale": (683, Desk.sell),
    "replay": (30, Desk.again),
    "order": (15, Desk.order),
    "payment": (200, Desk.pay),
    "voucher redeemed": (20, Desk.redeem),
    "cancellation": (30, Desk.cancel),
    "wager voided": (3, Desk.void),
    "prize looked into": (8, Desk.look_into),
    "dispute": (3, Desk.dispute),
    "reprint": (7, Desk.reprint),
    "claim": (5, Desk.claim),
    "handed out too much": (2, Desk.hand_too_much),
    "overpayment seen to": (6, Desk.recover),
}
