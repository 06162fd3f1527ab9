"""Calls about tickets: selling, looking, cancelling, voiding."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash import CARD_SHOWN, IdentityIn, identity_of
from keno.api.codes import PAPER_CODES
from keno.api.forms import TicketIn, request_of, tender_of
from keno.cancel import Cancelled, cancel_ticket
from keno.models import Ticket, TicketStatus
from keno.new_ticket import NewTicket
from keno.permissions import CANCEL, SEE, SEE_ALL, SELL, VOID_WAGER
from keno.queries.tickets import TicketResult, find_ticket, look_up, result_of, tickets
from keno.refunds import void_wagers
from keno.sell import Sold, sell_ticket
from keno.sell_at_once import UsualSale, usual_sale
from kernel.actors import Actor
from web.at_once import Asked
from web.fields import (
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.view import ByDay, HouseView, listing, read, verb


class PlayOut(StrictSerializer):
    spots = WholeNumber()
    ways = WholeNumber()
    stake = MoneyField()


class VoucherPaperOut(StrictSerializer):
    code = Text(source="voucher.code")
    security_code = Text()
    amount = MoneyField(source="voucher.amount")
    cashable = TrueOrFalse(source="voucher.cashable", help_text="False: it pays for tickets and never becomes cash.")


class ContinuationOut(StrictSerializer):
    """The same entry on new paper for its games to come; the old code is dead."""

    serial = Text()
    paper = WholeNumber(help_text="2, 3, …")
    security_code = Text()


class TicketFields(StrictSerializer):
    """What every answer says of a ticket. `numbers` of one group, `groups` of several."""

    serial = Text()
    kind = Text()
    first_game = WholeNumber()
    last_game = WholeNumber()
    games = WholeNumber()
    price = MoneyField()
    numbers = serializers.ListField(child=WholeNumber(), required=False)
    groups = serializers.ListField(child=serializers.ListField(child=WholeNumber()), required=False)
    plays = PlayOut(many=True)
    schedule = Text()
    jackpot = TrueOrFalse()
    status = Text()
    sold_at = InstantField()
    gaming_day = DayField()
    terminal = Text()


def ticket_fields(ticket: Ticket | NewTicket, *, plays: list[Any], status: str) -> dict[str, object]:
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
    continuations = ContinuationOut(many=True, help_text="Of tickets that were tendered and have games to come.")
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
            "continuations": [],
        }
    )


def sold(result: Sold | UsualSale) -> dict[str, object]:
    return {
        **ticket_fields(result.ticket, plays=list(result.composed.quote.plays), status="in-play"),
        "security_code": result.security_code,
        "change": result.change,
        "voucher": result.voucher,
        "continuations": list(result.continuations),
    }


def sold_at_once(asked: Asked) -> bool:
    """The usual sale: for cash, without a card."""
    data: TicketIn = asked.data
    if data.player is not None:
        return False
    sale = usual_sale(request=request_of(data), tender=tender_of(data.tender), rest=data.rest, by=asked.by.actor)
    if sale is None:
        return False
    return sale.sell(token=asked.by.proof, claim=asked.claim, answer_status=asked.status, answer=asked.keep(sold(sale)))


class TicketsAsked(ByDay):
    terminal = Text(required=False, max_length=80)
    kind = Text(required=False, max_length=16)


class TicketRow(StrictSerializer):
    serial = Text()
    kind = Text()
    status = Text()
    first_game = WholeNumber()
    last_game = WholeNumber()
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
    def get(self, by: Actor, asked: TicketsAsked) -> QuerySet[Ticket]:
        """Tickets sold, the newest first; for a writer those of his own shift."""
        return tickets(by, day=asked.gaming_day, terminal=asked.terminal, kind=asked.kind)

    @verb(permission=SELL, takes=TicketIn, gives=SoldOut, status=201, secrets=PAPER_CODES, at_once=sold_at_once)
    def post(self, by: Actor, data: TicketIn) -> dict[str, object]:
        """Sell a ticket, from the next open game on."""
        return sold(
            sell_ticket(
                request=request_of(data), tender=tender_of(data.tender), rest=data.rest, card=data.player, by=by
            )
        )


class TicketGameOut(StrictSerializer):
    game = WholeNumber()
    status = Text()
    drawn = serializers.ListField(child=WholeNumber())
    prize = MoneyField()
    refund = MoneyField()
    ways = serializers.ListField(child=serializers.DictField())


class TicketResultOut(TicketFields):
    """What is null is told to whoever shows the security code (`look-up`), or sees all tickets."""

    won = MoneyField(allow_null=True)
    refunded = MoneyField(allow_null=True)
    paid = MoneyField(allow_null=True)
    owing = MoneyField(allow_null=True)
    still_playing = TrueOrFalse(allow_null=True)
    cancelled_from = WholeNumber(allow_null=True)
    results = TicketGameOut(many=True, help_text="Its games so far.")
    example = shown(
        {
            **{
                name: value
                for name, value in SoldOut.example.items()
                if name not in {"change", "voucher", "continuations"}
            },
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


def result(found: TicketResult) -> dict[str, object]:
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


def as_printed(ticket: Ticket) -> dict[str, object]:
    """What is on the paper, and no more."""
    untold = ("won", "refunded", "paid", "owing", "still_playing", "cancelled_from")
    plays = sorted(ticket.plays.all(), key=lambda play: play.place)
    return {
        **ticket_fields(ticket, plays=plays, status=TicketStatus.ISSUED),
        **dict.fromkeys(untold),
        "results": [],
    }


class OneTicket(HouseView):
    @read(permission=SEE, gives=TicketResultOut)
    def get(self, by: Actor, asked: Nothing, *, serial: str) -> dict[str, object]:
        """A ticket, its games so far, and what is owing on it.

        By its serial alone a writer sees what is printed: `look-up` takes its security code.
        """
        ticket = find_ticket(serial)
        return result(result_of(ticket)) if by.may(SEE_ALL) else as_printed(ticket)


class CodeIn(StrictSerializer):
    security_code = Text(max_length=40, required=False, help_text="Of the paper. Without it nothing is done.")
    example = shown({"security_code": "3F8D0Q2ZK5M1XT7V"})


class LookUp(HouseView):
    @verb(permission=SEE, takes=CodeIn, gives=TicketResultOut, needs_key=False)
    def post(self, by: Actor, data: CodeIn, *, serial: str) -> dict[str, object]:
        """A ticket in hand: its games so far, what it won and what is owing on it."""
        return result(look_up(serial=serial, security_code=data.security_code, by=by))


class CancelIn(CodeIn):
    identity = IdentityIn(required=False, help_text="Who the customer is, from the approved limit of a gaming day on.")
    card = Text(max_length=64, required=False, help_text=CARD_SHOWN)
    example = shown({"security_code": "3F8D0Q2ZK5M1XT7V"})


class CancelledOut(StrictSerializer):
    refund = MoneyField()
    cash = MoneyField(help_text="Of it, what goes back over the counter; the rest is the voucher.")
    cancelled_games = WholeNumber(source="games")
    voucher = VoucherPaperOut(allow_null=True)
    example = shown({"refund": "2.00", "cash": "2.00", "cancelled_games": 1, "voucher": None})


class Cancel(HouseView):
    @verb(permission=CANCEL, takes=CancelIn, gives=CancelledOut, secrets=PAPER_CODES)
    def post(self, by: Actor, data: CancelIn, *, serial: str) -> Cancelled:
        """Cancel a ticket for its unplayed games and return what was paid for them."""
        return cancel_ticket(
            serial=serial,
            security_code=data.security_code,
            identity=identity_of(data.identity),
            card=data.card,
            by=by,
        )


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
    def post(self, by: Actor, data: VoidWagersIn, *, serial: str) -> dict[str, object]:
        """Void the wagers of a person in breach of the rules; games not yet begun are refunded.

        The person may be excluded from further play in the same moment.
        """
        return {"refund": void_wagers(serial=serial, why=data.why, exclude=data.exclude, by=by)}
