from __future__ import annotations

from django import forms

from house.pages.forms.cash import IdentityForm
from keno.pages.forms import Numbers
from tournaments.pages.forms import EntryForm


class KenoEntryForm(EntryForm):
    """A player in a tournament, with the numbers he plays in every game of it."""

    numbers = Numbers(label="Numbers", widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}))

    def __init__(self, *args: object, spots: int, **kwargs: object) -> None:
        super().__init__(*args, **{"auto_id": "enter-%s", **kwargs})
        self.fields["numbers"].help_text = f"{spots} of them, 1 to 80."


class PrizeForm(IdentityForm):
    cheque_number = forms.CharField(label="Cheque number", max_length=32, required=False)
