"""Entries, winners, claims and tournaments."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any, TypedDict

from django import forms
from django.utils import timezone

from house.cash.limits import asks_identity
from house.pages.forms.cash import IdentityForm
from house.pages.forms.house import local_moment
from kernel.money import Money
from promotions import queries
from promotions.claimants import Shown
from promotions.models import Claim, Exclusion, Win
from promotions.pay import Paid
from promotions.people import Contact
from promotions.rules.claims import kept
from promotions.rules.editions import METHODS, NOTIFY_BY
from promotions.rules.terms import Terms
from promotions.tournaments import ANY_GAME
from web.forms import PageForm, reason
from web.money_field import MoneyInput

_TOLD = [(each, each.replace("-", " ").capitalize()) for each in NOTIFY_BY]


def _text(label: str, most: int, *, required: bool = False, hint: str = "") -> forms.CharField:
    widget = forms.TextInput(attrs={"autocomplete": "off"})
    return forms.CharField(label=label, max_length=most, required=required, help_text=hint, widget=widget)


class EnterForm(PageForm):
    code = forms.ChoiceField(label="Promotion")
    card = _text("Player card", 32)
    name = _text("Name", 120)
    address = _text("Address", 300)
    telephone = _text("Telephone", 40)
    email = _text("Email", 254)
    reference = _text("Coupon", 100, hint="The same one enters once. Empty: one is made up.")
    wagered = MoneyInput(label="Wagered for it", required=False)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        choices = [(each.code, each.title) for each in queries.running()]
        self.offer("code", choices)

    @property
    def contact(self) -> Contact:
        return Contact(name=self.name, address=self.address, telephone=self.telephone, email=self.email)


class ExcludeForm(PageForm):
    card = _text("Player card", 32, required=True)
    why = forms.ChoiceField(label="Why", choices=Exclusion.choices)
    note = _text("Note", 200, hint="No names: the card is enough to know whose it is.")


class ImportForm(PageForm):
    file = forms.FileField(label="File", help_text="CSV with a heading: reference, card, name, address, telephone, …")
    all_or_nothing = forms.TypedChoiceField(
        label="A row that is not good",
        coerce=lambda value: value == "all",
        choices=[("all", "stops the file: all rows or none"), ("good", "is left out: the others enter")],
    )


class NotifyForm(PageForm):
    how = forms.ChoiceField(label="How", choices=_TOLD)
    reached = forms.TypedChoiceField(
        label="Reached",
        coerce=lambda value: value == "yes",
        choices=[("yes", "Yes, the winner knows"), ("no", "No, tried without reaching them")],
    )
    at = local_moment("When", required=False, help_text="Empty: just now.")
    notes = _text("Notes", 300)

    def __init__(self, *args: object, methods: Any = NOTIFY_BY, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.offer("how", [each for each in _TOLD if each[0] in methods])


class Claimant(TypedDict):
    """Who claims and why, as the verbs take it."""

    name: str
    address: str
    contact: str
    grounds: str


class ClaimForm(PageForm):
    name = _text("Name", 120, required=True)
    address = _text("Address", 300, required=True)
    contact = _text("Telephone or email", 254)
    grounds = _text("What shows that it is theirs", 500, hint="Player card, identification.")

    @property
    def claimant(self) -> Claimant:
        return {"name": self.name, "address": self.address, "contact": self.contact, "grounds": self.grounds}


class WinnersClaimForm(ClaimForm):
    """With what the terms ask a winner to show."""

    born = forms.DateField(
        label="Date of birth",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}),
        help_text="As the document shows it.",
    )
    household = forms.TypedChoiceField(
        label="Of an employee’s household?",
        required=False,
        coerce=lambda value: value == "yes",
        empty_value=None,
        choices=[("", "Not asked"), ("no", "No"), ("yes", "Yes")],
    )

    def __init__(self, *args: object, terms: Terms, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        if terms.households_excluded is None:
            del self.fields["household"]

    @property
    def shown(self) -> Shown:
        return Shown(self.cleaned_data["born"], self.cleaned_data.get("household"))


class OtherClaimForm(ClaimForm):
    what = _text("Prize that is claimed", 200, required=True)
    value = MoneyInput(label="Its value")
    address = _text("Address", 300)
    field_order = ("what", "value")


class DenyForm(PageForm):
    reasons = reason("Reasons", "Told to the person, word for word.")
    address = _text("Address", 300, hint="Needed above $100, unless known.")
    forfeit = forms.TypedChoiceField(
        label="The prize",
        coerce=lambda value: value == "yes",
        choices=[("yes", "is lost; the terms say whose it is then"), ("no", "stays the winner’s: somebody else asked")],
    )

    def __init__(self, *args: object, claim: Claim, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.note = "The letter says the reasons and the right to complain."
        if kept(claim.value):
            self.note += " Above $100 it is kept with name, address and reasons."
        if not kept(claim.value) or claim.address:
            del self.fields["address"]


class ToldForm(PageForm):
    how = forms.ChoiceField(label="Told", choices=_TOLD)


class PayForm(IdentityForm):
    """Up to three parts: a mix is for cash prizes above $10,000 (15.4), and the verb says so."""

    alternative = forms.TypedChoiceField(
        label="What is given",
        coerce=lambda value: value == "yes",
        choices=[("no", "The prize"), ("yes", "Money instead")],
    )

    def __init__(self, *args: object, win: Win, methods: tuple[str, ...], **kwargs: object) -> None:
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
        self.asks_identity = asks_identity(win.value)

    @property
    def rows(self) -> list[tuple[Any, Any, Any]]:
        return [(self[f"method_{at}"], self[f"amount_{at}"], self[f"reference_{at}"]) for at in range(3)]

    @property
    def parts(self) -> list[Paid]:
        return [
            Paid(method, self.cleaned_data[f"amount_{at}"] or Money(0), self.cleaned_data[f"reference_{at}"])
            for at in range(3)
            if (method := self.cleaned_data[f"method_{at}"])
        ]


class TournamentPrizeForm(IdentityForm):
    """How a tournament's prize is paid; from the reporting threshold with the cheque's number, to somebody known."""

    method = forms.ChoiceField(
        label="Paid by", choices=[(each, each.capitalize()) for each in ANY_GAME.methods], required=False
    )
    cheque_number = _text("Number of the cheque or transfer", 32)


class NominateForm(PageForm):
    scrutineer = forms.ChoiceField(label="Scrutineer")

    def __init__(self, *args: object, but: str, permission: str, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        able = queries.staff_with(permission)
        self.offer("scrutineer", [(each.identity, each.name) for each in able if each.identity != but])


class OnTheSpotForm(PageForm):
    username = _text("User name", 80, required=True)
    password = forms.CharField(label="Password", max_length=200, widget=forms.PasswordInput)
    code = forms.CharField(
        label="Code", max_length=8, widget=forms.TextInput(attrs={"inputmode": "numeric", "autocomplete": "off"})
    )


class ConditionsForm(PageForm):
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
    entries_a_player = forms.IntegerField(
        label="Entries a player", min_value=1, max_value=100, required=False, help_text="Left empty: one."
    )
    rebuys = forms.IntegerField(
        label="Rebuys of an entry", min_value=1, max_value=100, required=False, help_text="Left empty: none."
    )
    rebuy_price = MoneyInput(label="Price of a rebuy", required=False)
    rebuys_until = local_moment("Rebuys until", required=False)
    tables = _text("Tables", 200, hint="Like LP-01 LP-02. Left empty: nobody is seated.")
    seats_a_table = forms.IntegerField(label="Seats a table", min_value=1, max_value=100, required=False)
    heats = forms.IntegerField(label="Heats", min_value=1, max_value=100, required=False)
    of_each_heat = forms.IntegerField(
        label="Into the final, of each heat", min_value=1, max_value=100, required=False, help_text="Left empty: none."
    )
    best_of_rest = forms.IntegerField(
        label="And the best of all others", min_value=1, max_value=100, required=False, help_text="Left empty: none."
    )
    ties = forms.ChoiceField(
        label="Ties for the last place",
        required=False,
        choices=[("all", "All who tie are in"), ("play-off", "A play-off"), ("lot", "A lot, house and witness")],
    )
    final_tables = _text("Tables of the final", 200, hint="Left empty: nobody is seated.")
    final_seats_a_table = forms.IntegerField(label="Seats a table there", min_value=1, max_value=100, required=False)
    carries_over = forms.BooleanField(label="Scores of the heats count in the final, too", required=False)
    play = forms.CharField(
        label="How it is played and scored", max_length=4_000, widget=forms.Textarea(attrs={"rows": 4})
    )
    why = reason()

    def clean_prizes(self) -> list[int]:
        shares = []
        for each in self.cleaned_data["prizes"].replace(",", " ").split():
            if not re.fullmatch(r"\d{1,3}(\.\d{1,2})?", each, re.ASCII):
                raise forms.ValidationError("Write percentages with spaces between them, like 50 30 20 or 33.34.")
            shares.append(int(Decimal(each) * 100))
        return shares

    @property
    def new(self) -> dict[str, object]:
        new: dict[str, Any] = {
            "name": self.name.strip(),
            "game": self.game.strip(),
            "play": self.play.strip(),
            "entry_fee": str(self.entry_fee),
            "retained": int(self.retained * 100),
            "prizes": self.prizes,
            "closes_at": timezone.localtime(self.closes_at).isoformat(),
        }
        counts = {key: getattr(self, key) for key in ("most_entries", "entries_a_player", "seats_a_table", "heats")}
        new |= {key: value for key, value in counts.items() if value}
        if self.tables.split():
            new["tables"] = self.tables.split()
        final = self._final
        if final:
            new["final"] = final | {"ties": self.ties or "all"}
        if self.rebuys:
            new["rebuys"] = {
                "most": self.rebuys,
                "price": str(self.rebuy_price or ""),
                "until": timezone.localtime(self.rebuys_until).isoformat() if self.rebuys_until else "",
            }
        return new

    @property
    def _final(self) -> dict[str, object]:
        """What was said of a final, half of it too: the conditions are refused then, instead of having none."""
        given = {
            "of_each_heat": self.of_each_heat,
            "best_of_rest": self.best_of_rest,
            "tables": self.final_tables.split(),
            "seats_a_table": self.final_seats_a_table,
            "carries_over": self.carries_over,
        }
        return {key: value for key, value in given.items() if value}


class RebuyForm(IdentityForm):
    """Who buys in again, where the price asks for it."""
