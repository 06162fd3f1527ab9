"""Changes of the house that somebody else approves: what a role may do, player protection, the look of the boards."""

from __future__ import annotations

import base64
from itertools import groupby
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from console import words
from console.forms import Sheet, reason
from console.forms.house import local_moment
from house.models import Permission
from signage import look

LATER = "Empty: as soon as it is approved. In the venue’s time."


class RightsForm(Sheet):
    refused_as = {"new": "rights"}  # noqa: RUF012
    rights = forms.MultipleChoiceField(label="May", required=False, widget=forms.CheckboxSelectMultiple)
    effective_from = local_moment("From when", help_text=LATER)
    why = reason()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        rights = Permission.objects.order_by("code").values_list("code", "label")
        self.fields["rights"].choices = [  # type: ignore[attr-defined]
            (words.label(room), list(group)) for room, group in groupby(rights, key=lambda each: each[0].split(".")[0])
        ]

    def rooms(self) -> list[tuple[str, list[Any]]]:
        """The boxes to tick, room by room."""
        boxes = {box.data["value"]: box for box in self["rights"]}
        choices: Any = self.fields["rights"].choices  # type: ignore[attr-defined]
        return [(room, [boxes[code] for code, _ in group]) for room, group in choices]

    @property
    def new(self) -> list[str]:
        return sorted(set(self.cleaned_data["rights"]))


class ProtectionForm(Sheet):
    refused_as = {"new": "cooling_off_hours"}  # noqa: RUF012
    cards_required = forms.TypedChoiceField(
        label="Player cards at tables",
        coerce=lambda value: value == "yes",
        choices=[("yes", "No wager without a valid card"), ("no", "Not required")],
    )
    cooling_off_hours = forms.IntegerField(
        label="Hours until a higher limit counts",
        min_value=1,
        help_text="A lower limit counts at once. A day at least, a year at most.",
    )
    effective_from = local_moment("From when", help_text=LATER)
    why = reason()

    @property
    def new(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("cards_required", "cooling_off_hours")}


def _colour(label: str, own: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"placeholder": own, "autocomplete": "off", "spellcheck": "false", "class": "mono"})
    return forms.CharField(
        label=label, required=False, max_length=7, widget=widget, help_text=f"Like {own}, which it is if empty."
    )


class LookForm(Sheet):
    refused_as = {"new.name": "name", "new.accent": "accent", "new.ground": "ground", "new.logo": "logo", "new": ""}  # noqa: RUF012
    name = forms.CharField(label="Name", required=False, max_length=60, help_text="Empty: the venue’s own.")
    accent = _colour("Accent", look.ACCENT)
    ground = _colour("Ground", look.GROUND)
    logo = forms.FileField(label="Logo", required=False, help_text="SVG or PNG, 100 kB at most.")
    no_logo = forms.BooleanField(label="No logo", required=False)
    effective_from = local_moment("From when", help_text=LATER)
    why = reason()

    def __init__(self, *args: Any, now: dict[str, Any], **kwargs: Any) -> None:
        self.now = now
        initial = {name: now[name] or "" for name in ("name", "accent", "ground")}
        super().__init__(*args, initial=initial, **kwargs)
        self.fields["logo"].widget.attrs["accept"] = "image/png,image/svg+xml"

    def clean_logo(self) -> str | None:
        """The picture as it is kept, or what there is."""
        given: UploadedFile | None = self.cleaned_data["logo"]
        if given is None:
            return self.now["logo"]
        if (given.size or 0) > look.LARGEST_LOGO:
            raise forms.ValidationError(f"A logo has at most {look.LARGEST_LOGO // 1000} kB.")
        picture = given.read()
        kind = "image/png" if picture.startswith(b"\x89PNG") else "image/svg+xml"
        return f"data:{kind};base64,{base64.b64encode(picture).decode()}"

    @property
    def new(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            "name": given["name"].strip() or None,
            "accent": given["accent"].strip().lower() or None,
            "ground": given["ground"].strip().lower() or None,
            "logo": None if given["no_logo"] else given["logo"],
        }
