"""Calls about what was paid too much: recorded, asked back, received, written off."""

from __future__ import annotations

from django.db.models import F, QuerySet

from house.api.approvals import ApprovalOut
from house.api.cash import CARD_SHOWN, IdentityIn, identity_of
from house.models import Proposal
from keno.models import AskedHow, Overpayment, Recovery, RecoveryKind
from keno.overpayments import overpayments, propose_overpayment
from keno.permissions import OVERPAYMENT, RECEIVE_BACK, SEE_ALL
from keno.recover import ask_back, receive_back
from keno.write_off import propose_write_off
from kernel.actors import Actor
from web.fields import (
    Choice,
    DayField,
    InstantField,
    MoneyField,
    QueryFlag,
    StrictSerializer,
    Text,
    WholeNumber,
    shown,
)
from web.view import HouseView, Paging, listing, verb


class OverpaymentsAsked(Paging):
    left = QueryFlag(required=False, help_text="Only those of which something is left to come back, or the others.")


class OverpaymentRow(StrictSerializer):
    id = WholeNumber()
    ticket = Text(source="payment.ticket.serial")
    payment = WholeNumber(source="payment_id")
    game = WholeNumber(allow_null=True, help_text="The game that was settled again; null where more was handed out.")
    amount = MoneyField()
    received = MoneyField()
    written_off = MoneyField()
    left = MoneyField(help_text="What is asked back still.")
    why = Text()
    gaming_day = DayField(source="payment.day")
    at = InstantField()
    example = shown(
        {
            "id": 3,
            "ticket": "7K2MX0Q4RT9B",
            "payment": 31,
            "game": 1201,
            "amount": "34.00",
            "received": "0.00",
            "written_off": "0.00",
            "left": "34.00",
            "why": "The recording of camera 4 shows ball 80.",
            "gaming_day": "2026-11-16",
            "at": "2026-11-16T21:09:00+11:00",
        }
    )


class OverpaymentIn(StrictSerializer):
    payment = WholeNumber(min_value=1, help_text="The payment that was too much.")
    amount = MoneyField(help_text="How much more was handed out than was owed.")
    why = Text(help_text="What shows it. It stays on record.")
    example = shown({"payment": 31, "amount": "324.00", "why": "$360.00 was handed out for $36.00: camera 2."})


class AskIn(StrictSerializer):
    how = Choice(choices=AskedHow.values, help_text="`not-found`: there is nobody to ask, as far as is known.")
    note = Text(required=False, allow_blank=True, help_text="Stays in the house: it may name the player.")
    example = shown({"how": "letter", "note": "Sent to the address of his card."})


class ReceiveIn(StrictSerializer):
    amount = MoneyField(help_text="At most what is left.")
    identity = IdentityIn(required=False, help_text="Who brings it, from the approved limit of a gaming day on.")
    card = Text(max_length=64, required=False, help_text=CARD_SHOWN)
    example = shown({"amount": "34.00"})


class WriteOffIn(StrictSerializer):
    why = Text(help_text="Why it does not come back. It stays on record.")
    example = shown({"why": "Asked twice by letter; the player has left the country."})


class RecoveryOut(StrictSerializer):
    id = WholeNumber()
    overpayment = WholeNumber(source="overpayment_id")
    kind = Choice(choices=RecoveryKind.values)
    amount = MoneyField()
    left = MoneyField(source="overpayment.left")
    by = Text()
    at = InstantField()
    example = shown(
        {
            "id": 7,
            "overpayment": 3,
            "kind": "received",
            "amount": "34.00",
            "left": "0.00",
            "by": "device:W-0001",
            "at": "2026-11-17T12:09:00+11:00",
        }
    )


class Overpayments(HouseView):
    @listing(permission=SEE_ALL, gives=OverpaymentRow, asks=OverpaymentsAsked)
    def get(self, by: Actor, asked: OverpaymentsAsked) -> QuerySet[Overpayment]:
        """What was paid too much, the newest first: how much of it came back, was written off, is left."""
        rows = overpayments(by)
        if asked.left is not None:
            open_ = rows.filter(amount__gt=F("received") + F("written_off"))
            rows = open_ if asked.left else rows.exclude(pk__in=open_)
        return rows

    @verb(permission=OVERPAYMENT, takes=OverpaymentIn, gives=ApprovalOut, status=202)
    def post(self, by: Actor, data: OverpaymentIn) -> Proposal:
        """Propose that more was handed out with a payment than was owed. Another person decides.

        What a game that was settled again makes of its paid prizes is recorded with it.
        """
        return propose_overpayment(payment_id=data.payment, amount=data.amount, why=data.why, by=by)


class AskBack(HouseView):
    @verb(permission=OVERPAYMENT, takes=AskIn, gives=RecoveryOut, status=201, needs_key=False)
    def post(self, by: Actor, data: AskIn, *, id: int) -> Recovery:
        """Record that it was asked for, or that there is nobody to ask."""
        return ask_back(overpayment_id=id, how=AskedHow(data.how), note=data.note or "", by=by)


class ReceiveBack(HouseView):
    @verb(permission=RECEIVE_BACK, takes=ReceiveIn, gives=RecoveryOut, status=201)
    def post(self, by: Actor, data: ReceiveIn, *, id: int) -> Recovery:
        """Receive it back in cash, all or a part. A prize is paid whole, whatever its holder owes (10.5)."""
        return receive_back(
            overpayment_id=id, amount=data.amount, identity=identity_of(data.identity), card=data.card, by=by
        )


class WriteOff(HouseView):
    @verb(permission=OVERPAYMENT, takes=WriteOffIn, gives=ApprovalOut, status=202)
    def post(self, by: Actor, data: WriteOffIn, *, id: int) -> Proposal:
        """Propose to write off all that is left, once it was asked for. Another person decides."""
        return propose_write_off(overpayment_id=id, why=data.why, by=by)
