from __future__ import annotations

import datetime as dt

from django import forms

from console.forms import Sheet
from house.devices import PROFILES

KINDS = {
    "writer-terminal": "Writer terminal",
    "table-controller": "Table controller",
    "display": "Display",
    "service": "Service account",
}
OVERLAPS = {0: "at once", 15: "after 15 minutes", 60: "after an hour", 1440: "after a day", 10080: "after a week"}


class RegisterForm(Sheet):
    name = forms.CharField(
        label="Name",
        max_length=120,
        widget=forms.TextInput(attrs={"autofocus": True, "placeholder": "Keno counter, left"}),
    )
    kind = forms.ChoiceField(label="Kind", choices=list(KINDS.items()))
    profile = forms.ChoiceField(
        label="Profile",
        required=False,
        choices=[("", "The usual one of its kind"), *((p, p.capitalize()) for each in PROFILES.values() for p in each)],
        help_text="The role whose rights it has. An unknown profile reaches nothing.",
    )
    place = forms.CharField(
        label="Place", max_length=80, required=False, help_text="The table, counter or wall it stands at."
    )


class RollForm(Sheet):
    overlap = forms.TypedChoiceField(label="The old token stops", coerce=int, choices=list(OVERLAPS.items()))

    @property
    def overlap_time(self) -> dt.timedelta:
        return dt.timedelta(minutes=self.cleaned_data["overlap"])
