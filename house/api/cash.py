"""What calls that pay large amounts share: who the customer is."""

from __future__ import annotations

from house.cash.identity import Identity
from web.fields import DayField, StrictSerializer, Text

CARD_SHOWN = "The customer’s own player card, where he shows it."


class IdentityIn(StrictSerializer):
    name = Text(max_length=200)
    born = DayField()
    address = Text(max_length=500)
    document = Text(max_length=200, help_text="What was shown: a passport, a driver's licence.")
    document_number = Text(max_length=60)


def identity_of(given: IdentityIn | None) -> Identity | None:
    """As the verbs take it, from a call's ``identity``."""
    if given is None:
        return None
    return Identity(
        name=given.name.strip(),
        born=given.born,
        address=given.address.strip(),
        document=given.document.strip(),
        document_number=given.document_number.strip(),
    )
