"""Calls about winners: called, told, their claims, what they are paid, and the reports."""

from __future__ import annotations

from base64 import b64encode

from django.db.models import QuerySet
from rest_framework import serializers

from house.api.cash import IdentityIn, identity_of
from kernel.actors import Actor
from promotions import calls, claims, letters, queries
from promotions.api.forms import PaperOut
from promotions.claimants import Shown
from promotions.models import Claim, ClaimStatus, Notification, Payment, Win, WinStatus
from promotions.notify import record_notification
from promotions.pay import Paid, pay_prize
from promotions.permissions import CLAIM, DECIDE_CLAIM, DRAW, NOTIFY, PAY, PERSONAL, SEE
from promotions.queries import Winner
from promotions.rules.editions import METHODS, NOTIFY_BY
from promotions.wins import find_win
from web.fields import (
    Choice,
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    PersonalText,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    blank,
    shown,
)
from web.view import HouseView, Paging, listing, read, verb


class WinOut(StrictSerializer):
    id = WholeNumber()
    promotion = Text(source="promotion.code")
    prize = WholeNumber(source="pick.prize", help_text="From 1, in the order of the terms.")
    name = Text(source="prize.name")
    value = MoneyField()
    entry = WholeNumber(source="pick.number", help_text="The winning entry's place in the sealed list.")
    status = Choice(choices=WinStatus.values)
    won_at = InstantField()
    notify_by = InstantField(allow_null=True)
    told_at = InstantField(allow_null=True)
    called_at = InstantField(allow_null=True)
    call_ends_at = InstantField(allow_null=True)
    present_at = InstantField(allow_null=True)
    claim_by = InstantField()
    example = shown(
        {
            "id": 31,
            "promotion": "SPRING",
            "prize": 1,
            "name": "Two thousand dollars",
            "value": "2000.00",
            "entry": 48213,
            "status": "drawn",
            "won_at": "2026-12-01T20:00:00+11:00",
            "notify_by": "2026-12-03T20:00:00+11:00",
            "told_at": None,
            "called_at": None,
            "call_ends_at": None,
            "present_at": None,
            "claim_by": "2026-12-29T20:00:00+11:00",
        }
    )


class WinsAsked(Paging):
    promotion = Text(required=False, max_length=32, help_text="Only those of this promotion.")
    status = Choice(choices=WinStatus.values, required=False)


class Wins(HouseView):
    @listing(permission=SEE, gives=WinOut, asks=WinsAsked)
    def get(self, by: Actor, asked: WinsAsked) -> QuerySet[Win]:
        """Winners, the latest first: prizes and entries, no names."""
        return queries.wins(promotion=asked.promotion, status=asked.status)


class WinnerPersonOut(StrictSerializer):
    name = Text(allow_blank=True)
    address = Text(allow_blank=True)
    telephone = Text(allow_blank=True)
    email = Text(allow_blank=True)
    identity = Text(allow_null=True)
    example = shown(
        {
            "name": "Anna Marsh",
            "address": "1 Lake Street",
            "telephone": "0400 000 000",
            "email": "anna@example.org",
            "identity": "player:P-4KZ7QW2MXA",
        }
    )


class WinPerson(HouseView):
    @read(permission=PERSONAL, gives=WinnerPersonOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Winner:
        """Who won, and how to reach them. Empty where nothing is known, or not any more."""
        return queries.winner_of(find_win(id))


class Call(HouseView):
    @verb(permission=DRAW, gives=WinOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Win:
        """Call a winner who must be present: the time of the terms to come forward begins."""
        return calls.call_winner(win_id=id, by=by)


class Present(HouseView):
    @verb(permission=DRAW, gives=WinOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Win:
        """The winner came forward in time."""
        return calls.winner_present(win_id=id, by=by)


class NotificationIn(StrictSerializer):
    how = Choice(choices=list(NOTIFY_BY))
    reached = TrueOrFalse()
    at = InstantField(required=False, help_text="Now, unless said.")
    notes = Text(required=False, allow_blank=True, max_length=300)
    example = shown({"how": "telephone", "reached": False, "notes": "No answer."})


class NotificationOut(StrictSerializer):
    id = WholeNumber()
    how = Choice(choices=list(NOTIFY_BY))
    reached = TrueOrFalse()
    at = InstantField()
    notes = Text(allow_blank=True)
    by = Text()
    example = shown(
        {
            "id": 5,
            "how": "telephone",
            "reached": False,
            "at": "2026-12-02T09:00:00+11:00",
            "notes": "No answer.",
            "by": "staff:sue",
        }
    )


class Notifications(HouseView):
    @listing(permission=SEE, gives=NotificationOut, asks=Paging)
    def get(self, by: Actor, asked: Paging, *, id: int) -> QuerySet[Notification]:
        """Every attempt to tell a winner, the latest first."""
        return queries.notifications(find_win(id))

    @verb(permission=NOTIFY, takes=NotificationIn, gives=NotificationOut, status=201)
    def post(self, by: Actor, data: NotificationIn, *, id: int) -> Notification:
        """Record an attempt to tell a winner, whether it reached them or not."""
        return record_notification(
            win_id=id,
            how=data.how,
            reached=data.reached,
            at=data.at,
            notes=data.notes or "",
            by=by,
        )


class ClaimIn(StrictSerializer):
    name = Text(max_length=120)
    address = Text(max_length=300)
    contact = Text(required=False, allow_blank=True, max_length=254)
    grounds = Text(required=False, allow_blank=True, help_text="What shows that it is theirs.")
    born = DayField(required=False, help_text="As the document shows it; needed where the terms state a least age.")
    household = TrueOrFalse(
        required=False, help_text="Whether of an employee's household; needed where the terms exclude those."
    )
    example = shown({"name": "Anna Marsh", "address": "1 Lake Street", "grounds": "Player card and passport."})


class OtherClaimIn(StrictSerializer):
    what = Text(max_length=200, help_text="The prize that is claimed.")
    value = MoneyField(allow_zero=False)
    name = Text(max_length=120)
    address = Text(required=False, allow_blank=True, max_length=300)
    contact = Text(required=False, allow_blank=True, max_length=254)
    grounds = Text(required=False, allow_blank=True)
    example = shown({"what": "The car", "value": "35000.00", "name": "Ben Ng", "address": "2 Hill Road"})


class ClaimOut(StrictSerializer):
    id = WholeNumber()
    promotion = Text(source="promotion.code")
    win = WholeNumber(source="win_id", allow_null=True)
    what = Text()
    value = MoneyField()
    name = PersonalText(power=PERSONAL, own="made_by", allow_blank=True)
    address = PersonalText(power=PERSONAL, own="made_by", masked=blank, allow_blank=True)
    status = Choice(choices=ClaimStatus.values)
    made_at = InstantField()
    decided_at = InstantField(allow_null=True)
    reasons = Text(allow_blank=True)
    told_at = InstantField(allow_null=True)
    example = shown(
        {
            "id": 9,
            "promotion": "SPRING",
            "win": 31,
            "what": "Two thousand dollars",
            "value": "2000.00",
            "name": "Anna Marsh",
            "address": "1 Lake Street",
            "status": "made",
            "made_at": "2026-12-02T12:00:00+11:00",
            "decided_at": None,
            "reasons": "",
            "told_at": None,
        }
    )


class ClaimsAsked(Paging):
    promotion = Text(required=False, max_length=32, help_text="Only those of this promotion.")
    status = Choice(choices=ClaimStatus.values, required=False)


class Claims(HouseView):
    @listing(permission=SEE, gives=ClaimOut, asks=ClaimsAsked)
    def get(self, by: Actor, asked: ClaimsAsked) -> QuerySet[Claim]:
        """Claims for prizes, the latest first."""
        return queries.claims(promotion=asked.promotion, status=asked.status)


class WinClaims(HouseView):
    @verb(permission=CLAIM, takes=ClaimIn, gives=ClaimOut, status=201)
    def post(self, by: Actor, data: ClaimIn, *, id: int) -> Claim:
        """Take the claim of a winner."""
        return claims.make_claim(
            win_id=id,
            name=data.name,
            address=data.address,
            contact=data.contact or "",
            grounds=data.grounds or "",
            shown=Shown(data.born, data.household),
            by=by,
        )


class OtherClaims(HouseView):
    @verb(permission=CLAIM, takes=OtherClaimIn, gives=ClaimOut, status=201)
    def post(self, by: Actor, data: OtherClaimIn, *, code: str) -> Claim:
        """Take the claim of somebody who, by the draw, has not won: to be decided, and kept if denied."""
        return claims.make_other_claim(
            code=code,
            what=data.what,
            value=data.value,
            name=data.name,
            address=data.address or "",
            contact=data.contact or "",
            grounds=data.grounds or "",
            by=by,
        )


class Accept(HouseView):
    @verb(permission=DECIDE_CLAIM, gives=ClaimOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> Claim:
        """Accept a claim: it is paid by another person."""
        return claims.accept_claim(claim_id=id, by=by)


class DenyIn(StrictSerializer):
    reasons = Text(help_text="Told to the person.")
    address = Text(required=False, allow_blank=True, max_length=300, help_text="Needed above $100, unless known.")
    forfeit = TrueOrFalse(default=True, help_text="The winner loses the prize; the terms say whose it is then.")
    example = shown({"reasons": "The winner is an employee.", "forfeit": True})


class Deny(HouseView):
    @verb(permission=DECIDE_CLAIM, takes=DenyIn, gives=ClaimOut)
    def post(self, by: Actor, data: DenyIn, *, id: int) -> Claim:
        """Deny a claim, with reasons for the person; above $100 it is kept with name, address and reasons."""
        return claims.deny_claim(
            claim_id=id,
            reasons=data.reasons,
            address=data.address or "",
            forfeit=data.forfeit,
            by=by,
        )


class ToldIn(StrictSerializer):
    how = Choice(choices=list(NOTIFY_BY))
    example = shown({"how": "mail"})


class Told(HouseView):
    @verb(permission=CLAIM, takes=ToldIn, gives=ClaimOut)
    def post(self, by: Actor, data: ToldIn, *, id: int) -> Claim:
        """The person has been told why the claim was denied, and of the right to complain."""
        return claims.told_of_denial(claim_id=id, how=data.how, by=by)


class Letter(HouseView):
    @read(permission=PERSONAL, gives=PaperOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> dict[str, object]:
        """The letter to a person whose claim was denied: the reasons, and the right to complain."""
        return {"media_type": "application/pdf", "content": b64encode(letters.denial_letter(id)).decode()}


class PartIn(StrictSerializer):
    method = Choice(choices=list(METHODS))
    amount = MoneyField(allow_zero=False)
    reference = Text(required=False, allow_blank=True, max_length=120, help_text="Of the cheque, transfer, voucher.")


class PayIn(StrictSerializer):
    parts = PartIn(many=True)
    alternative = TrueOrFalse(default=False, help_text="Money instead of a non-monetary prize.")
    identity = IdentityIn(required=False, help_text="Who the winner is, from the approved limit on.")
    example = shown({"parts": [{"method": "transfer", "amount": "2000.00", "reference": "T-4711"}]})


class PaymentOut(StrictSerializer):
    id = WholeNumber()
    win = WholeNumber(source="win_id")
    amount = MoneyField()
    alternative = TrueOrFalse()
    at = InstantField()
    by = Text()
    parts = serializers.SerializerMethodField()
    example = shown(
        {
            "id": 3,
            "win": 31,
            "amount": "2000.00",
            "alternative": False,
            "at": "2026-12-02T12:10:00+11:00",
            "by": "staff:sue",
            "parts": [{"method": "transfer", "amount": "2000.00", "reference": "T-4711"}],
        }
    )

    def get_parts(self, payment: Payment) -> list[dict[str, str]]:
        return [
            {"method": part.method, "amount": str(part.amount), "reference": part.reference}
            for part in payment.parts.all()
        ]


class Pay(HouseView):
    @verb(permission=PAY, takes=PayIn, gives=PaymentOut)
    def post(self, by: Actor, data: PayIn, *, id: int) -> Payment:
        """Pay or hand over a prize whose claim was accepted, once."""
        parts = [Paid(part.method, part.amount, part.reference or "") for part in data.parts]
        return pay_prize(
            claim_id=id, parts=parts, alternative=data.alternative, identity=identity_of(data.identity), by=by
        )
