from __future__ import annotations

from django import forms

from house.pages.forms.house import local_moment
from web.forms import PageForm, reason
from web.money_field import MoneyInput


class RegisterForm(PageForm):
    name = forms.CharField(label="Name", max_length=120, widget=forms.TextInput(attrs={"autofocus": True}))
    card = forms.CharField(label="Card", max_length=32, help_text="As printed on it: letters, digits and dashes.")


class CardForm(PageForm):
    card = forms.CharField(label="New card", max_length=32, help_text="The cards before it stop at once.")


class BirthForm(PageForm):
    born = forms.DateField(
        label="Date of birth",
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="As a document shows it. Who is under 18 may not play until he is of age.",
    )


class LimitForm(PageForm):
    which = forms.ChoiceField(
        label="Limit",
        choices=[
            ("loss-day", "Loss in a gaming day"),
            ("loss-week", "Loss in a week"),
            ("loss-month", "Loss in a month"),
            ("deposit-day", "Deposits in a calendar day"),
        ],
    )
    amount = MoneyInput(label="Amount", required=False, help_text="Empty: no such limit any more.")

    @property
    def kind(self) -> str:
        return self.which.partition("-")[0]

    @property
    def period(self) -> str:
        return self.which.partition("-")[2]


class RestrictForm(PageForm):
    kind = forms.ChoiceField(
        label="What",
        choices=[
            ("exclusion", "Exclusion"),
            ("employee", "Employee gambling policy"),
            ("break", "Break while a limit resets"),
        ],
    )
    scope = forms.ChoiceField(
        label="From", choices=[("casino", "Everything"), ("keno", "Keno"), ("tables", "Table games")]
    )
    until = local_moment("Until", required=False, help_text="Empty: until it is lifted. A break needs its end.")
    breach_since = local_moment(
        "In breach since",
        required=False,
        help_text="Of the employee policy, where it is found out later: nothing is paid on wagers since then.",
    )
    reason = reason()
