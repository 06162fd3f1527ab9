"""Calls about paying: a winning ticket, who authorises it, what was paid and which paid tickets are still kept."""

from __future__ import annotations

from django.db.models import QuerySet
from django.utils import timezone

from house.api.cash import CARD_SHOWN, IdentityIn, identity_of
from keno.api.codes import PAPER_CODES
from keno.api.tickets import ContinuationOut, VoucherPaperOut
from keno.kept_paper import tick_off
from keno.models import PaperFound, Payment, PaymentAuthority, PaymentMethod
from keno.pay import Paid, authorise_payment, pay_ticket
from keno.permissions import CHECK_PAPER, PAY, PAY_LARGE, SEE
from keno.queries.tickets import payments
from kernel.actors import Actor
from web.fields import (
    Choice,
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    QueryFlag,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.view import ByDay, HouseView, listing, verb


class PayIn(StrictSerializer):
    security_code = Text(max_length=40, required=False, help_text="Of the paper. Without it nothing is paid.")
    method = Choice(
        choices=[method for method in PaymentMethod.values if method != PaymentMethod.TENDER],
        default=PaymentMethod.CASH,
        help_text="`keno-voucher` is refused: a prize is cash, a major one also cheque or both (10.5).",
    )
    cheque = MoneyField(required=False, help_text="How much of a mix is by cheque.")
    cheque_number = Text(max_length=32, required=False, help_text="Used once, in all rooms together.")
    identity = IdentityIn(required=False, help_text="Who the customer is, from the approved limit of a gaming day on.")
    card = Text(max_length=64, required=False, help_text=CARD_SHOWN)
    example = shown({"security_code": "3F8D0Q2ZK5M1XT7V", "method": "cash"})


class PaidGameOut(StrictSerializer):
    game = WholeNumber()
    kind = Text()
    prize = MoneyField(source="amount")


class PaidOut(StrictSerializer):
    paid = MoneyField()
    games = PaidGameOut(many=True)
    still_playing = TrueOrFalse()
    voucher = VoucherPaperOut(allow_null=True)
    continuation = ContinuationOut(
        allow_null=True, help_text="What the player goes on with: the paid paper is kept, and its code is dead."
    )
    retain_until = InstantField(help_text="The paid ticket is kept at least until then.")
    example = shown(
        {
            "paid": "50.00",
            "games": [{"game": 1201, "kind": "prize", "prize": "50.00"}],
            "still_playing": True,
            "voucher": None,
            "continuation": {"serial": "7K2MX0Q4RT9B", "paper": 2, "security_code": "9V1C0T2ZK5M1XT7V"},
            "retain_until": "2026-11-17T04:00:00+11:00",
        }
    )


def paid(result: Paid) -> dict[str, object]:
    return {
        "paid": result.payment.amount,
        "games": result.due.prizes,
        "still_playing": result.still_playing,
        "voucher": result.voucher,
        "continuation": result.continuation,
        "retain_until": result.payment.retain_until,
    }


class Pay(HouseView):
    @verb(permission=PAY, takes=PayIn, gives=PaidOut, secrets=PAPER_CODES)
    def post(self, by: Actor, data: PayIn, *, serial: str) -> dict[str, object]:
        """Pay everything that is settled and unpaid on a ticket."""
        return paid(
            pay_ticket(
                serial=serial,
                security_code=data.security_code,
                method=PaymentMethod(data.method),
                cheque=data.cheque,
                cheque_number=data.cheque_number or "",
                identity=identity_of(data.identity),
                card=data.card,
                by=by,
            )
        )


class AuthorityOut(StrictSerializer):
    id = WholeNumber()
    amount = MoneyField()
    given_by = Text()
    given_at = InstantField()
    example = shown(
        {"id": 3, "amount": "25000.00", "given_by": "device:S-0001", "given_at": "2026-11-16T21:04:00+11:00"}
    )


class Authorise(HouseView):
    @verb(permission=PAY_LARGE, gives=AuthorityOut, status=201)
    def post(self, by: Actor, data: Nothing, *, serial: str) -> PaymentAuthority:
        """Authorise the payment of what is due on a ticket; another person then pays it."""
        return authorise_payment(serial=serial, by=by)


class PaymentsAsked(ByDay):
    retained = QueryFlag(required=False, help_text="Only those whose ticket is still to be kept, or only the others.")


class PaymentRow(StrictSerializer):
    id = WholeNumber()
    ticket = Text(source="ticket.serial")
    amount = MoneyField()
    method = Choice(choices=PaymentMethod.values)
    cash = MoneyField()
    cheque = MoneyField()
    cheque_number = Text(allow_blank=True)
    paid_at = InstantField()
    gaming_day = DayField(source="day")
    paid_by = Text()
    supervisor = Text(allow_null=True)
    retain_until = InstantField(help_text="The paid ticket is kept at least until then.")
    found_by = Text(source="found.by", default=None, allow_null=True, help_text="Who found it among those kept.")
    example = shown(
        {
            "id": 31,
            "ticket": "7K2MX0Q4RT9B",
            "amount": "50.00",
            "method": "cash",
            "cash": "50.00",
            "cheque": "0.00",
            "cheque_number": "",
            "paid_at": "2026-11-16T21:09:00+11:00",
            "gaming_day": "2026-11-16",
            "paid_by": "device:W-0001",
            "supervisor": None,
            "retain_until": "2026-11-17T04:00:00+11:00",
            "found_by": None,
        }
    )


class PaperFoundOut(StrictSerializer):
    payment = WholeNumber(source="payment_id")
    by = Text()
    at = InstantField()
    example = shown({"payment": 31, "by": "staff:sue", "at": "2026-11-17T04:02:00+11:00"})


class TickOff(HouseView):
    @verb(permission=CHECK_PAPER, gives=PaperFoundOut, status=201, needs_key=False)
    def post(self, by: Actor, data: Nothing, *, id: int) -> PaperFound:
        """Tick off a paid ticket that is kept until the close: it is there. Another person than who paid it does."""
        return tick_off(payment_id=id, by=by)


class Payments(HouseView):
    @listing(permission=SEE, gives=PaymentRow, asks=PaymentsAsked)
    def get(self, by: Actor, asked: PaymentsAsked) -> QuerySet[Payment]:
        """Prizes paid, the newest first; which paid tickets are still kept (10.4). For a writer those of his shift."""
        return payments(by, now=timezone.now(), day=asked.gaming_day, retained=asked.retained)
