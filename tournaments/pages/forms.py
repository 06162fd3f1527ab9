"""What a tournament's pages ask for, in any game."""

from __future__ import annotations

from typing import TypedDict

from django import forms

from house.cash.identity import Identity
from house.pages.forms.cash import IdentityForm


class Entrant(TypedDict):
    """Who enters, as the verbs take him."""

    player: str
    card: str
    identity: Identity | None


class EntryForm(IdentityForm):
    """Who enters: by name, by card where he shows one, and who he is where the fee asks for it."""

    player = forms.CharField(label="Player", max_length=120, widget=forms.TextInput(attrs={"autocomplete": "off"}))
    card = forms.CharField(
        label="Player card", max_length=32, required=False, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    @property
    def entrant(self) -> Entrant:
        return {"player": self.player, "card": self.card, "identity": self.identity()}
