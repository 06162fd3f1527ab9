"""Paying a winning ticket (10): everything settled and unpaid on it, once, whatever happens on another terminal.

The ticket's row is locked first, so of eight terminals seven find nothing left; the prize rows themselves refuse a
second payment by trigger.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house.cash.cheques import WrittenCheque
from house.cash.hand_over import HandedOver, Receiver, hand_over
from house.cash.identity import Identity
from house.cash.steps import refuse_paying_alone
from house.gaming_days import gaming_day_at
from house.log import record_act
from house.models import PlayLineKind
from house.players import play
from keno import accounts, particulars, possession, recompute, vouchers
from keno.acts import PaymentAuthorised
from keno.cash_kinds import TICKET
from keno.chart import pair
from keno.models import (
    Game,
    Payment,
    PaymentAuthority,
    PaymentMethod,
    Prize,
    PrizeHold,
    PrizeKind,
    Shift,
    Ticket,
)
from keno.permissions import PAY, PAY_LARGE
from keno.prize_acts import TicketContinued
from keno.shifts import hold_open_shift
from keno.steps import OVER
from kernel.actors import Actor
from kernel.money import ZERO, Money
from kernel.refusal import Conflict, NotFound, Refusal
from kernel.rooms import above
from kernel.transactions import one_transaction
from ledger.post import Booking, post_many


@dataclass(frozen=True, slots=True)
class Due:
    """What a ticket has to be paid now; its row is locked. Made by ``due_of`` alone."""

    ticket: Ticket
    prizes: tuple[Prize, ...]

    @property
    def amount(self) -> Money:
        return Money.total(prize.amount for prize in self.prizes)

    @property
    def not_cash(self) -> Money:
        """Of its refunds, what came in as approved vouchers: it goes back as it came, never as cash (4.6)."""
        refunds = Money.total(prize.amount for prize in self.prizes if prize.kind == PrizeKind.REFUND)
        return min(refunds, vouchers.not_cash_left(self.ticket)) if refunds else ZERO

    @property
    def major(self) -> bool:
        return any(prize.major for prize in self.prizes)

    def sources(self) -> list[tuple[str, Money]]:
        """Which accounts owe it."""
        owed = dict.fromkeys((accounts.PRIZES_OWING, accounts.REFUNDS_OWING, accounts.UNCLAIMED), ZERO)
        for prize in self.prizes:
            owed[owed_by(prize)] += prize.amount
        return [(account, amount) for account, amount in owed.items() if amount]


def owed_by(prize: Prize) -> str:
    if prize.unclaimed_on is not None:
        return accounts.UNCLAIMED
    return accounts.REFUNDS_OWING if prize.kind == PrizeKind.REFUND else accounts.PRIZES_OWING


def lock_ticket(serial: str, *, field: str | None = None) -> Ticket:
    ticket = Ticket.objects.select_for_update(of=("self",)).filter(serial=particulars.read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.", clause="act-keno:1.2", field=field)
    return ticket


def lock_unpaid(ticket: Ticket) -> list[Prize]:
    return list(unpaid_of(ticket).select_for_update().order_by("game", "kind"))


def unpaid_of(ticket: Ticket) -> QuerySet[Prize]:
    """What the ticket is owed: neither paid, nor void by a decision after the draw (14.3), nor replaced (12.1)."""
    return Prize.objects.filter(ticket=ticket, payment=None, void=None, replaced=None)


def refuse_held(ticket: Ticket) -> None:
    """Nothing on a ticket is paid, tendered or claimed while it is looked into. Its row is locked."""
    if PrizeHold.objects.filter(ticket=ticket, released_at=None).exists():
        raise Conflict(
            "prize-held",
            "What this ticket has won is on hold while it is looked into. Keep the ticket, and call a supervisor.",
            clause="act-keno:14.3",
        )


def due_of(ticket: Ticket, prizes: Sequence[Prize], *, by: Actor) -> Due:
    """These prizes, locked, once they are seen to be what was sealed: whatever is paid for a ticket passes here."""
    refuse_held(ticket)
    recompute.require_as_sealed(ticket, prizes, by=by)
    return Due(ticket, tuple(prizes))


def lock_due(ticket: Ticket, *, now: datetime, by: Actor, field: str | None = None) -> Due:
    """What is due on a locked ticket; refused where there is nothing, or only a claim form will do (11.1)."""
    unpaid = lock_unpaid(ticket)
    prizes = [prize for prize in unpaid if not vouchers.late(prize.day, now=now)]
    if prizes:
        return due_of(ticket, prizes, by=by)
    if unpaid:
        raise Refusal(
            "claim-needed",
            "It is more than twelve months since the win: it is paid by cheque, on an approved claim form.",
            clause="act-keno:11.1",
            field=field,
        )
    if Payment.objects.filter(ticket=ticket).exists():
        raise Conflict("already-paid", "Everything this ticket has won so far is paid.", field=field)
    raise Conflict("nothing-to-pay", "This ticket has won nothing so far.", clause="act-keno:10.1", field=field)


@dataclass(frozen=True, slots=True)
class Continuation:
    """The same entry on new paper, for its games to come (10.4): the old code is dead."""

    serial: str
    paper: int
    security_code: str


@dataclass(frozen=True, slots=True)
class Paid:
    payment: Payment
    due: Due
    still_playing: bool
    voucher: vouchers.IssuedVoucher | None
    continuation: Continuation | None


@one_transaction()
def pay_ticket(
    *,
    serial: str,
    security_code: str | None,
    by: Actor,
    method: PaymentMethod = PaymentMethod.CASH,
    cheque: Money | None = None,
    cheque_number: str = "",
    identity: Identity | None = None,
    card: str | None = None,
) -> Paid:
    """Pay everything due on the ticket to whoever holds it, by its code (10.3).

    Cash, unless a major prize is in it: then a cheque or a mix may be asked for.
    *cheque*: how much of a mix is by cheque. *identity*: who the customer is, from the approved limit on. *card*: his
    own, where he shows it.
    """
    by.require(PAY)
    now = timezone.now()
    possession.refuse_missing(security_code)
    ticket = lock_ticket(serial)
    possession.require_ticket(ticket, security_code, by=by)
    due = lock_due(ticket, now=now, by=by)
    not_cash = due.not_cash
    cash, by_cheque = _split(due, due.amount - not_cash, method, cheque)
    authority = _authority(due, by)
    shift = hold_open_shift(by)
    payment = record(
        due,
        method=method,
        by=by,
        now=now,
        shift=shift,
        cash=cash,
        cheque=by_cheque,
        not_cash=not_cash,
        cheque_number=cheque_number.strip(),
        supervisor=authority.given_by if authority else None,
    )
    if authority is not None:
        authority.payment = payment
        authority.save(update_fields=["payment"])
    voucher = None
    targets = [(shift.cash, cash), (accounts.BANK, by_cheque), (accounts.VOUCHERS, due.amount - cash - by_cheque)]
    if not_cash:
        voucher = vouchers.issue(
            amount=due.amount - cash - by_cheque,
            cashable=False,
            day=payment.day,
            at=now,
            shift=shift,
            by=by,
            payment=payment,
        )
    post_many(bookings=bookings(due, payment, targets), by=by, day=payment.day, at=now)
    _hand_over(payment, Receiver(identity=identity, card=card, played_by=ticket.player_id), by)
    return Paid(payment, due, still_playing(due.ticket), voucher, continue_ticket(payment, by=by))


def _hand_over(payment: Payment, receiver: Receiver, by: Actor) -> None:
    handed = HandedOver(
        kind=TICKET,
        payment=payment.pk,
        reference=payment.ticket.serial,
        cash=payment.cash,
        cheque=WrittenCheque(amount=payment.cheque, number=payment.cheque_number) if payment.cheque else None,
        day=payment.day,
        at=payment.paid_at,
    )
    hand_over(handed, receiver=receiver, by=by)


def record(
    due: Due,
    *,
    method: PaymentMethod,
    by: Actor,
    now: datetime,
    shift: Shift | None,
    cash: Money = ZERO,
    cheque: Money = ZERO,
    not_cash: Money = ZERO,
    cheque_number: str = "",
    supervisor: str | None = None,
    keeps_paper: bool = True,
) -> Payment:
    """Mark the prizes paid. The caller books the money in the same transaction, and hands out what the player goes on
    with (``continue_ticket``). *keeps_paper*: the house has the ticket now."""
    day, ticket = gaming_day_at(now), due.ticket
    payment = Payment.objects.create(
        ticket=due.ticket,
        amount=due.amount,
        method=method,
        cash=cash,
        cheque=cheque,
        not_cash=not_cash,
        cheque_number=cheque_number,
        paid_at=now,
        day=day.date,
        shift=shift,
        paid_by=by.identity,
        supervisor=supervisor,
        retain_until=max(day.ends_at, now),
        continued=ticket.paper + 1 if keeps_paper and still_playing(ticket) else None,
    )
    marked = Prize.objects.filter(pk__in=[prize.pk for prize in due.prizes], payment=None).update(payment=payment)
    assert marked == len(due.prizes)
    for kind, prizes in (
        (PlayLineKind.WINNINGS, [prize for prize in due.prizes if prize.kind != PrizeKind.REFUND]),
        (PlayLineKind.REFUND, [prize for prize in due.prizes if prize.kind == PrizeKind.REFUND]),
    ):
        play.give_back(
            player_id=due.ticket.player_id,
            kind=kind,
            amount=Money.total(prize.amount for prize in prizes),
            place=play.KENO,
            reference=due.ticket.serial,
            by=by,
            at=now,
        )
    return payment


def continue_ticket(payment: Payment, *, by: Actor) -> Continuation | None:
    """What the player goes on with, where the paid paper is kept and there are games to come (10.4). Day of issue, Keno
    To Go, free games and leaf stay; the ticket's row is locked."""
    if payment.continued is None:
        return None
    ticket = payment.ticket
    ticket.paper = payment.continued
    ticket.save(update_fields=["paper"])
    record_act(TicketContinued(ticket=ticket.serial, paper=ticket.paper), by=by)
    return Continuation(ticket.serial, ticket.paper, particulars.code_of(ticket))


def bookings(
    due: Due,
    payment: Payment,
    targets: Sequence[tuple[str, Money]],
    sources: Sequence[tuple[str, Money]] | None = None,
) -> list[Booking]:
    """What is owed, out of the accounts that owe it into what it is paid from."""
    return [
        Booking(
            debit=source,
            credit=target,
            amount=amount,
            kind="keno.payment",
            reference=f"{payment.pk}/{part}" if part else str(payment.pk),
            memo={"ticket": due.ticket.serial},
        )
        for part, (source, target, amount) in enumerate(pair(due.sources() if sources is None else sources, targets))
    ]


def still_playing(ticket: Ticket) -> bool:
    """Whether a game of it is still to be settled."""
    over = Game.objects.filter(number=ticket.plays_to, status__in=OVER).exists()
    return ticket.plays_to >= ticket.first_game and not over


@transaction.atomic
def authorise_payment(*, serial: str, by: Actor) -> PaymentAuthority:
    """A supervisor authorises the payment of what is due now; another person then pays it."""
    by.require(PAY_LARGE)
    due = lock_due(lock_ticket(serial), now=timezone.now(), by=by)
    authority = PaymentAuthority.objects.create(
        ticket=due.ticket, amount=due.amount, given_by=by.identity, given_at=timezone.now()
    )
    record_act(PaymentAuthorised(ticket=due.ticket.serial, amount=due.amount), by=by)
    return authority


def _authority(due: Due, by: Actor) -> PaymentAuthority | None:
    if due.amount <= above(PAY):
        return None
    waiting = PaymentAuthority.objects.filter(ticket=due.ticket, payment=None).order_by("-id")
    given = next((one for one in waiting if one.amount == due.amount), None)
    before = Payment.objects.filter(ticket=due.ticket).order_by("-id").first()
    if given is not None and before is not None and given.given_at <= before.paid_at:
        given = None  # it was about prizes that have been paid since
    refuse_paying_alone(due.amount, power=PAY, authorised_by=given.given_by if given else None, by=by)
    return given


def _split(due: Due, amount: Money, method: PaymentMethod, cheque: Money | None) -> tuple[Money, Money]:
    """Cash and cheque of *amount*. 10.5: cash, except that a major prize may be paid by cheque or in both."""
    if method == PaymentMethod.TENDER:
        raise Refusal("method-unknown", "Pay in cash, by cheque, or in both.", field="method")
    if method == PaymentMethod.VOUCHER:
        raise Refusal(
            "voucher-is-change",
            "A prize is paid in cash, a major one also by cheque: a Keno voucher is change of other tender.",
            clause="act-keno:10.5",
            field="method",
        )
    if method in (PaymentMethod.CHEQUE, PaymentMethod.MIX) and not due.major:
        raise Refusal(
            "cheque-needs-major",
            "Only a ticket with a major prize ($200 or more on a way) may be paid by cheque.",
            clause="act-keno:10.5",
            field="method",
        )
    if (cheque is not None) != (method == PaymentMethod.MIX):
        raise Refusal("cheque-amount", "Say how much goes by cheque where it is a mix, and only there.", field="cheque")
    if method == PaymentMethod.MIX:
        assert cheque is not None
        if not (ZERO < cheque < amount and cheque.whole_cents):
            raise Refusal(
                "cheque-amount",
                f"The cheque of a mix is more than nothing and less than ${amount}.",
                field="cheque",
            )
        return amount - cheque, cheque
    if method == PaymentMethod.CHEQUE:
        return ZERO, amount
    return amount, ZERO
