"""Changes of the house that somebody else approves: what a role may do, player protection, erasure of personal data."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from django import forms

from house import queries
from house.pages.forms.house import local_moment
from house.retention import KeptToday
from web import words
from web.forms import PageForm, reason

LATER = "Empty: as soon as it is approved. In the venue’s time."


class RightsForm(PageForm):
    refused_as = {"new": "rights"}  # noqa: RUF012
    rights = forms.MultipleChoiceField(label="May", required=False, widget=forms.CheckboxSelectMultiple)
    effective_from = local_moment("From when", required=False, help_text=LATER)
    why = reason()

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        rights = queries.all_permissions().values_list("code", "label")
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
        return sorted(set(self.rights))


class ProtectionForm(PageForm):
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
    effective_from = local_moment("From when", required=False, help_text=LATER)
    why = reason()

    @property
    def new(self) -> dict[str, object]:
        return {"cards_required": self.cards_required, "cooling_off_hours": self.cooling_off_hours}


class ErasureForm(PageForm):
    refused_as = {"new": "before", "new.before": "before", "subject": "player"}  # noqa: RUF012
    what = forms.ChoiceField(label="What is erased")
    player = forms.CharField(
        label="Of one player only", max_length=24, required=False, help_text="His number, P-…; empty: of everybody."
    )
    before = forms.DateField(
        label="Last needed before", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    effective_from = local_moment("From when", required=False, help_text=LATER)
    why = reason()

    def __init__(self, *args: object, kinds: Sequence[KeptToday], **kwargs: object) -> None:
        super().__init__(*args, initial={"before": kinds[0].until}, **kwargs)
        self.offer("what", [(each.kept.name, each.kept.label) for each in kinds])

    @property
    def subject(self) -> str:
        given: dict[str, Any] = getattr(self, "cleaned_data", {})
        return "/".join(filter(None, (given.get("what", ""), given.get("player", "").strip().upper())))

    @property
    def new(self) -> dict[str, object]:
        return {"before": self.cleaned_data["before"].isoformat()}
