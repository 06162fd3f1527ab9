"""Calls about a ticket on paper: its receipt, the reprint, and the ticket to be played again."""

from __future__ import annotations

from base64 import b64encode

from rest_framework import serializers

from keno.api.arithmetic import QuotedPlayOut
from keno.api.codes import RECEIPTS
from keno.orders import as_json
from keno.permissions import PRINT, REPRINT, SEE
from keno.printing import FORMATS, Printed, print_receipt, reprint_receipt
from keno.receipts.data import lines
from keno.replay import replay
from kernel.actors import Actor
from web.fields import Choice, MoneyField, Nothing, StrictSerializer, Text, TrueOrFalse, WholeNumber, shown
from web.view import HouseView, read, verb


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
    duplicate = TrueOrFalse()
    paper = WholeNumber(help_text="1; 2, 3, … of a continuation.")
    signed_text = Text(
        help_text="What its QR code carries, signed: leaf, promise, and the head of the log when it was printed."
    )
    lines = LineOut(many=True, help_text="The particulars, in the order they are read.")
    media_type = Text()
    content = Text(help_text="The printed form, in base64.", max_length=10_000_000)
    example = shown(
        {
            "serial": "7K2MX0Q4RT9B",
            "duplicate": False,
            "paper": 1,
            "signed_text": "mh1.eyJvIjoi…",
            "lines": [{"name": "Price", "text": "$6.00"}],
            "media_type": "application/octet-stream",
            "content": "G0AbYQE=",
        }
    )


def printed(result: Printed) -> dict[str, object]:
    return {
        "serial": result.receipt.serial,
        "duplicate": result.receipt.duplicate,
        "paper": result.receipt.number,
        "signed_text": result.receipt.paper,
        "lines": [{"name": name, "text": text} for name, text in lines(result.receipt)],
        "media_type": result.media_type,
        "content": b64encode(result.content).decode(),
    }


class Print(HouseView):
    @verb(permission=PRINT, takes=PrintIn, gives=PrintedOut, secrets=RECEIPTS)
    def post(self, by: Actor, data: PrintIn, *, serial: str) -> dict[str, object]:
        """Print the receipt of a sale, or a continuation, once, where it was sold or paid."""
        return printed(print_receipt(serial=serial, layout=data.layout, by=by))


class Reprint(HouseView):
    @verb(permission=REPRINT, takes=ReprintIn, gives=PrintedOut, secrets=RECEIPTS)
    def post(self, by: Actor, data: ReprintIn, *, serial: str) -> dict[str, object]:
        """Print a receipt again, marked DUPLICATE."""
        return printed(reprint_receipt(serial=serial, layout=data.layout, reason=data.reason, by=by))


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
    def get(self, by: Actor, asked: Nothing, *, serial: str) -> dict[str, object]:
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
