"""Calls about tickets: selling, looking, cancelling, paying, voiding."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from house.actors import Actor
from house.api.fields import Choice, DayField, InstantField, MoneyField, StrictSerializer, Text, Truth, Whole, shown
from house.api.view import ByDay, HouseView, listing, read, verb
from keno.api.forms import TicketIn, request_of, tender_of
from keno.cancel import cancel_ticket
from keno.models import PaymentMethod, Ticket
from keno.pay import Paid, authorise_payment, pay_ticket
from keno.permissions import CANCEL, PAY, PAY_LARGE, SEE, SELL, VOID_WAGER
from keno.refunds import void_wagers
from keno.sell import Sold, sell_ticket
from keno.standing import Standing, find_ticket, standing_of


class PlayOut(StrictSerializer):
    spots = Whole()
    ways = Whole()
    stake = MoneyField()


class VoucherPaperOut(StrictSerializer):
    code = Text(source="voucher.code")
    security_code = Text()
    amount = MoneyField(source="voucher.amount")


class TicketFields(StrictSerializer):
    """What every answer says of a ticket. `numbers` of one group, `groups` of several."""

    serial = Text()
    kind = Text()
    first_game = Whole()
    last_game = Whole()
    games = Whole()
    price = MoneyField()
    numbers = serializers.ListField(child=Whole(), required=False)
    groups = serializers.ListField(child=serializers.ListField(child=Whole()), required=False)
    plays = PlayOut(many=True)
    schedule = Text()
    jackpot = Truth()
    status = Text()
    sold_at = InstantField()
    gaming_day = DayField()
    terminal = Text()


def ticket_fields(ticket: Ticket, *, plays: list[Any], status: str) -> dict[str, Any]:
    marked = {"numbers": ticket.groups[0]} if len(ticket.groups) == 1 else {"groups": ticket.groups}
    return {
        "serial": ticket.serial,
        "kind": ticket.kind,
        "first_game": ticket.first_game,
        "last_game": ticket.last_game,
        "games": ticket.games,
        "price": ticket.price,
        **marked,
        "plays": plays,
        "schedule": ticket.schedule,
        "jackpot": ticket.jackpot,
        "status": status,
        "sold_at": ticket.sold_at,
        "gaming_day": ticket.day,
        "terminal": ticket.terminal,
    }


class SoldOut(TicketFields):
    security_code = Text()
    change = MoneyField(help_text="In cash.")
    voucher = VoucherPaperOut(allow_null=True, help_text="The rest, where it was asked for as a Keno voucher.")
    example = shown(
        {
            "serial": "7K2MX0Q4RT9B",
            "kind": "standard",
            "first_game": 1201,
            "last_game": 1203,
            "games": 3,
            "price": "6.00",
            "numbers": [4, 8, 15, 16, 23, 42],
            "plays": [{"spots": 6, "ways": 1, "stake": "2.00"}],
            "schedule": "standard",
            "jackpot": True,
            "status": "in-play",
            "sold_at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "terminal": "device:W-0001",
            "security_code": "3F8D0Q2ZK5M1XT7V",
            "change": "4.00",
            "voucher": None,
        }
    )


def sold(result: Sold) -> dict[str, Any]:
    return {
        **ticket_fields(result.ticket, plays=list(result.composed.quote.plays), status="in-play"),
        "security_code": result.security_code,
        "change": result.change,
        "voucher": result.voucher,
    }


class TicketsAsked(ByDay):
    terminal = Text(required=False, max_length=80)
    kind = Text(required=False, max_length=16)


class TicketRow(StrictSerializer):
    serial = Text()
    kind = Text()
    status = Text()
    first_game = Whole()
    last_game = Whole()
    price = MoneyField()
    sold_at = InstantField()
    gaming_day = DayField(source="day")
    terminal = Text()
    example = shown(
        {
            "serial": "7K2MX0Q4RT9B",
            "kind": "standard",
            "status": "issued",
            "first_game": 1201,
            "last_game": 1203,
            "price": "6.00",
            "sold_at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "terminal": "device:W-0001",
        }
    )


class Tickets(HouseView):
    @listing(permission=SEE, gives=TicketRow, asks=TicketsAsked)
    def get(self, by: Actor, asked: dict[str, Any]) -> Any:
        """Tickets sold, the newest first."""
        rows = Ticket.objects.all()
        for name, column in (("gaming_day", "day"), ("terminal", "terminal"), ("kind", "kind")):
            if name in asked:
                rows = rows.filter(**{column: asked[name]})
        return rows

    @verb(permission=SELL, takes=TicketIn, gives=SoldOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> dict[str, Any]:
        """Sell a ticket, from the next open game on."""
        return sold(sell_ticket(request=request_of(data), tender=tender_of(data), rest=data["rest"], by=by))


class TicketGameOut(StrictSerializer):
    game = Whole()
    status = Text()
    drawn = serializers.ListField(child=Whole())
    prize = MoneyField()
    refund = MoneyField()
    ways = serializers.ListField(child=serializers.DictField())


class StandingOut(TicketFields):
    won = MoneyField()
    refunded = MoneyField()
    paid = MoneyField()
    owing = MoneyField()
    still_playing = Truth()
    cancelled_from = Whole(allow_null=True)
    results = TicketGameOut(many=True, help_text="Its games so far.")
    example = shown(
        {
            **{name: value for name, value in SoldOut.example.items() if name not in {"change", "voucher"}},
            "won": "50.00",
            "refunded": "0.00",
            "paid": "0.00",
            "owing": "50.00",
            "still_playing": True,
            "cancelled_from": None,
            "results": [],
        }
    )
    del example["security_code"]


def standing(found: Standing) -> dict[str, Any]:
    ticket = found.ticket
    plays = sorted(ticket.plays.all(), key=lambda play: play.place)
    return {
        **ticket_fields(ticket, plays=plays, status=found.status),
        "won": found.won,
        "refunded": found.refunded,
        "paid": found.paid,
        "owing": found.owing,
        "still_playing": found.still_playing,
        "cancelled_from": ticket.cancelled_from,
        "results": found.games,
    }


class OneTicket(HouseView):
    @read(permission=SEE, gives=StandingOut)
    def get(self, by: Actor, asked: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """A ticket, its games so far, and what is owing on it."""
        return standing(standing_of(find_ticket(serial)))


class CancelledOut(StrictSerializer):
    refund = MoneyField()
    cancelled_games = Whole(source="games")
    voucher = VoucherPaperOut(allow_null=True)
    example = shown({"refund": "2.00", "cancelled_games": 1, "voucher": None})


class Cancel(HouseView):
    @verb(permission=CANCEL, gives=CancelledOut)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> Any:
        """Cancel a ticket for its unplayed games and return what was paid for them."""
        return cancel_ticket(serial=serial, by=by)


class IdentityIn(StrictSerializer):
    name = Text(max_length=120)
    born = DayField()
    address = Text(max_length=300)
    document = Text(max_length=60, help_text="What was shown: a passport, a driver's licence.")
    document_number = Text(max_length=60)


class PayIn(StrictSerializer):
    security_code = Text(max_length=40)
    method = Choice(
        choices=[method for method in PaymentMethod.values if method != PaymentMethod.TENDER],
        default=PaymentMethod.CASH,
    )
    cheque = MoneyField(required=False, help_text="How much of a mix is by cheque.")
    cheque_number = Text(max_length=32, required=False)
    identity = IdentityIn(required=False, help_text="Who the customer is, from $10,000 in cash.")
    example = shown({"security_code": "3F8D0Q2ZK5M1XT7V", "method": "cash"})


class PaidGameOut(StrictSerializer):
    game = Whole()
    kind = Text()
    prize = MoneyField(source="amount")


class PaidOut(StrictSerializer):
    paid = MoneyField()
    games = PaidGameOut(many=True)
    still_playing = Truth()
    voucher = VoucherPaperOut(allow_null=True)
    retain_until = InstantField(help_text="The paid ticket is kept at least until then.")
    example = shown(
        {
            "paid": "50.00",
            "games": [{"game": 1201, "kind": "prize", "prize": "50.00"}],
            "still_playing": True,
            "voucher": None,
            "retain_until": "2026-11-17T04:00:00+11:00",
        }
    )


def paid(result: Paid) -> dict[str, Any]:
    return {
        "paid": result.payment.amount,
        "games": result.due.prizes,
        "still_playing": result.still_playing,
        "voucher": result.voucher,
        "retain_until": result.payment.retain_until,
    }


class Pay(HouseView):
    @verb(permission=PAY, takes=PayIn, gives=PaidOut)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """Pay everything that is settled and unpaid on a ticket."""
        identity = data.pop("identity", None)
        if identity is not None:
            identity = {**identity, "born": identity["born"].isoformat()}
        method = PaymentMethod(data.pop("method"))
        return paid(pay_ticket(serial=serial, by=by, method=method, identity=identity, **data))


class AuthorityOut(StrictSerializer):
    id = Whole()
    amount = MoneyField()
    given_by = Text()
    given_at = InstantField()
    example = shown(
        {"id": 3, "amount": "25000.00", "given_by": "device:S-0001", "given_at": "2026-11-16T21:04:00+11:00"}
    )


class Authorise(HouseView):
    @verb(permission=PAY_LARGE, gives=AuthorityOut, status=201)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> Any:
        """Stand by the payment of what is due on a ticket; another person then pays it."""
        return authorise_payment(serial=serial, by=by)


class VoidWagersIn(StrictSerializer):
    why = Text()
    example = shown({"why": "Played with a device that records the draws."})


class VoidedOut(StrictSerializer):
    refund = MoneyField(help_text="Owing on the ticket from now on.")
    example = shown({"refund": "4.00"})


class VoidWagers(HouseView):
    @verb(permission=VOID_WAGER, takes=VoidWagersIn, gives=VoidedOut)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """Void the wagers of a person in breach of the rules; games not yet begun are refunded."""
        return {"refund": void_wagers(serial=serial, why=data["why"], by=by)}
