"""Calls about paper: receipts and reprints, runner orders, replays, claim forms, threshold reports."""

from __future__ import annotations

from base64 import b64encode
from typing import Any

from rest_framework import serializers

from house.actors import Actor
from house.api.days import on_gaming_day
from house.api.fields import Choice, DayField, InstantField, MoneyField, StrictSerializer, Text, Truth, Whole, shown
from house.api.view import ByDay, HouseView, listing, read, verb
from keno.api.arithmetic import QuotedPlayOut
from keno.api.forms import TenderIn, TicketIn, request_of, tender_of
from keno.api.tickets import SoldOut, sold
from keno.claims import make_claim, pay_claim
from keno.models import Claim, ClaimReason, Order, OrderStatus, ThresholdReport
from keno.orders import as_json, find_order, issue_order, take_order, withdraw_order
from keno.pay import threshold_reported
from keno.permissions import CLAIM, ORDER, PAY_CLAIM, PRINT, REPORT_THRESHOLD, REPORTS, REPRINT, SEE, SELL
from keno.printing import FORMATS, Printed, print_receipt, reprint_receipt
from keno.receipts.data import lines
from keno.replay import replay
from keno.sell import REST_AS_VOUCHER, REST_IN_CASH


class PrintIn(StrictSerializer):
    layout = Choice(choices=list(FORMATS), default="escpos")
    example = shown({"layout": "escpos"})


class ReprintIn(PrintIn):
    reason = Text(max_length=200)
    example = shown({"layout": "pdf", "reason": "The printer ran out of paper."})


class LineOut(StrictSerializer):
    name = Text()
    text = Text()


class PrintedOut(StrictSerializer):
    serial = Text()
    duplicate = Truth()
    lines = LineOut(many=True, help_text="The particulars, in the order they are read.")
    media_type = Text()
    content = Text(help_text="The printed form, in base64.", max_length=10_000_000)
    example = shown(
        {
            "serial": "7K2MX0Q4RT9B",
            "duplicate": False,
            "lines": [{"name": "Price", "text": "$6.00"}],
            "media_type": "application/octet-stream",
            "content": "G0AbYQE=",
        }
    )


def printed(result: Printed) -> dict[str, Any]:
    return {
        "serial": result.receipt.serial,
        "duplicate": result.receipt.duplicate,
        "lines": [{"name": name, "text": text} for name, text in lines(result.receipt)],
        "media_type": result.media_type,
        "content": b64encode(result.content).decode(),
    }


class Print(HouseView):
    @verb(permission=PRINT, takes=PrintIn, gives=PrintedOut)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """Print the receipt of a sale, once, where it was sold."""
        return printed(print_receipt(serial=serial, layout=data["layout"], by=by))


class Reprint(HouseView):
    @verb(permission=REPRINT, takes=ReprintIn, gives=PrintedOut)
    def post(self, by: Actor, data: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """Print a receipt again, marked DUPLICATE."""
        return printed(reprint_receipt(serial=serial, layout=data["layout"], reason=data["reason"], by=by))


class DifferenceOut(StrictSerializer):
    what = Text()
    then = Text()
    now = Text()


class ReplayOut(StrictSerializer):
    ticket = serializers.DictField(help_text="What to send to sell it again.")
    price = MoneyField()
    plays = QuotedPlayOut(many=True)
    differences = DifferenceOut(many=True, help_text="What to read to the player first.")
    example = shown(
        {
            "ticket": {"numbers": [4, 8, 15], "stake": "2.00", "games": 1, "schedule": "standard", "jackpot": False},
            "price": "2.00",
            "plays": [{"spots": 3, "ways": 1, "stake": "2.00"}],
            "differences": [{"what": "games", "then": "1201–1201", "now": "1460–1460"}],
        }
    )


class Replay(HouseView):
    @read(permission=SEE, gives=ReplayOut)
    def get(self, by: Actor, asked: dict[str, Any], *, serial: str) -> dict[str, Any]:
        """A past ticket to be played again, and what is not as it was."""
        again = replay(serial=serial)
        kept = as_json(again.request)
        wanted = {name: kept[name] for name in ("numbers", "groups", "plays", "stake") if kept[name] is not None}
        return {
            "ticket": {**wanted, **{name: kept[name] for name in ("games", "schedule", "jackpot")}},
            "price": again.quote.price.total,
            "plays": again.quote.plays,
            "differences": again.differences,
        }


class OrderIn(TicketIn):
    note = Text(required=False, max_length=200, help_text="Where the player sits, what he paid the runner.")
    example = shown({"numbers": [4, 8, 15], "stake": "2.00", "note": "Table 12"})

    def get_fields(self) -> dict[str, Any]:
        fields = super().get_fields()
        return {name: field for name, field in fields.items() if name not in {"tender", "rest"}}


class OrderOut(StrictSerializer):
    id = Whole()
    request = serializers.DictField()
    runner = Text()
    note = Text(allow_blank=True)
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
    def get(self, by: Actor, asked: dict[str, Any]) -> Any:
        """Runner orders, the newest first."""
        rows = Order.objects.select_related("ticket")
        if "status" in asked:
            rows = rows.filter(status=asked["status"])
        return on_gaming_day(rows, asked["gaming_day"], column="taken_at") if "gaming_day" in asked else rows

    @verb(permission=ORDER, takes=OrderIn, gives=OrderOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> Order:
        """Note what a player wants. It is no entry until its ticket is issued."""
        return take_order(request=request_of(data), note=data.get("note", ""), by=by)


class OneOrder(HouseView):
    @read(permission=SEE, gives=OrderOut)
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> Order:
        """One runner order."""
        return find_order(id)


class IssueIn(StrictSerializer):
    tender = TenderIn(many=True, required=False, help_text="Left out: exact cash.")
    rest = Choice(choices=[REST_IN_CASH, REST_AS_VOUCHER], default=REST_IN_CASH)
    example = shown({"tender": [{"type": "cash", "amount": "10.00"}]})


class Issue(HouseView):
    @verb(permission=SELL, takes=IssueIn, gives=SoldOut, status=201)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> dict[str, Any]:
        """Issue the ticket of an order: from now on it is an entry."""
        _, result = issue_order(order_id=id, tender=tender_of(data), rest=data["rest"], by=by)
        return sold(result)


class Withdraw(HouseView):
    @verb(permission=ORDER, gives=OrderOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Order:
        """Withdraw an order that has not been issued."""
        return withdraw_order(order_id=id, by=by)


class ClaimantIn(StrictSerializer):
    name = Text(max_length=120)
    address = Text(max_length=300)
    contact = Text(max_length=120)


class ClaimIn(StrictSerializer):
    serial = Text(required=False, max_length=40)
    voucher = Text(required=False, max_length=40)
    reason = Choice(choices=ClaimReason.values)
    claimant = ClaimantIn()
    grounds = Text(help_text="What shows that it is theirs.")
    example = shown(
        {
            "serial": "7K2MX0Q4RT9B",
            "reason": "lost",
            "claimant": {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"},
            "grounds": "She names every number, the time and the terminal.",
        }
    )


class ClaimOut(StrictSerializer):
    id = Whole()
    ticket = Text(source="ticket.serial", allow_null=True, default=None)
    voucher = Text(source="voucher.code", allow_null=True, default=None)
    amount = MoneyField()
    reason = Choice(choices=ClaimReason.values)
    claimant = serializers.DictField()
    grounds = Text()
    made_by = Text()
    made_at = InstantField()
    approved_by = Text(allow_null=True)
    paid_at = InstantField(allow_null=True)
    cheque_number = Text(allow_blank=True)
    example = shown(
        {
            "id": 4,
            "ticket": "7K2MX0Q4RT9B",
            "voucher": None,
            "amount": "113.00",
            "reason": "lost",
            "claimant": {"name": "Anna Marsh", "address": "1 Binara Street", "contact": "anna@example.org"},
            "grounds": "She names every number, the time and the terminal.",
            "made_by": "device:W-0001",
            "made_at": "2026-11-16T21:04:00+11:00",
            "approved_by": None,
            "paid_at": None,
            "cheque_number": "",
        }
    )


class Claims(HouseView):
    @listing(permission=CLAIM, gives=ClaimOut, asks=ByDay)
    def get(self, by: Actor, asked: dict[str, Any]) -> Any:
        """Claim forms, the newest first."""
        rows = Claim.objects.select_related("ticket", "voucher")
        return on_gaming_day(rows, asked["gaming_day"], column="made_at") if "gaming_day" in asked else rows

    @verb(permission=CLAIM, takes=ClaimIn, gives=ClaimOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> Claim:
        """Take a claim form. Another person decides, under approvals."""
        return make_claim(reason=ClaimReason(data.pop("reason")), by=by, **data)


class PayClaimIn(StrictSerializer):
    cheque_number = Text(max_length=32)
    example = shown({"cheque_number": "000777"})


class PayClaim(HouseView):
    @verb(permission=PAY_CLAIM, takes=PayClaimIn, gives=ClaimOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Claim:
        """Pay an approved claim by cheque."""
        return pay_claim(claim_id=id, cheque_number=data["cheque_number"], by=by)


class ThresholdOut(StrictSerializer):
    id = Whole()
    ticket = Text(source="payment.ticket.serial")
    cash = MoneyField()
    identity = serializers.DictField()
    gaming_day = DayField(source="day")
    reported_at = InstantField(allow_null=True)
    reported_by = Text(allow_null=True)
    example = shown(
        {
            "id": 2,
            "ticket": "7K2MX0Q4RT9B",
            "cash": "25000.00",
            "identity": {"name": "Anna Marsh"},
            "gaming_day": "2026-11-16",
            "reported_at": None,
            "reported_by": None,
        }
    )


class ThresholdReports(HouseView):
    @listing(permission=REPORTS, gives=ThresholdOut, asks=ByDay)
    def get(self, by: Actor, asked: dict[str, Any]) -> Any:
        """Payments of $10,000 or more in cash, to be reported."""
        rows = ThresholdReport.objects.select_related("payment__ticket")
        return rows.filter(day=asked["gaming_day"]) if "gaming_day" in asked else rows


class Reported(HouseView):
    @verb(permission=REPORT_THRESHOLD, gives=ThresholdOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> ThresholdReport:
        """Note that a threshold report went to the authority."""
        return threshold_reported(report_id=id, by=by)
