"""Entries, winners, claims and tournaments."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from console.forms import Sheet, reason
from console.forms.house import local_moment
from console.forms.players import MoneyInput
from house.models import Staff
from ledger.money import Money
from promotions.models import Exclusion, Promotion, Win
from promotions.pay import Paid
from promotions.people import Contact
from promotions.rules.editions import METHODS, NOTIFY_BY

_PERSON = ("name", "address", "telephone", "email")
_TOLD = [(each, each.replace("-", " ").capitalize()) for each in NOTIFY_BY]


def _text(label: str, most: int, *, required: bool = False, hint: str = "") -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, max_length=most, required=required, help_text=hint, widget=widget)


class EnterForm(Sheet):
    code = forms.ChoiceField(label="Promotion")
    card = _text("Player card", 32)
    name = _text("Name", 120)
    address = _text("Address", 300)
    telephone = _text("Telephone", 40)
    email = _text("Email", 254)
    reference = _text("Coupon", 100, hint="The same one enters once. Empty: one is made up.")
    wagered = MoneyInput(label="Wagered for it", required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        running = Promotion.objects.filter(status="running").order_by("title")
        self.fields["code"].choices = [(each.code, each.title) for each in running]  # type: ignore[attr-defined]

    @property
    def asked(self) -> dict[str, Any]:
        given = self.cleaned_data
        return {
            "code": given["code"],
            "card": given["card"],
            "contact": Contact(**{name: given[name] for name in _PERSON}),
            "reference": given["reference"],
            "wagered": given["wagered"],
        }


class ExcludeForm(Sheet):
    card = _text("Player card", 32, required=True)
    why = forms.ChoiceField(label="Why", choices=Exclusion.choices)
    note = _text("Note", 200, hint="No names: the card is enough to know whose it is.")


class ImportForm(Sheet):
    file = forms.FileField(label="File", help_text="CSV with a heading: reference, card, name, address, telephone, …")
    all_or_nothing = forms.TypedChoiceField(
        label="A row that is not good",
        coerce=lambda value: value == "all",
        choices=[("all", "stops the file: all rows or none"), ("good", "is left out: the others enter")],
    )


class NotifyForm(Sheet):
    how = forms.ChoiceField(label="How", choices=_TOLD)
    reached = forms.TypedChoiceField(
        label="Reached",
        coerce=lambda value: value == "yes",
        choices=[("yes", "Yes, the winner knows"), ("no", "No, tried without reaching them")],
    )
    at = local_moment("When", help_text="Empty: just now.")
    notes = _text("Notes", 300)

    def __init__(self, *args: Any, methods: Any = NOTIFY_BY, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["how"].choices = [each for each in _TOLD if each[0] in methods]  # type: ignore[attr-defined]


class ClaimForm(Sheet):
    name = _text("Name", 120, required=True)
    address = _text("Address", 300, required=True)
    contact = _text("Telephone or email", 254)
    grounds = _text("What shows that it is theirs", 500, hint="Player card, identification.")


class OtherClaimForm(ClaimForm):
    what = _text("Prize that is claimed", 200, required=True)
    value = MoneyInput(label="Its value")
    address = _text("Address", 300)
    field_order = ("what", "value")


class DenyForm(Sheet):
    reasons = reason("Reasons", "Told to the person, word for word.")
    address = _text("Address", 300, hint="Needed above $100, unless known.")
    forfeit = forms.TypedChoiceField(
        label="The prize",
        coerce=lambda value: value == "yes",
        choices=[("yes", "is lost; the terms say whose it is then"), ("no", "stays the winner’s: somebody else asked")],
    )


class ToldForm(Sheet):
    how = forms.ChoiceField(label="Told", choices=_TOLD)


class PayForm(Sheet):
    """Up to three parts: a mix is for cash prizes above $10,000 (15.4), and the verb says so."""

    alternative = forms.TypedChoiceField(
        label="What is given",
        coerce=lambda value: value == "yes",
        choices=[("no", "The prize"), ("yes", "Money instead")],
    )

    def __init__(self, *args: Any, win: Win, methods: tuple[str, ...], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.win = win
        names = [(each, each.replace("-", " ").capitalize()) for each in (methods or METHODS)]
        for at in range(3):
            self.fields[f"method_{at}"] = forms.ChoiceField(
                label="By" if not at else "and by", choices=names if not at else [("", "–"), *names], required=not at
            )
            self.fields[f"amount_{at}"] = MoneyInput(label="Amount", required=not at)
            self.fields[f"reference_{at}"] = _text("Number", 120)
        self.fields["amount_0"].initial = str(win.value)

    @property
    def rows(self) -> list[tuple[Any, Any, Any]]:
        return [(self[f"method_{at}"], self[f"amount_{at}"], self[f"reference_{at}"]) for at in range(3)]

    @property
    def parts(self) -> list[Paid]:
        given = self.cleaned_data
        return [
            Paid(given[f"method_{at}"], given[f"amount_{at}"] or Money(0), given[f"reference_{at}"])
            for at in range(3)
            if given[f"method_{at}"]
        ]


class NominateForm(Sheet):
    scrutineer = forms.ChoiceField(label="Scrutineer")

    def __init__(self, *args: Any, but: str, permission: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        able = Staff.objects.filter(is_active=True, roles__grants__permission=permission).distinct().order_by("name")
        self.fields["scrutineer"].choices = [  # type: ignore[attr-defined]
            (each.identity, each.name) for each in able if each.identity != but
        ]


class OnTheSpotForm(Sheet):
    username = _text("User name", 80, required=True)
    password = forms.CharField(label="Password", max_length=200, widget=forms.PasswordInput)
    code = forms.CharField(
        label="Code", max_length=8, widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    )


class ConditionsForm(Sheet):
    """The conditions of a tournament, as they are approved (act-cp:16.2)."""

    code = _text("Code", 16, required=True, hint="Capitals and digits.")
    name = _text("Name", 120, required=True)
    game = _text("Game", 60, required=True)
    entry_fee = MoneyInput(label="Entry fee")
    retained = forms.DecimalField(
        label="Retained, in percent", min_value=0, max_value=100, decimal_places=2, help_text="At most 10."
    )
    prizes = _text("Prizes by place, in percent of the balance", 200, required=True, hint="Like 50 30 20.")
    closes_at = local_moment("Entries close", required=True)
    most_entries = forms.IntegerField(label="Places", min_value=1, required=False)
    play = forms.CharField(
        label="How it is played and scored", max_length=4_000, widget=forms.Textarea(attrs={"rows": 4})
    )
    why = reason()

    def clean_prizes(self) -> list[int]:
        try:
            return [round(float(each) * 100) for each in self.cleaned_data["prizes"].replace(",", " ").split()]
        except ValueError:
            raise forms.ValidationError("Write percentages with spaces between them, like 50 30 20.") from None

    @property
    def new(self) -> dict[str, Any]:
        given = self.cleaned_data
        new = {key: given[key].strip() for key in ("name", "game", "play")} | {
            "entry_fee": str(given["entry_fee"]),
            "retained": int(given["retained"] * 100),
            "prizes": given["prizes"],
            "closes_at": timezone.localtime(given["closes_at"]).isoformat(),
        }
        return new | ({"most_entries": given["most_entries"]} if given["most_entries"] else {})
