"""Calls about tickets: selling, looking, cancelling, voiding."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from house.actors import Actor
from house.api.fields import DayField, InstantField, MoneyField, StrictSerializer, Text, Truth, Whole, shown
from house.api.view import ByDay, HouseView, listing, read, verb
from keno.api.forms import TicketIn, request_of, tender_of
from keno.cancel import cancel_ticket
from keno.models import Ticket
from keno.permissions import CANCEL, SEE, SELL, VOID_WAGER
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
        return sold(
            sell_ticket(
                request=request_of(data), tender=tender_of(data), rest=data["rest"], card=data.get("player"), by=by
            )
        )


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


class VoidWagersIn(StrictSerializer):
    why = Text()
    exclude = Text(
        required=False, max_length=24, help_text="The number of the player in breach, to be excluded from Keno as well."
    )
    example = shown({"why": "Played with a device that records the draws.", "exclude": "P-000123"})


class VoidedOut(StrictSerializer):
    refund = MoneyField(help_text="Owing on the ticket from now on.")
    example = shown({"refund": "4.00"})


class VoidWagers(HouseView):
    @verb(permission=VOID_WAGER, takes=VoidWagersIn, gives=VoidedOut)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """Void the wagers of a person in breach of the rules; games not yet begun are refunded.

        The person may be excluded from further play in the same moment.
        """
        return {"refund": void_wagers(serial=serial, by=by, **data)}
