"""Calls about claim forms (11, 12.5)."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash import CARD_SHOWN, IdentityIn, identity_of
from house.queries import on_gaming_day
from keno.api.codes import PAPER_CODES
from keno.api.tickets import VoucherPaperOut
from keno.claims import make_claim, pay_claim
from keno.models import Claim, ClaimReason
from keno.permissions import CLAIM, PAY_CLAIM, SEE
from keno.queries import counter as queries
from kernel.actors import Actor
from web.fields import Choice, InstantField, MoneyField, StrictSerializer, Text, WholeNumber, sent, shown
from web.view import ByDay, HouseView, listing, verb


class ClaimantIn(StrictSerializer):
    name = Text(max_length=120)
    address = Text(max_length=300)
    contact = Text(max_length=120)


class ClaimIn(StrictSerializer):
    serial = Text(required=False, max_length=40)
    voucher = Text(required=False, max_length=40)
    security_code = Text(required=False, max_length=40, help_text="Of the paper; without it, a supervisor’s form.")
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
    id = WholeNumber()
    ticket = Text(source="ticket.serial", allow_null=True, default=None)
    voucher = Text(source="voucher.code", allow_null=True, default=None)
    amount = MoneyField()
    reason = Choice(choices=ClaimReason.values)
    claimant = serializers.DictField(source="shown_claimant", help_text="Empty without the right to see claimants.")
    grounds = Text()
    made_by = Text()
    made_at = InstantField()
    approved_by = Text(allow_null=True)
    paid_at = InstantField(allow_null=True)
    cheque_number = Text(allow_blank=True)
    paper = VoucherPaperOut(
        allow_null=True, help_text="Of what came in as an approved voucher, when it is paid: it goes back as one."
    )
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
            "paper": None,
        }
    )


class Claims(HouseView):
    @listing(permission=SEE, gives=ClaimOut, asks=ByDay)
    def get(self, by: Actor, asked: ByDay) -> QuerySet[Claim]:
        """Claim forms, the newest first; for a writer those that he took. Claimants need a right of their own."""
        rows = queries.claims(by)
        return on_gaming_day(rows, asked.gaming_day, column="made_at") if asked.gaming_day is not None else rows

    @verb(permission=CLAIM, takes=ClaimIn, gives=ClaimOut, status=201)
    def post(self, by: Actor, data: ClaimIn) -> Claim:
        """Take a claim form. Another person decides, under approvals."""
        claim = make_claim(
            reason=ClaimReason(data.reason),
            claimant=sent(data.claimant),
            grounds=data.grounds,
            serial=data.serial,
            voucher=data.voucher,
            security_code=data.security_code,
            by=by,
        )
        return queries.shown_claim(claim, by)


class PayClaimIn(StrictSerializer):
    cheque_number = Text(max_length=32, help_text="Used once, in all rooms together.")
    identity = IdentityIn(required=False, help_text="Who the claimant is, from the approved limit of a gaming day on.")
    card = Text(max_length=64, required=False, help_text=CARD_SHOWN)
    example = shown({"cheque_number": "000777"})


class PayClaim(HouseView):
    @verb(permission=PAY_CLAIM, takes=PayClaimIn, gives=ClaimOut, secrets=PAPER_CODES)
    def post(self, by: Actor, data: PayClaimIn, *, id: int) -> Claim:
        """Pay an approved claim by cheque."""
        paid = pay_claim(
            claim_id=id,
            cheque_number=data.cheque_number,
            identity=identity_of(data.identity),
            card=data.card,
            by=by,
        )
        return queries.shown_claim(paid, by)
