"""What a tournament's pages ask for, in any game."""

from __future__ import annotations

from typing import TypedDict

from django import forms

from house.cash.identity import Identity
from house.pages.forms.cash import IdentityForm


class Entrant(TypedDict):
    """Who enters, as the verbs take him."""

    card: str
    identity: Identity | None


class EntryForm(IdentityForm):
    """Who enters: by his card, and who he is where the fee asks for it."""

    card = forms.CharField(
        label="Player card", max_length=32, widget=forms.TextInput(attrs={"autocomplete": "off", "class": "mono"})
    )

    @property
    def entrant(self) -> Entrant:
        return {"card": self.card, "identity": self.identity()}
