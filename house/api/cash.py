"""What calls that pay large amounts share: who the customer is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from house.cash.identity import Identity
from web.fields import DayField, StrictSerializer, Text

CARD_SHOWN = "The customer’s own player card, where he shows it."


class IdentityIn(StrictSerializer):
    name = Text(max_length=200)
    born = DayField()
    address = Text(max_length=500)
    document = Text(max_length=200, help_text="What was shown: a passport, a driver's licence.")
    document_number = Text(max_length=60)


def identity_of(data: Mapping[str, Any]) -> Identity | None:
    """As the verbs take it, from a call's ``identity``."""
    given = data.get("identity")
    return None if given is None else Identity.read(given)
