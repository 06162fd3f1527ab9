"""Propose another look of the boards; and the look in force, on the venue's page."""

from __future__ import annotations

import base64
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponseBase

from house.approvals import proposable
from house.pages.forms.house import local_moment
from house.pages.forms.proposing import LATER
from house.pages.panels import VenuePanel
from house.pages.proposing import proposed
from house.permissions import PROPOSE
from signage import look
from signage.approvables import LOOK
from web.forms import PageForm, reason
from web.page import Visit, page, show


def _colour(label: str, own: str) -> forms.CharField:
    widget = forms.TextInput(attrs={"placeholder": own, "autocomplete": "off", "spellcheck": "false", "class": "mono"})
    return forms.CharField(
        label=label, required=False, max_length=7, widget=widget, help_text=f"Like {own}, which it is if empty."
    )


class LookForm(PageForm):
    refused_as = {"new.name": "name", "new.accent": "accent", "new.ground": "ground", "new.logo": "logo", "new": ""}  # noqa: RUF012
    name = forms.CharField(label="Name", required=False, max_length=60, help_text="Empty: the venue’s own.")
    accent = _colour("Accent", look.ACCENT)
    ground = _colour("Ground", look.GROUND)
    logo = forms.FileField(label="Logo", required=False, help_text="SVG or PNG, 100 kB at most.")
    no_logo = forms.BooleanField(label="No logo", required=False)
    effective_from = local_moment("From when", required=False, help_text=LATER)
    why = reason()

    def __init__(self, *args: object, now: dict[str, Any], **kwargs: object) -> None:
        self.now = now
        initial = {name: now[name] or "" for name in ("name", "accent", "ground")}
        super().__init__(*args, initial=initial, **kwargs)
        self.fields["logo"].widget.attrs["accept"] = "image/png,image/svg+xml"

    def clean_logo(self) -> str | None:
        """The picture as it is kept, or what there is."""
        given: UploadedFile[bytes] | None = self.cleaned_data["logo"]
        if given is None:
            kept: str | None = self.now["logo"]
            return kept
        if (given.size or 0) > look.LOGO_BYTES_LIMIT:
            raise forms.ValidationError(f"A logo has at most {look.LOGO_BYTES_LIMIT // 1000} kB.")
        picture = given.read()
        kind = "image/png" if picture.startswith(b"\x89PNG") else "image/svg+xml"
        return f"data:{kind};base64,{base64.b64encode(picture).decode()}"

    @property
    def new(self) -> dict[str, object]:
        return {
            "name": self.name.strip() or None,
            "accent": self.accent.strip().lower() or None,
            "ground": self.ground.strip().lower() or None,
            "logo": None if self.no_logo else self.logo,
        }


@page(PROPOSE)
def propose(request: Visit) -> HttpResponseBase:
    now = look.in_force()
    form = LookForm(request.POST or None, request.FILES or None, now=now)
    return proposed(request, form, kind=LOOK, subject="venue") or show(
        request,
        "signage/propose_look.html",
        form=form,
        now=now,
        preview={"accent": now["accent"] or look.ACCENT, "ground": now["ground"] or look.GROUND},
        own={"accent": look.ACCENT, "ground": look.GROUND},
    )


def _panel(request: Visit) -> dict[str, object]:
    return {
        "look": look.look(),
        "look_own": {"accent": look.ACCENT, "ground": look.GROUND},
        "proposable": proposable(request.actor),
    }


PANEL = VenuePanel("signage/_venue_panel.html", _panel)
