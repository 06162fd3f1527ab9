"""What is proposed for the catalogue, each kind with its own fields: the same form for a new one and for a change."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, cast

from django import forms

from keno.entry_forms import LAYOUT, FormCode
from keno.jackpots import POOLS
from keno.models import DrawDevice
from keno.pages.forms import Numbers
from keno.rules.schedules import SPECIAL_3
from web import forms as web_forms
from web.forms import PageForm
from web.money_field import MoneyInput

_JACKPOTS = [(code, f"{spots} numbers") for spots, code in POOLS.items()]


class CatalogueForm(PageForm):
    """*code*: of what is there already, with what is in force (*now*) to go on from."""

    code = forms.CharField(label="Code", max_length=16)
    refused_as = {"subject": "code"}  # noqa: RUF012

    def __init__(self, *args: object, code: str = "", now: object = None, **kwargs: object) -> None:
        said = self.said(now) if isinstance(now, Mapping) else {}
        super().__init__(*args, initial={"code": code, **said}, **kwargs)
        self.fields["code"].disabled = bool(code)

    @classmethod
    def is_for_more(cls, there: set[str]) -> bool:
        """Whether there can be others than these."""
        code = cls.base_fields["code"]
        if not isinstance(code, forms.ChoiceField):
            return True
        return not {each for each, _ in cast("list[tuple[str, str]]", code.choices)} <= there

    def said(self, now: Mapping[str, Any]) -> dict[str, Any]:
        """As it is written into the fields."""
        return {name: written(value) for name, value in now.items()}

    def subject(self, kind: str) -> str:
        return f"{kind}:{self.code.strip()}"

    def value(self) -> dict[str, object]:
        """What is proposed."""
        raise NotImplementedError


def written(value: object) -> object:
    """Numbers with spaces between them, groups with bars."""
    if not isinstance(value, list):
        return value
    parts = [" ".join(map(str, each)) if isinstance(each, list) else str(each) for each in value]
    return (" | " if any(isinstance(each, list) for each in value) else " ").join(parts)


class SetBetForm(CatalogueForm):
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


class EquipmentForm(CatalogueForm):
    code = forms.CharField(label="Code", max_length=16, help_text="Of the set: A.")
    name = forms.CharField(label="What it is", max_length=120, help_text="Its make, its number.")
    reference = forms.CharField(label="Reference", max_length=200, help_text="Of the certificate or the inspection.")
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"name": self.name, "reference": self.reference}


class DeviceForm(EquipmentForm):
    code = forms.ChoiceField(label="Device", choices=DrawDevice.choices)


class EntryFormForm(CatalogueForm):
    code = forms.ChoiceField(label="Form", choices=[(each.value, each.value.capitalize()) for each in FormCode])
    reference = forms.CharField(label="Reference", max_length=80, help_text="Of the approval.")
    help_line = forms.CharField(label="Help line", max_length=100, help_text="On every form, as the players read it.")
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"layout": LAYOUT, "reference": self.reference, "help_line": self.help_line}


class BonusForm(CatalogueForm):
    name = forms.CharField(label="Name", max_length=80)
    first_game = forms.IntegerField(label="First game", min_value=1)
    last_game = forms.IntegerField(label="Last game", min_value=1)
    spots = forms.IntegerField(label="Numbers in the way", min_value=1, max_value=15)
    # Not "matches": a field is a property of its form in the browser, and would hide Element.matches from every script.
    matched = forms.IntegerField(label="Matched", min_value=0, max_value=15)
    prize = MoneyInput(label="Prize")
    per = forms.ChoiceField(label="For each", choices=[("dollar", "dollar staked"), ("ticket", "ticket")])
    budget = MoneyInput(label="Budget")
    fund = forms.ChoiceField(label="Paid by", choices=[("house", "the house"), ("unclaimed", "unclaimed prizes")])
    why = web_forms.reason()

    refused_as = {"subject": "code", "new.matches": "matched"}  # noqa: RUF012

    def said(self, now: Mapping[str, Any]) -> dict[str, Any]:
        return {**super().said(now), "matched": now["matches"]}

    def value(self) -> dict[str, object]:
        return {
            "name": self.name,
            "first_game": self.first_game,
            "last_game": self.last_game,
            "spots": self.spots,
            "matches": self.matched,
            "prize": str(self.prize),
            "per": self.per,
            "budget": str(self.budget),
            "fund": self.fund,
        }


class TournamentForm(CatalogueForm):
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


class VoucherTypeForm(CatalogueForm):
    code = forms.CharField(
        label="Code", max_length=16, help_text="Capitals and digits, printed before each number: DINE."
    )
    name = forms.CharField(label="Name", max_length=80)
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"name": self.name}


class VoucherRegisterForm(CatalogueForm):
    """Approved vouchers that were issued (4.6): a range of numbers, or those that are printed on them."""

    code = forms.CharField(label="Voucher type", max_length=16)
    worth = MoneyInput(label="Each is worth")
    first = forms.IntegerField(label="From number", min_value=1, required=False)
    last = forms.IntegerField(label="To number", min_value=1, required=False)
    numbers = forms.CharField(
        label="Or the numbers as printed",
        max_length=20_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "class": "mono"}),
        help_text="With spaces between them, without the code of the type.",
    )
    why = web_forms.reason()
    refused_as = {"subject": "code", "new": "first"}  # noqa: RUF012

    def value(self) -> dict[str, object]:
        among: dict[str, object] = {"first": self.first, "last": self.last, "numbers": self.numbers.split() or None}
        return {"value": str(self.worth), **{name: value for name, value in among.items() if value is not None}}


class RatioForm(CatalogueForm):
    code = forms.ChoiceField(label="Jackpot", choices=_JACKPOTS)
    prize = forms.IntegerField(label="To the prize", help_text="In basis points of the stake; the three make 2500.")
    secondary = forms.IntegerField(label="To the next prize")
    reimbursement = forms.IntegerField(label="To reimbursement")
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"prize": self.prize, "secondary": self.secondary, "reimbursement": self.reimbursement}


class ToJackpotForm(CatalogueForm):
    """Unclaimed prizes that go back to the players in a jackpot (11.2)."""

    code = forms.ChoiceField(label="Jackpot", choices=_JACKPOTS)
    amount = MoneyInput(label="Amount")
    why = web_forms.reason()

    def subject(self, kind: str) -> str:
        return f"jackpot:{self.code}"

    def value(self) -> dict[str, object]:
        return {"amount": str(self.amount)}


class ConfigurationForm(CatalogueForm):
    code = forms.ChoiceField(label="System", choices=[("KENO", "Keno")])
    reference = forms.CharField(label="Reference", max_length=200, help_text="Of the approval.")
    software = forms.CharField(label="Software", max_length=200, help_text="That it is for.")
    remarks = forms.CharField(
        label="Remarks", max_length=4_000, required=False, widget=forms.Textarea(attrs={"rows": 3})
    )
    why = web_forms.reason()

    def value(self) -> dict[str, object]:
        return {"reference": self.reference, "software": self.software, "remarks": self.remarks}


class Special3Form(CatalogueForm):
    code = forms.ChoiceField(label="Schedule", choices=[(SPECIAL_3, "Special 3")])
    tables = forms.CharField(
        label="Prizes for $1.00",
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 6, "class": "mono", "spellcheck": "false"}),
        help_text="A line for so many numbers marked; matches = prize: “6: 3 = 1.00, 4 = 7.00, 5 = 60.00”.",
    )
    low = forms.CharField(label="Lowest return", max_length=20, help_text="Of $1.00: 0.75. Each line is computed.")
    high = forms.CharField(label="Highest return", max_length=20)
    why = web_forms.reason()
    refused_as = {"subject": "code", "band": "low", "new": "tables"}  # noqa: RUF012

    def said(self, now: Mapping[str, Any]) -> dict[str, Any]:
        lines = [
            f"{spots}: " + ", ".join(f"{matches} = {prize}" for matches, prize in prizes.items())
            for spots, prizes in now["tables"].items()
        ]
        return {"tables": "\n".join(lines), "low": now["band"][0], "high": now["band"][1]}

    def clean_tables(self) -> dict[str, dict[str, str]]:
        tables: dict[str, dict[str, str]] = {}
        for line in filter(str.strip, self.cleaned_data["tables"].splitlines()):
            spots, _, prizes = line.partition(":")
            found = [re.fullmatch(r"\s*(\d+)\s*=\s*\$?(\d+\.\d\d)\s*", part) for part in prizes.split(",")]
            if not spots.strip().isdecimal() or not all(found):
                raise forms.ValidationError(f"Write “{line.strip()}” like “6: 3 = 1.00, 4 = 7.00”.")
            tables[spots.strip()] = {each[1]: each[2] for each in found if each is not None}
        return tables

    def value(self) -> dict[str, object]:
        return {"tables": self.tables, "band": [self.low, self.high]}
