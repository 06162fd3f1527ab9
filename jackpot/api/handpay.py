"""The payment of a hit: what it asks for, the fourth person, instalments."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from jackpot import handpay, hits, instalments, permissions, queries
from jackpot.api import fields
from jackpot.models import Hit, Instalment, InstalmentMethod
from kernel.actors import Actor
from web.fields import (
    Choice,
    DayField,
    InstantField,
    ListOf,
    MoneyField,
    Nothing,
    StrictSerializer,
    Text,
    WholeNumber,
    shown,
)
from web.view import HouseView, Paging, listing, read, verb


class InstalmentOut(StrictSerializer):
    id = WholeNumber()
    hit = WholeNumber(source="hit_id")
    number = WholeNumber()
    due = DayField()
    amount = MoneyField()
    paid_at = InstantField(allow_null=True)
    method = Text(allow_null=True)


class InstalmentRow(InstalmentOut):
    link = Text(source="hit.link.code")


class Asks(ListOf[str]):
    def __init__(self, **options: Any) -> None:
        super().__init__(child=Text(), **options)


class HandpayOut(StrictSerializer):
    hit = WholeNumber()
    status = Text()
    amount = MoneyField()
    tax_rate = WholeNumber(help_text="In hundredths of a percent, as in force when it was won.")
    withheld = MoneyField(help_text="What is, or will be, withheld of it for the tax authority.")
    to_the_winner = MoneyField()
    asks = Asks(help_text="What its payment takes: people and papers, a sentence each.")
    owed = MoneyField(help_text="What is still owed of it in instalments.")
    instalments = InstalmentOut(many=True)


class Handpay(HouseView):
    @read(permission=permissions.VIEW, gives=HandpayOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> dict[str, object]:
        """What the payment of a hit takes, by its amount and what was in force when it was won."""
        hit = hits.find_hit(id)
        rules = handpay.rules_of(hit)
        withheld = hit.withheld if hit.paid_at else rules.withheld(hit.amount)
        return {
            "hit": hit.pk,
            "status": hit.status,
            "amount": hit.amount,
            "tax_rate": rules.tax_rate,
            "withheld": withheld,
            "to_the_winner": hit.amount - withheld,
            "asks": handpay.asked_for(hit),
            "owed": instalments.owed(hit),
            "instalments": hit.instalments.order_by("number"),
        }


class Authorise(HouseView):
    @verb(permission=permissions.AUTHORISE, gives=fields.HitOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Hit:
        """Authorise a large payment: the fourth person, where the approved amount is reached."""
        return handpay.authorise_hit(hit_id=id, by=by)


class PayInstalmentIn(StrictSerializer):
    method = Choice(choices=InstalmentMethod.values)
    reference = Text(required=False, max_length=200, allow_blank=True, help_text="Of the cheque or the transfer.")
    identity = fields.ReceiverIn(required=False, help_text="As for any payment of so much.")
    example = shown({"method": "cheque", "reference": "000124"})


class PayInstalment(HouseView):
    @verb(permission=permissions.PAY, takes=PayInstalmentIn, gives=InstalmentOut)
    def post(self, by: Actor, data: PayInstalmentIn, *, id: int) -> Instalment:
        """Pay an instalment that is due (approval `jackpot.instalments`); never who dealt or verified the hit, or
        proposed or decided its instalments."""
        return instalments.pay_instalment(
            instalment_id=id,
            method=data.method,
            reference=data.reference or "",
            identity=fields.receiver_of(data.identity),
            by=by,
        )


class InstalmentsAsked(Paging):
    link = Text(required=False, max_length=16)


class Instalments(HouseView):
    @listing(permission=permissions.REPORTS, gives=InstalmentRow, asks=InstalmentsAsked, order="id")
    def get(self, by: Actor, asked: InstalmentsAsked) -> QuerySet[Instalment]:
        """Every instalment of every hit that is paid so: due, paid or owed."""
        return queries.instalments(link=asked.link)
