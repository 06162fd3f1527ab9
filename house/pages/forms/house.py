from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

from django import forms

from house.incident_kinds import kinds
from house.pages import compare
from house.pages.incident_rows import title
from web import rulebook
from web.forms import PageForm, reason


def local_moment(label: str, *, required: bool, help_text: str = "") -> forms.DateTimeField:
    """A moment on the venue's clock (the page has activated its zone)."""
    field = forms.DateTimeField(
        label=label,
        required=required,
        help_text=help_text,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    field.error_messages["invalid"] = "Write the moment like 2026-11-16 21:04."
    return field


class ReportForm(PageForm):
    kind = forms.ChoiceField(label="What kind of incident")
    what = forms.CharField(
        label="What happened",
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 5}),
        help_text="What, where, who was there, what was done at once.",
    )
    happened_at = local_moment("When", required=False, help_text="Empty: just now.")
    subject = forms.CharField(
        label="Subject", max_length=120, required=False, help_text="A ticket, table, device or promotion."
    )
    rules = forms.ChoiceField(
        label="Under the rules of",
        required=False,
        help_text="Where several games have a rule of it: which game it was.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.offer("kind", [("", "Choose"), *((code, title(code)) for code in kinds())])
        named = {document for kind in kinds().values() for document in kind.clauses}
        games = [(code, name) for code, name in rulebook.DOCUMENTS.items() if code in named]
        self.offer("rules", [("", "No game in particular"), *games])


class NoticeForm(PageForm):
    how = forms.CharField(
        label="How", max_length=80, widget=forms.TextInput(attrs={"placeholder": "telephone, in person, e-mail"})
    )
    reached = forms.TypedChoiceField(
        label="Reached",
        coerce=lambda value: value == "yes",
        choices=[("yes", "Yes, they were told"), ("no", "No, tried without reaching them")],
    )
    reference = forms.CharField(label="Reference", max_length=120, required=False)
    notes = forms.CharField(label="Notes", max_length=2000, required=False, widget=forms.Textarea(attrs={"rows": 2}))


class EarlyCloseForm(PageForm):
    at = local_moment("When", required=False, help_text="Empty: in a few seconds.")
    reason = reason("Why")
    notice = forms.CharField(label="What players are told", max_length=2000, widget=forms.Textarea(attrs={"rows": 2}))


class HoursForm(PageForm):
    """A week of opening hours, as a proposal."""

    refused_as = {"new": ""}  # noqa: RUF012  about the week as a whole: shown on top
    effective_from = local_moment(
        "From when", required=False, help_text="Empty: as soon as it is approved. In the venue’s time."
    )
    why = reason()

    def __init__(self, *args: object, now: dict[str, list[str] | None], **kwargs: object) -> None:
        self.now = now
        initial = {}
        for day, pair in now.items():
            initial[f"{day}_opens"], initial[f"{day}_closes"] = pair or ("", "")
        super().__init__(*args, initial=initial, **kwargs)
        for day, name in compare.WEEKDAYS.items():
            for part in ("opens", "closes"):
                widget = forms.TimeInput(attrs={"type": "time", "aria-label": f"{name} {part}"}, format="%H:%M")
                field = forms.TimeField(required=False, label=f"{name} {part}", widget=widget)
                field.error_messages["invalid"] = f"{name} {part}: write a time like 10:00."
                self.fields[f"{day}_{part}"] = field

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        for day, name in compare.WEEKDAYS.items():
            if (given.get(f"{day}_opens") is None) != (given.get(f"{day}_closes") is None):
                self.add_error(f"{day}_opens", f"{name}: give both times, or neither for a closed day.")
        return given

    def week(self) -> dict[str, list[str] | None]:
        def pair(day: str) -> list[str] | None:
            times: list[dt.time | None] = [self.cleaned_data[f"{day}_{part}"] for part in ("opens", "closes")]
            return [f"{each:%H:%M}" for each in times if each is not None] or None

        return {day: pair(day) for day in compare.WEEKDAYS}

    def days(self) -> Iterator[dict[str, object]]:
        for day, name in compare.WEEKDAYS.items():
            opens, closes = self[f"{day}_opens"], self[f"{day}_closes"]
            yield {
                "name": name,
                "now": compare.hours(self.now.get(day)),
                "opens": opens,
                "closes": closes,
                "errors": [*opens.errors, *closes.errors],
            }
