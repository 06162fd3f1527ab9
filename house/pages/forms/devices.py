from __future__ import annotations

import datetime as dt

from django import forms

from house.devices import PROFILES
from house.models import DeviceKind
from house.queries import possible_holders
from kernel.acts import Json
from web.forms import PageForm, reason

_PRIVILEGED = PROFILES[DeviceKind.SERVICE]

KINDS = {
    "writer-terminal": "Writer terminal",
    "table-controller": "Table controller",
    "display": "Display",
    "service": "Service account",
}
OVERLAPS = {0: "at once", 15: "after 15 minutes", 60: "after an hour", 1440: "after a day", 10080: "after a week"}


class RegisterForm(PageForm):
    """What stands on the floor. Privileged devices are proposed."""

    name = forms.CharField(
        label="Name",
        max_length=120,
        widget=forms.TextInput(attrs={"autofocus": True, "placeholder": "Keno counter, left"}),
    )
    kind = forms.ChoiceField(
        label="Kind", choices=[(kind, label) for kind, label in KINDS.items() if kind != DeviceKind.SERVICE]
    )
    place = forms.CharField(
        label="Place", max_length=80, required=False, help_text="The table, counter or wall it stands at."
    )


class _Proposal(PageForm):
    @property
    def new(self) -> Json:
        """What is proposed, in the shape of its kind."""
        raise NotImplementedError


class _Held(_Proposal):
    """Who holds it: somebody who has the role himself."""

    refused_as = {"subject": "holder"}  # noqa: RUF012
    profile = forms.ChoiceField(label="Role", choices=[(each, each.capitalize()) for each in _PRIVILEGED])
    holder = forms.ChoiceField(label="Held by", help_text="Acts through it, and has that role. Somebody else decides.")

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        people = [(each.username, f"{each.name} ({each.username})") for each in possible_holders()]
        self.offer("holder", people)


class NewDeviceForm(_Held):
    name = forms.CharField(label="Name", max_length=120, widget=forms.TextInput(attrs={"placeholder": "Night audit"}))
    place = forms.CharField(label="Place", max_length=80, required=False)
    why = reason()
    field_order = ("name", "place", "profile", "holder", "why")

    @property
    def new(self) -> dict[str, str]:
        return {"profile": self.profile, "name": self.name, "place": self.place}


class HolderForm(_Held):
    why = reason()

    @property
    def new(self) -> dict[str, str]:
        return {"profile": self.profile, "holder": self.holder}


class TokenForm(_Proposal):
    overlap = forms.TypedChoiceField(
        label="Once the new token is collected, the old one stops", coerce=int, choices=list(OVERLAPS.items())
    )
    why = reason()

    @property
    def new(self) -> dict[str, int]:
        return {"overlap_seconds": self.overlap * 60}


class TablesForm(_Proposal):
    refused_as = {"new": "tables"}  # noqa: RUF012
    tables = forms.CharField(
        label="Tables",
        required=False,
        max_length=1000,
        help_text="Their codes, with commas between: CSP-01, CSP-02. Empty: it works at no table.",
    )
    why = reason()

    @property
    def new(self) -> list[str]:
        written = (each.strip().upper() for each in self.tables.split(","))
        return sorted({each for each in written if each})


class RollForm(PageForm):
    overlap = forms.TypedChoiceField(label="The old token stops", coerce=int, choices=list(OVERLAPS.items()))

    @property
    def overlap_time(self) -> dt.timedelta:
        return dt.timedelta(minutes=self.overlap)
