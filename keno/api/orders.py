"""Calls about runner orders (4.8)."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.queries import on_gaming_day
from keno.api.codes import PAPER_CODES
from keno.api.forms import TenderIn, TicketIn, request_of, tender_of
from keno.api.tickets import SoldOut, sold
from keno.models import Order, OrderStatus
from keno.orders import issue_order, take_order, withdraw_order
from keno.permissions import CLAIMANTS, ORDER, SEE, SELL
from keno.queries import counter as queries
from keno.sell import REST_AS_VOUCHER, REST_IN_CASH
from kernel.actors import Actor
from web.fields import (
    AnyField,
    Choice,
    InstantField,
    Nothing,
    PersonalText,
    StrictSerializer,
    Text,
    WholeNumber,
    asking,
    blank,
    shown,
)
from web.view import ByDay, HouseView, listing, read, verb


class OrderIn(TicketIn):
    note = Text(required=False, max_length=200, help_text="Where the player sits, what he paid the runner.")
    example = shown({"numbers": [4, 8, 15], "stake": "2.00", "note": "Table 12"})

    def get_fields(self) -> dict[str, AnyField]:
        fields = super().get_fields()
        return {name: field for name, field in fields.items() if name not in {"tender", "rest"}}


class RunnersNote(PersonalText):
    """What a runner wrote down of a player: where he sits, which card he showed."""

    def may_see(self, instance: Order) -> bool:
        by = asking()
        return by is not None and queries.sees_note(instance, by)


class OrderOut(StrictSerializer):
    id = WholeNumber()
    request = serializers.DictField()
    runner = Text()
    note = RunnersNote(power=CLAIMANTS, masked=blank, allow_blank=True)
    player = RunnersNote(power=CLAIMANTS, masked=blank, source="card", allow_blank=True)
    taken_at = InstantField()
    status = Choice(choices=OrderStatus.values)
    ticket = Text(source="ticket.serial", allow_null=True, default=None)
    ended_by = Text(allow_null=True)
    example = shown(
        {
            "id": 5,
            "request": {"numbers": [4, 8, 15], "stake": "2.00", "games": 1},
            "runner": "staff:rita",
            "note": "Table 12",
            "player": "",
            "taken_at": "2026-11-16T21:04:00+11:00",
            "status": "waiting",
            "ticket": None,
            "ended_by": None,
        }
    )


class OrdersAsked(ByDay):
    status = Choice(choices=OrderStatus.values, required=False, help_text="Only those that stand like this.")


class Orders(HouseView):
    @listing(permission=SEE, gives=OrderOut, asks=OrdersAsked)
    def get(self, by: Actor, asked: OrdersAsked) -> QuerySet[Order]:
        """Runner orders, the newest first; for a writer those that wait, and his own."""
        rows = queries.orders(by, status=asked.status)
        return on_gaming_day(rows, asked.gaming_day, column="taken_at") if asked.gaming_day is not None else rows

    @verb(permission=ORDER, takes=OrderIn, gives=OrderOut, status=201)
    def post(self, by: Actor, data: OrderIn) -> Order:
        """Note what a player wants. It is no entry until its ticket is issued."""
        return take_order(request=request_of(data), note=data.note or "", card=data.player or "", by=by)


class OneOrder(HouseView):
    @read(permission=SEE, gives=OrderOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Order:
        """One runner order."""
        return queries.find_order(id, by)


class IssueIn(StrictSerializer):
    tender = TenderIn(many=True, required=False, help_text="Left out: exact cash.")
    rest = Choice(choices=[REST_IN_CASH, REST_AS_VOUCHER], default=REST_IN_CASH)
    example = shown({"tender": [{"type": "cash", "amount": "10.00"}]})


class Issue(HouseView):
    @verb(permission=SELL, takes=IssueIn, gives=SoldOut, status=201, secrets=PAPER_CODES)
    def post(self, by: Actor, data: IssueIn, *, id: int) -> dict[str, object]:
        """Issue the ticket of an order: from now on it is an entry."""
        _, result = issue_order(order_id=id, tender=tender_of(data.tender), rest=data.rest, by=by)
        return sold(result)


class Withdraw(HouseView):
    @verb(permission=ORDER, gives=OrderOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Order:
        """Withdraw an order that has not been issued."""
        return withdraw_order(order_id=id, by=by)
