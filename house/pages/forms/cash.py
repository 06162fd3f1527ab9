from __future__ import annotations

from datetime import date
from typing import Any

from django import forms

from house.cash.identity import PARTS, Identity
from house.cash.limits import SHAPE, CashLimits
from house.pages.forms.house import local_moment
from house.pages.forms.proposing import LATER
from kernel.refusal import Refusal
from web.forms import PageForm, reason
from web.money_field import MoneyInput


class IdentityForm(PageForm):
    """Who a customer is, where the rules ask for it."""

    refused_as = {f"identity.{part}": part for part in PARTS} | {"identity": "name"}
    asked = False  # by the verb: of amounts of one gaming day together a page does not know beforehand

    name = forms.CharField(label="Name", max_length=200, required=False)
    born = forms.DateField(label="Born", required=False, widget=forms.DateInput(attrs={"type": "date"}))
    address = forms.CharField(label="Address", max_length=500, required=False)
    document = forms.CharField(label="Document shown", max_length=200, required=False)
    document_number = forms.CharField(label="Its number", max_length=60, required=False)

    def refuse(self, refusal: Refusal) -> None:
        self.asked = (refusal.field or "").startswith("identity")
        super().refuse(refusal)

    def identity(self) -> Identity | None:
        """As the verbs take it: only where something of it was written."""
        who: dict[str, object] = {name: self.cleaned_data[name] for name in PARTS}
        return Identity.read(who) if any(who.values()) else None


def _authoritys_reference() -> forms.CharField:
    return forms.CharField(label="The authority’s reference", max_length=80, help_text="From its receipt.")


class SentForm(PageForm):
    reference = _authoritys_reference()


class DismissForm(PageForm):
    why = reason("Why it is not suspicious", "Another person reads it, and agrees or reports it.")


class MatterForm(PageForm):
    what = forms.CharField(
        label="What you saw",
        max_length=10_000,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="What, where, when, who was there, and why it is suspicious.",
    )
    reference = forms.CharField(
        label="Payment",
        max_length=120,
        required=False,
        help_text="A ticket’s serial, a voucher’s code, a hit’s number.",
    )
    player = forms.CharField(label="Player", max_length=64, required=False, help_text="By card or number.")
    staff = forms.CharField(
        label="Members of the staff", max_length=400, required=False, help_text="User names, with spaces between them."
    )
    terrorism = forms.TypedChoiceField(
        label="About the financing of terrorism",
        coerce=lambda value: value == "yes",
        choices=[("no", "No"), ("yes", "Yes: it is reported within hours")],
        initial="no",
        required=False,
    )

    @property
    def staff_named(self) -> list[str]:
        return self.staff.replace(",", " ").split()


_LIMITS = (
    ("identity_from", "Identity, from", "Of one customer in one gaming day, however it is paid. $10,000 by law."),
    ("report_from", "Threshold report, from", "In cash, of one customer in one gaming day. $10,000 by law."),
    ("cheque_number_from", "Cheques with their number, from", "Smaller ones may go without."),
    ("structuring_from", "Watched for structuring, from", "Payments of this much and below the reporting limit."),
)
_COUNTS = (
    ("structuring_payments", "So many of them are a hint", ""),
    ("structuring_minutes", "Within minutes, where nobody is known", "At one terminal, or by one writer."),
    ("report_days", "Business days for a threshold report", "Ten by law."),
    ("suspicion_days", "Business days for a suspicious matter", "Three by law."),
    ("terrorism_hours", "Hours where it is about terrorism", "Twenty-four by law."),
)


class LimitsForm(PageForm):
    """The limits in force, to be changed."""

    refused_as = {"new": "identity_from"}  # noqa: RUF012
    holidays = forms.CharField(
        label="Holidays",
        max_length=6_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "class": "mono"}),
        help_text="No business days, besides weekends: 2026-12-25, with spaces between them.",
    )
    cheque_accounts = forms.CharField(
        label="Accounts that cheques are drawn on",
        max_length=400,
        help_text="In capitals, the usual one first. Of the others the number is written like TRUST:000781.",
    )
    effective_from = local_moment("From when", required=False, help_text=LATER)
    why = reason()

    def __init__(self, *args: object, limits: CashLimits, **kwargs: object) -> None:
        initial = SHAPE.write(limits)
        initial |= {name: " ".join(initial[name]) for name in ("holidays", "cheque_accounts")}
        super().__init__(*args, initial=initial, **kwargs)
        for name, label, hint in _LIMITS:
            self.fields[name] = MoneyInput(label=label, help_text=hint)
        for name, label, hint in _COUNTS:
            self.fields[name] = forms.IntegerField(label=label, help_text=hint, min_value=1, max_value=1_440)

    @property
    def amounts(self) -> list[Any]:
        return [self[name] for name, _, _ in _LIMITS]

    @property
    def counts(self) -> list[Any]:
        return [self[name] for name, _, _ in _COUNTS]

    def clean_holidays(self) -> list[str]:
        try:
            return [date.fromisoformat(each).isoformat() for each in self.cleaned_data["holidays"].split()]
        except ValueError:
            raise forms.ValidationError("Write each day like 2026-12-25.") from None

    @property
    def new(self) -> dict[str, object]:
        amounts: dict[str, Any] = {name: str(self.cleaned_data[name]) for name, _, _ in _LIMITS}
        counts = {name: self.cleaned_data[name] for name, _, _ in _COUNTS}
        accounts = self.cheque_accounts.replace(",", " ").upper().split()
        return amounts | counts | {"holidays": self.holidays, "cheque_accounts": accounts}
