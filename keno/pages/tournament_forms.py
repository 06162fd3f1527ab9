from __future__ import annotations

from typing import Any

from django import forms

from house.pages.forms.cash import IdentityForm
from keno.pages.forms import Numbers


class EntryForm(IdentityForm):
    """A player in a tournament, with the numbers he plays in every game of it."""

    player = forms.CharField(label="Player", max_length=120)
    card = forms.CharField(label="Player card", max_length=32, required=False)
    numbers = Numbers(label="Numbers", widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}))

    def __init__(self, *args: object, spots: int, **kwargs: object) -> None:
        super().__init__(*args, **{"auto_id": "enter-%s", **kwargs})
        self.fields["numbers"].help_text = f"{spots} of them, 1 to 80."

    def given(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("player", "card", "numbers")} | {"identity": self.identity()}


class PrizeForm(IdentityForm):
    cheque_number = forms.CharField(label="Cheque number", max_length=32, required=False)

    def given(self) -> dict[str, Any]:
        return {"cheque_number": self.cleaned_data["cheque_number"], "identity": self.identity()}
