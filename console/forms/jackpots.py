from __future__ import annotations

from typing import Any

from django import forms

from console.forms import Sheet, reason
from console.forms.house import local_moment
from console.forms.money import MoneyInput
from jackpot.adjust import CAUSES
from jackpot.claim import WHEN_WON
from jackpot.hits import Identity
from jackpot.models import Hit, Pool
from jackpot.terms import LinkTerms, write
from ledger.money import BASIS_POINTS, Money


class VerifyForm(Sheet):
    cards = forms.CharField(
        label="Cards or tiles you saw",
        max_length=80,
        required=False,
        widget=forms.TextInput(attrs={"placeholder": "AS KS QS JS TS", "autocomplete": "off"}),
        help_text="As they lie on the table. They are compared with what the table sent.",
    )
    box = forms.IntegerField(label="Box", min_value=1, max_value=20, required=False)
    player = forms.CharField(label="Player card", max_length=64, required=False)
    surveillance = forms.CharField(label="Surveillance reference", max_length=200, required=False)
    note = forms.CharField(label="Note", max_length=1000, required=False, widget=forms.Textarea(attrs={"rows": 2}))

    @property
    def seen(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            "cards": given["cards"].split() or None,
            "box": given["box"],
            "player": given["player"] or None,
            "surveillance": given["surveillance"],
            "note": given["note"],
        }


class PayForm(Sheet):
    method = forms.ChoiceField(label="Paid by", choices=[(each, each.capitalize()) for each in Hit.Method.values])
    payment_reference = forms.CharField(
        label="Number", max_length=200, required=False, help_text="Of the cheque or the transfer."
    )
    name = forms.CharField(label="Receiver’s name", max_length=200, required=False)
    date_of_birth = forms.DateField(
        label="Date of birth", required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    address = forms.CharField(label="Address", max_length=500, required=False)
    document = forms.CharField(label="Document seen", max_length=200, required=False)

    @property
    def identity(self) -> Identity | None:
        given = {name: self.cleaned_data[name] for name in ("name", "date_of_birth", "address", "document")}
        return Identity(**given) if all(given.values()) else None


class AdjustForm(Sheet):
    purse = forms.ChoiceField(label="Purse")
    sign = forms.ChoiceField(label="What", choices=[("+", "Add"), ("-", "Take out")])
    amount = MoneyInput(label="Amount")
    cause = forms.ChoiceField(label="Cause", choices=[(code, words.capitalize()) for code, words in CAUSES.items()])
    why = reason()

    def __init__(self, *args: Any, purses: list[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["purse"].choices = [(each, each.capitalize()) for each in purses]  # type: ignore[attr-defined]

    @property
    def new(self) -> dict[str, str]:
        amount: Money = self.cleaned_data["amount"]
        signed = -amount if self.cleaned_data["sign"] == "-" else amount
        return {"purse": self.cleaned_data["purse"], "amount": str(signed), "cause": self.cleaned_data["cause"]}


class TermsForm(Sheet):
    """The figures of a link; its rules stay. Rates are percent of the wager, and the house keeps the rest."""

    wager = MoneyInput(label="Wager")
    bonus = MoneyInput(label="Bonus jackpot", required=False)
    reserve_rate = forms.DecimalField(label="Reserve, %", min_value=0, max_value=100, decimal_places=2)
    reimbursement_rate = forms.DecimalField(label="Reimbursement, %", min_value=0, max_value=100, decimal_places=2)
    contribution_limit = MoneyInput(
        label="Unreasonable above", required=False, help_text="In one message. Empty: none."
    )
    when = forms.ChoiceField(
        label="Takes effect",
        choices=[(WHEN_WON, "When the jackpot is won next"), ("now", "As soon as it is approved"), ("at", "At a time")],
    )
    effective_from = local_moment("From", help_text="Only for “at a time”.")
    why = reason()

    def __init__(self, *args: Any, now: LinkTerms, **kwargs: Any) -> None:
        self.now = now
        parameters = now.parameters
        initial: dict[str, Any] = {
            "wager": str(parameters.wager),
            "bonus": str(now.bonus),
            "reserve_rate": parameters.reserve_rate / 100,
            "reimbursement_rate": parameters.reimbursement_rate / 100,
            "contribution_limit": str(parameters.contribution_limit or ""),
        }
        for level in parameters.levels:
            initial |= {
                f"{level.name}_rate": level.increment_rate / 100,
                f"{level.name}_seed": str(level.seed),
                f"{level.name}_ceiling": str(level.ceiling or ""),
            }
        super().__init__(*args, initial=initial, **kwargs)
        for level in parameters.levels:
            named = level.name.capitalize()
            self.fields[f"{level.name}_rate"] = forms.DecimalField(
                label=f"{named}, %", min_value=0, max_value=100, decimal_places=2
            )
            self.fields[f"{level.name}_seed"] = MoneyInput(label=f"{named}: starts at")
            self.fields[f"{level.name}_ceiling"] = MoneyInput(label=f"{named}: ceiling", required=False)

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if given.get("when") == "at" and not given.get("effective_from"):
            self.add_error("effective_from", "Say from when.")
        return given

    @property
    def levels(self) -> list[dict[str, Any]]:
        return [
            {part: self[f"{level.name}_{part}"] for part in ("rate", "seed", "ceiling")}
            for level in self.now.parameters.levels
        ]

    @property
    def new(self) -> dict[str, Any]:
        given, data = self.cleaned_data, write(self.now)
        points = {name: int(given[name] * 100) for name in ("reserve_rate", "reimbursement_rate")}
        levels: list[dict[str, Any]] = [
            {
                "name": level.name,
                "increment_rate": int(given[f"{level.name}_rate"] * 100),
                "seed": str(given[f"{level.name}_seed"]),
                "ceiling": _or_none(given[f"{level.name}_ceiling"]),
            }
            for level in self.now.parameters.levels
        ]
        put_away = sum(points.values()) + sum(level["increment_rate"] for level in levels)
        return data | points | {
            "wager": str(given["wager"]),
            "bonus": str(given["bonus"] or Money(0)),
            "contribution_limit": _or_none(given["contribution_limit"]),
            "levels": levels,
            "retained_rate": BASIS_POINTS - put_away,
        }  # fmt: skip

    @property
    def timing(self) -> dict[str, Any]:
        when = self.cleaned_data["when"]
        return {
            "condition": WHEN_WON if when == WHEN_WON else "",
            "effective_from": self.cleaned_data["effective_from"] if when == "at" else None,
        }


def _or_none(amount: Money | None) -> str | None:
    return None if amount is None else str(amount)


class RetireForm(Sheet):
    into = forms.ChoiceField(label="What is in it goes to")
    why = reason()

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = Pool.objects.filter(status="open", terms__version=1).exclude(pk=pool.pk)
        self.fields["into"].choices = [(each.code, f"{each.code} {each.title}") for each in others]  # type: ignore[attr-defined]
