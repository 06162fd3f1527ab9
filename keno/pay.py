"""Paying a winning ticket (10): everything settled and unpaid on it, once, whatever happens on another terminal.

The ticket's row is locked first, so of eight terminals seven find nothing left; the prize rows themselves refuse a
second payment by trigger.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from house import acts
from house.actors import Actor
from house.gaming_days import gaming_day_at
from house.models import PlayLineKind
from house.players import play
from house.refusal import Conflict, Forbidden, NotFound, Refusal
from keno import accounts, approved, particulars, serials, vouchers
from keno.flows import pair
from keno.lifecycle import OVER
from keno.models import (
    Game,
    Payment,
    PaymentAuthority,
    PaymentMethod,
    Prize,
    PrizeKind,
    Shift,
    ThresholdReport,
    Ticket,
)
from keno.permissions import PAY, PAY_LARGE, REPORT_THRESHOLD
from keno.shifts import hold_open_shift
from ledger.money import ZERO, Money
from ledger.post import Booking, post_many
from ledger.statements import canonical

# Cash of this much in one payment is reported, with who got it.
THRESHOLD: Final = Money.dollars(10_000)
IDENTITY: Final = ("name", "born", "address", "document", "document_number")


@dataclass(frozen=True, slots=True)
class Due:
    """What a ticket has to be paid now; its row is locked."""

    ticket: Ticket
    prizes: tuple[Prize, ...]

    @property
    def amount(self) -> Money:
        return Money.total(prize.amount for prize in self.prizes)

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
    ticket = Ticket.objects.select_for_update(of=("self",)).filter(serial=serials.read_serial(serial)).first()
    if ticket is None:
        raise NotFound("no-such-ticket", "There is no ticket with this serial.", clause="act-keno:1.2", field=field)
    return ticket


def check_code(ticket: Ticket, security_code: str, *, field: str = "security_code") -> None:
    """10.3: paid only where the paper agrees with the record; a code made for other particulars does not."""
    if not serials.agrees(security_code, canonical(particulars.of_ticket(ticket))):
        raise Refusal(
            "security-code-wrong",
            "The ticket does not agree with the record. Keep it, and call a supervisor.",
            clause="act-keno:10.3",
            field=field,
        )


def lock_due(*, serial: str, security_code: str | None, now: datetime, field: str | None = None) -> Due:
    """What is due on a ticket, its row locked; refused where there is nothing, or only a claim form will do (11.1)."""
    ticket = lock_ticket(serial, field=field)
    if security_code is not None:
        check_code(ticket, security_code)
    unpaid = list(Prize.objects.select_for_update().filter(ticket=ticket, payment=None).order_by("game", "kind"))
    prizes = tuple(prize for prize in unpaid if not vouchers.late(prize.day, now=now))
    if prizes:
        return Due(ticket, prizes)
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
class Paid:
    payment: Payment
    due: Due
    still_playing: bool
    voucher: vouchers.Paper | None


@transaction.atomic
def pay_ticket(
    *,
    serial: str,
    security_code: str,
    by: Actor,
    method: PaymentMethod = PaymentMethod.CASH,
    cheque: Money | None = None,
    cheque_number: str = "",
    identity: Mapping[str, Any] | None = None,
) -> Paid:
    """Pay everything due on the ticket. Cash, unless a major prize is in it: then a cheque or a mix may be asked for.

    *cheque*: how much of a mix is by cheque. *identity*: who the customer is, where $10,000 or more goes in cash.
    """
    by.require(PAY)
    now = timezone.now()
    due = lock_due(serial=serial, security_code=security_code, now=now)
    cash, by_cheque = _split(due, method, cheque)
    authority = _authority(due, by)
    details = identified(cash, identity) if cash >= THRESHOLD else None
    shift = hold_open_shift(by)
    payment = record(
        due,
        method=method,
        by=by,
        now=now,
        shift=shift,
        cash=cash,
        cheque=by_cheque,
        cheque_number=cheque_number.strip(),
        supervisor=authority.given_by if authority else None,
    )
    if authority is not None:
        authority.payment = payment
        authority.save(update_fields=["payment"])
    voucher = None
    targets = [(shift.cash, cash), (accounts.BANK, by_cheque)]
    if method == PaymentMethod.VOUCHER:
        voucher = vouchers.issue(amount=due.amount, day=payment.day, at=now, shift=shift, by=by, payment=payment)
        targets = [(accounts.VOUCHERS, due.amount)]
    post_many(bookings=bookings(due, payment, targets), by=by, day=payment.day, at=now)
    if details is not None:
        ThresholdReport.objects.create(payment=payment, cash=cash, identity=details, day=payment.day)
    return Paid(payment, due, still_playing(due.ticket), voucher)


def record(
    due: Due,
    *,
    method: PaymentMethod,
    by: Actor,
    now: datetime,
    shift: Shift | None,
    cash: Money = ZERO,
    cheque: Money = ZERO,
    cheque_number: str = "",
    supervisor: str | None = None,
) -> Payment:
    """Mark the prizes paid. The caller books the money in the same transaction."""
    day = gaming_day_at(now)
    payment = Payment.objects.create(
        ticket=due.ticket,
        amount=due.amount,
        method=method,
        cash=cash,
        cheque=cheque,
        cheque_number=cheque_number,
        paid_at=now,
        day=day.date,
        shift=shift,
        paid_by=by.identity,
        supervisor=supervisor,
        retain_until=max(day.ends_at, now),
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
    """A supervisor stands by the payment of what is due now; another person then pays it."""
    by.require(PAY_LARGE)
    due = lock_due(serial=serial, security_code=None, now=timezone.now())
    authority = PaymentAuthority.objects.create(
        ticket=due.ticket, amount=due.amount, given_by=by.identity, given_at=timezone.now()
    )
    acts.record(
        kind="keno.payment-authorised",
        subject=f"keno-ticket:{due.ticket.serial}",
        by=by,
        data={"amount": str(due.amount)},
    )
    return authority


def _authority(due: Due, by: Actor) -> PaymentAuthority | None:
    limit = approved.amount(approved.SUPERVISED_ABOVE)
    if due.amount <= limit:
        return None
    waiting = PaymentAuthority.objects.filter(ticket=due.ticket, payment=None).order_by("-id")
    given = next((one for one in waiting if one.amount == due.amount), None)
    before = Payment.objects.filter(ticket=due.ticket).order_by("-id").first()
    if given is not None and before is not None and given.given_at <= before.paid_at:
        given = None  # it was about prizes that have been paid since
    if given is None:
        raise Forbidden(
            "supervisor-needed",
            f"${due.amount} is above ${limit}: a supervisor has to authorise this payment first.",
        )
    if given.given_by == by.identity:
        raise Forbidden("two-people-needed", "Who authorised the payment cannot make it: another person has to.")
    return given


def _split(due: Due, method: PaymentMethod, cheque: Money | None) -> tuple[Money, Money]:
    """Cash and cheque. 10.5: cash, except that a major prize may be paid by cheque or in both."""
    if method == PaymentMethod.TENDER:
        raise Refusal("method-unknown", "Pay in cash, by cheque, in both, or as a Keno voucher.", field="method")
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
        if not (ZERO < cheque < due.amount and cheque.whole_cents):
            raise Refusal(
                "cheque-amount",
                f"The cheque of a mix is more than nothing and less than ${due.amount}.",
                field="cheque",
            )
        return due.amount - cheque, cheque
    if method == PaymentMethod.CHEQUE:
        return ZERO, due.amount
    return (due.amount if method == PaymentMethod.CASH else ZERO), ZERO


def identified(amount: Money, identity: Mapping[str, Any] | None) -> dict[str, str]:
    """Who the customer is, every particular of it, or a refusal that names what is missing."""
    details = {name: str((identity or {}).get(name) or "").strip() for name in IDENTITY}
    if missing := [name for name, value in details.items() if not value]:
        raise Refusal(
            "identity-needed",
            f"${amount} is paid only to a customer who shows who he is: {', '.join(missing)} "
            f"{'is' if len(missing) == 1 else 'are'} missing.",
            field=f"identity.{missing[0]}" if identity else "identity",
        )
    return details


@transaction.atomic
def threshold_reported(*, report_id: int, by: Actor) -> ThresholdReport:
    """Note that a threshold report went to the authority."""
    by.require(REPORT_THRESHOLD)
    report = ThresholdReport.objects.select_for_update().filter(pk=report_id).first()
    if report is None:
        raise NotFound("no-such-report", f"There is no threshold report {report_id}.")
    if report.reported_at is not None:
        raise Conflict("reported-already", f"Threshold report {report_id} went out already.")
    report.reported_at, report.reported_by = timezone.now(), by.identity
    report.save(update_fields=["reported_at", "reported_by"])
    return report
