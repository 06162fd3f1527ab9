"""What calls of every game's tournaments say of an entry."""

from __future__ import annotations

from tournaments.permissions import NAMES
from web.fields import InstantField, MoneyField, PersonalText, StrictSerializer, Text, WholeNumber


class EntryInAnyGame(StrictSerializer):
    id = WholeNumber()
    tournament = Text(source="tournament.code")
    player = PersonalText(power=NAMES, own="entered_by")
    card = PersonalText(power=NAMES, own="entered_by")
    fee = MoneyField()
    entered_at = InstantField()
    place = WholeNumber(allow_null=True)
    prize = MoneyField(allow_null=True)
    authorised_by = Text(allow_null=True)
    paid_at = InstantField(allow_null=True)
    cheque_number = Text(allow_blank=True)
    refund_authorised_by = Text(allow_null=True)
    refunded_at = InstantField(allow_null=True)


NOT_PAID_YET = {
    "authorised_by": None,
    "paid_at": None,
    "cheque_number": "",
    "refund_authorised_by": None,
    "refunded_at": None,
}
