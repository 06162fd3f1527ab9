from __future__ import annotations

import re

from django import forms

from house.pages.forms.cash import IdentityForm
from keno.models import ClaimReason, PaymentMethod
from web import forms as web_forms
from web.forms import PageForm
from web.money_field import MoneyInput

_METHODS = [
    (PaymentMethod.CASH.value, "Cash"),
    (PaymentMethod.CHEQUE.value, "Cheque (a major prize)"),
    (PaymentMethod.MIX.value, "Cash and cheque"),
]


class Numbers(forms.CharField):
    """Numbers with spaces or commas between them."""

    def to_python(self, value: object) -> list[int]:  # type: ignore[override]  # what was written, read
        text = super().to_python(value) or ""
        if re.search(r"[^\d\s,;]", text) or any(len(each) > 18 for each in re.findall(r"\d+", text)):
            raise forms.ValidationError("Write whole numbers with spaces between them.")
        return [int(each) for each in re.findall(r"\d+", text)]

    def validate(self, value: object) -> None:
        if self.required and not value:
            raise forms.ValidationError(self.error_messages["required"], code="required")

    def run_validators(self, value: object) -> None:
        return None


def _security_code() -> forms.CharField:
    return forms.CharField(
        label="Security code", max_length=40, widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"})
    )


class CodeForm(PageForm):
    """The paper is here: its code shows it."""

    security_code = _security_code()

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"auto_id": "look-up-%s", **kwargs})


class CancelForm(IdentityForm):
    """The paper, and where the day's amounts ask for it who the customer is."""

    security_code = _security_code()

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"auto_id": "cancel-%s", **kwargs})


class PayForm(IdentityForm):
    security_code = _security_code()
    method = forms.ChoiceField(label="How", choices=_METHODS)
    cheque = MoneyInput(label="Of it by cheque", required=False, help_text="Where it is a mix.")
    cheque_number = forms.CharField(label="Cheque number", max_length=32, required=False)


class ClaimForm(PageForm):
    refused_as = {"claimant": "name"}  # noqa: RUF012
    serial = forms.CharField(
        label="Ticket",
        max_length=250,
        help_text="Scan it, or type SERIAL:CODE; the serial alone where the ticket is not there and you may.",
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}),
    )
    reason = forms.ChoiceField(label="Why a claim", choices=[(each, each.capitalize()) for each in ClaimReason.values])
    name = forms.CharField(label="Claimant’s name", max_length=120)
    address = forms.CharField(label="Address", max_length=300)
    contact = forms.CharField(label="How to reach them", max_length=120)
    grounds = web_forms.reason("What shows that it is theirs", "The numbers, the time, the terminal; what was shown.")


class CountForm(PageForm):
    counted_cash = MoneyInput(label="Cash counted")
    counted_chips = MoneyInput(label="Chips counted", required=False)


class WhatIfForm(PageForm):
    """One game, as it might come out."""

    drawn = Numbers(label="The twenty numbers", widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}))
    tickets = forms.CharField(
        label="Tickets",
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "class": "mono", "spellcheck": "false"}),
        help_text="One a line: numbers, then @ and the stake. Groups with | between them and plays after /: "
        "“1 2 3 | 11 12 / 2 3 5 @ 1.00”. A J at the end enters the jackpot.",
    )
    schedule = forms.ChoiceField(
        label="Schedule",
        choices=[(f"special-{n}" if n else "standard", f"Special {n}" if n else "Standard") for n in range(4)],
    )
    six = MoneyInput(label="6-number jackpot", required=False)
    eight = MoneyInput(label="8-number jackpot", required=False)


class SimulationForm(PageForm):
    """So many games by a seed."""

    games = forms.IntegerField(label="Games", min_value=1, max_value=10**9)
    seed = forms.CharField(
        label="Seed",
        max_length=64,
        widget=forms.TextInput(attrs={"class": "mono", "autocomplete": "off"}),
        help_text="Any words or figures. The same seed plays the same games.",
    )
