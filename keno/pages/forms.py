from __future__ import annotations

import json
import re

from django import forms

from house.pages.forms.cash import IdentityForm
from keno.entry_forms import LAYOUT, FormCode
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


class SetBetForm(PageForm):
    code = forms.CharField(label="Code", max_length=16, help_text="Capitals and digits: LUCKY7.")
    name = forms.CharField(label="Name", max_length=80)
    groups = forms.CharField(
        label="Groups of numbers",
        max_length=600,
        required=False,
        help_text="With | between them: 1 2 | 9 10 | 71 72. Empty where they are picked afresh.",
    )
    sizes = Numbers(label="Or sizes of groups", required=False, help_text="Picked at each sale: 2 2 2.")
    plays = Numbers(label="Plays", help_text="Numbers in a way: 2 4 6.")
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        groups = [[int(n) for n in re.findall(r"\d+", part)] for part in self.groups.split("|") if part.strip()]
        numbers = {"groups": groups} if groups else {"sizes": self.sizes}
        return {"name": self.name, **numbers, "plays": self.plays}


class EquipmentForm(PageForm):
    code = forms.CharField(label="Code", max_length=16, help_text="Of a ball set: A. Of a device: rng or mechanical.")
    name = forms.CharField(label="What it is", max_length=120, help_text="Its make, its number.")
    reference = forms.CharField(label="Reference", max_length=200, help_text="Of the certificate or the inspection.")
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"name": self.name, "reference": self.reference}


class EntryFormForm(PageForm):
    code = forms.ChoiceField(label="Form", choices=[(each.value, each.value.capitalize()) for each in FormCode])
    reference = forms.CharField(label="Reference", max_length=80, help_text="Of the approval.")
    help_line = forms.CharField(label="Help line", max_length=100, help_text="On every form, as the players read it.")
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"layout": LAYOUT, "reference": self.reference, "help_line": self.help_line}


class BonusForm(PageForm):
    code = forms.CharField(label="Code", max_length=16)
    name = forms.CharField(label="Name", max_length=80)
    first_game = forms.IntegerField(label="First game", min_value=1)
    last_game = forms.IntegerField(label="Last game", min_value=1)
    spots = forms.IntegerField(label="Numbers in the way", min_value=1, max_value=15)
    matches = forms.IntegerField(label="Matched", min_value=0, max_value=15)
    prize = MoneyInput(label="Prize")
    per = forms.ChoiceField(label="For each", choices=[("dollar", "dollar staked"), ("ticket", "ticket")])
    budget = MoneyInput(label="Budget")
    fund = forms.ChoiceField(label="Paid by", choices=[("house", "the house"), ("unclaimed", "unclaimed prizes")])
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {
            "name": self.name,
            "first_game": self.first_game,
            "last_game": self.last_game,
            "spots": self.spots,
            "matches": self.matches,
            "prize": str(self.prize),
            "per": self.per,
            "budget": str(self.budget),
            "fund": self.fund,
        }


class TournamentForm(PageForm):
    code = forms.CharField(label="Code", max_length=16)
    name = forms.CharField(label="Name", max_length=80)
    entry_fee = MoneyInput(label="Entry fee")
    retained = forms.IntegerField(
        label="Retained, in basis points", min_value=0, max_value=10_000, help_text="1000 is 10%, the most (15.4)."
    )
    prizes = Numbers(label="Prizes by place, in basis points", help_text="Together 10000: 6000 3000 1000.")
    spots = forms.IntegerField(label="Numbers marked", min_value=1, max_value=15)
    stake = MoneyInput(label="Stake they score with")
    schedule = forms.ChoiceField(
        label="Schedule",
        choices=[("standard", "Standard"), ("special-1", "Special 1"), ("special-2", "Special 2")],
    )
    first_game = forms.IntegerField(label="First game", min_value=1)
    last_game = forms.IntegerField(label="Last game", min_value=1)
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {
            "name": self.name,
            "entry_fee": str(self.entry_fee),
            "retained": self.retained,
            "prizes": self.prizes,
            "spots": self.spots,
            "stake": str(self.stake),
            "schedule": self.schedule,
            "first_game": self.first_game,
            "last_game": self.last_game,
        }


class ValueForm(PageForm):
    """Any approved value, as it is stored: for those that have no page of their own."""

    new = forms.CharField(
        label="Value", max_length=20_000, widget=forms.Textarea(attrs={"rows": 10, "class": "mono"}), required=False
    )
    why = web_forms.reason()

    def clean_new(self) -> object:
        try:
            return json.loads(self.cleaned_data["new"])
        except ValueError as error:
            raise forms.ValidationError(f"This is no JSON: {error}.") from None
