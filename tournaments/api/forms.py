"""What calls of every game's tournaments say of an entry."""

from __future__ import annotations

from house.models import Proposal
from tournaments.permissions import NAMES
from web.fields import InstantField, MoneyField, PersonalText, StrictSerializer, Text, WholeNumber, shown


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
    refund_seconded_by = Text(allow_null=True, help_text="Who said so, too: a device on the floor may hand it over.")
    refunded_at = InstantField(allow_null=True)


NOT_PAID_YET = {
    "authorised_by": None,
    "paid_at": None,
    "cheque_number": "",
    "refund_authorised_by": None,
    "refund_seconded_by": None,
    "refunded_at": None,
}


class CallOffIn(StrictSerializer):
    why = Text(max_length=500)
    example = shown({"why": "Too few players."})


class CallOffOut(StrictSerializer):
    """A tournament that is to be called off: `cancelled_at` is null until another person has approved the proposal."""

    code = Text()
    proposal = WholeNumber(help_text="Decided at `approvals/{id}/approve` by another person.")
    cancelled_at = InstantField(allow_null=True)
    cancel_reason = Text(allow_blank=True)
    example = shown({"code": "SPRING", "proposal": 17, "cancelled_at": None, "cancel_reason": ""})


def to_be_called_off(code: str, proposal: Proposal) -> dict[str, object]:
    return {"code": code, "proposal": proposal.pk, "cancelled_at": None, "cancel_reason": ""}
