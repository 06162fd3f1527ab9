from __future__ import annotations

import datetime as dt
from decimal import Decimal, InvalidOperation
from typing import Any, TypedDict

from django import forms

from house.pages.forms.cash import IdentityForm
from house.pages.forms.house import local_moment
from jackpot.adjust import CAUSES
from jackpot.claim import WHEN_WON
from jackpot.explain_disagreement import CAUSES as EXPLANATIONS
from jackpot.links import CODE
from jackpot.models import Hit, InstalmentMethod, Link, MeterDisagreement, PayoutMethod, Table
from jackpot.queries import open_links_but
from jackpot.rules.handpay import INSTALMENTS_LIMIT, equal_plan
from jackpot.rules.policies import Game
from jackpot.rules.pool import ROUNDS_PER_MINUTE_LIMIT
from jackpot.tables import BOXES_DEFAULT
from jackpot.terms import LinkTerms, write
from kernel.money import BASIS_POINTS, Money
from kernel.refusal import Refusal
from web.forms import PageForm, reason
from web.money_field import MoneyInput


class PayForm(IdentityForm):
    refused_as = IdentityForm.refused_as | {"reference": "payment_reference"}

    method = forms.ChoiceField(label="Paid by", choices=[(each, each.capitalize()) for each in Hit.Method.values])
    payment_reference = forms.CharField(
        label="Number", max_length=200, required=False, help_text="Of the cheque or the transfer."
    )
    surveillance = forms.CharField(label="Surveillance reference", max_length=200, required=False)


class PayInstalmentForm(IdentityForm):
    refused_as = IdentityForm.refused_as

    method = forms.ChoiceField(label="Paid by", choices=[(each, each.capitalize()) for each in InstalmentMethod.values])
    reference = forms.CharField(
        label="Number", max_length=200, required=False, help_text="Of the cheque or the transfer."
    )


class InstalmentsForm(PageForm):
    """Equal instalments of what a hit is owed, a number of months apart."""

    parts = forms.IntegerField(label="Instalments", min_value=2, max_value=INSTALMENTS_LIMIT, initial=12)
    first = forms.DateField(label="First on", widget=forms.DateInput(attrs={"type": "date"}))
    months = forms.IntegerField(label="Months from one to the next", min_value=1, max_value=12, initial=1)
    agreed = forms.CharField(
        label="Paper that the winner signed", max_length=200, help_text="Its number; never his name."
    )
    why = reason()

    def new(self, hit: Hit, owed: Money) -> dict[str, object]:
        plan = equal_plan(owed, parts=self.parts, first=self.first, months=self.months)
        dues = [{"due": each.due.isoformat(), "amount": str(each.amount)} for each in plan]
        return {"hit": hit.pk, "agreed": self.agreed, "instalments": dues}


class AdjustForm(PageForm):
    purse = forms.ChoiceField(label="Purse")
    sign = forms.ChoiceField(label="What", choices=[("+", "Add"), ("-", "Take out")])
    amount = MoneyInput(label="Amount")
    cause = forms.ChoiceField(label="Cause", choices=[(code, words.capitalize()) for code, words in CAUSES.items()])
    why = reason()

    def __init__(self, *args: object, purses: list[str], **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.offer("purse", [(each, each.capitalize()) for each in purses])

    @property
    def new(self) -> dict[str, str]:
        signed = -self.amount if self.sign == "-" else self.amount
        return {"purse": self.purse, "amount": str(signed), "cause": self.cause}


class Timing(TypedDict, total=False):
    """When a proposal takes effect; not said: as soon as it is approved."""

    condition: str
    effective_from: dt.datetime | None


class TermsForm(PageForm):
    """The figures of a link; its rules stay. Rates are percent of the wager, and the house keeps the rest."""

    wager = MoneyInput(label="Wager")
    bonus = MoneyInput(label="Bonus jackpot", required=False)
    reserve_rate = forms.DecimalField(label="Reserve, %", min_value=0, max_value=100, decimal_places=2)
    reimbursement_rate = forms.DecimalField(label="Reimbursement, %", min_value=0, max_value=100, decimal_places=2)
    contribution_limit = MoneyInput(
        label="Reject messages above $",
        required=False,
        help_text="The most that one message may bring. Leave empty for no limit.",
    )
    rounds_per_minute_limit = forms.IntegerField(
        label="Rounds a minute at most",
        min_value=1,
        max_value=ROUNDS_PER_MINUTE_LIMIT,
        required=False,
        help_text="What a table’s boxes cannot play is held. Leave empty for no limit.",
    )
    when = forms.ChoiceField(
        label="Takes effect",
        choices=[(WHEN_WON, "When the jackpot is won next"), ("now", "As soon as it is approved"), ("at", "At a time")],
    )
    effective_from = local_moment("From", required=False, help_text="Only for “at a time”.")
    why = reason()

    def __init__(self, *args: object, current: LinkTerms, **kwargs: object) -> None:
        self.current = current
        parameters = current.parameters
        initial: dict[str, Any] = {
            "wager": str(parameters.wager),
            "bonus": str(current.bonus),
            "reserve_rate": Decimal(parameters.reserve_rate) / 100,
            "reimbursement_rate": Decimal(parameters.reimbursement_rate) / 100,
            "contribution_limit": str(parameters.contribution_limit or ""),
            "rounds_per_minute_limit": parameters.rounds_per_minute_limit,
        }
        for level in parameters.levels:
            initial |= {
                f"{level.name}_rate": Decimal(level.increment_rate) / 100,
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
            self.fields[f"{level.name}_ceiling"] = MoneyInput(
                label=f"{named}: ceiling", required=current.rules.game is Game.MYSTERY
            )

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        if given.get("when") == "at" and not given.get("effective_from"):
            self.add_error("effective_from", "Say from when.")
        return given

    @property
    def levels(self) -> list[dict[str, object]]:
        return [
            {part: self[f"{level.name}_{part}"] for part in ("rate", "seed", "ceiling")}
            for level in self.current.parameters.levels
        ]

    @property
    def new(self) -> dict[str, object]:
        given = self.cleaned_data
        points = {
            "reserve_rate": int(self.reserve_rate * 100),
            "reimbursement_rate": int(self.reimbursement_rate * 100),
        }
        levels: list[dict[str, Any]] = [
            {
                "name": level.name,
                "increment_rate": int(given[f"{level.name}_rate"] * 100),
                "seed": str(given[f"{level.name}_seed"]),
                "ceiling": _or_none(given[f"{level.name}_ceiling"]),
            }
            for level in self.current.parameters.levels
        ]
        put_away = sum(points.values()) + sum(level["increment_rate"] for level in levels)
        return write(self.current) | points | {
            "wager": str(self.wager),
            "bonus": str(given.get("bonus") or Money(0)),
            "contribution_limit": _or_none(self.contribution_limit),
            "rounds_per_minute_limit": self.rounds_per_minute_limit,
            "levels": levels,
            "retained_rate": BASIS_POINTS - put_away,
        }  # fmt: skip

    @property
    def timing(self) -> Timing:
        return {
            "condition": WHEN_WON if self.when == WHEN_WON else "",
            "effective_from": self.effective_from if self.when == "at" else None,
        }


class NewLinkForm(TermsForm):
    """A new link: a code, a title, and the figures that its rules leave open."""

    code = forms.RegexField(CODE, label="Code", help_text="Up to 16 capitals, digits and dashes.")
    title = forms.CharField(label="Title", max_length=200)

    def __init__(self, *args: object, current: LinkTerms, **kwargs: object) -> None:
        super().__init__(*args, current=current, **kwargs)
        del self.fields["when"], self.fields["effective_from"]
        if not current.rules.pays_bonus:
            del self.fields["bonus"]

    def as_written(self) -> dict[str, object]:
        """The terms as far as they are entered; a refusal says what cannot be read."""
        self.full_clean()
        wrong = [name for name in self.errors if name not in ("code", "title", "why")]
        if wrong:
            raise Refusal("terms-invalid", f"{self.fields[wrong[0]].label}: {self.errors[wrong[0]][0]}", field=wrong[0])
        return self.new


def _or_none(amount: Money | None) -> str | None:
    return None if amount is None else str(amount)


class RetireForm(PageForm):
    into = forms.ChoiceField(label="What is in it goes to")
    why = reason()

    def __init__(self, *args: object, link: Link, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        others = open_links_but(link)
        self.offer("into", [(each.code, f"{each.code} {each.title}") for each in others])

    @property
    def new(self) -> dict[str, str]:
        return {"into": self.into}


class JoinForm(PageForm):
    """A table that joins a link."""

    refused_as: dict[str, str] = {"code": "table"}  # noqa: RUF012

    table = forms.RegexField(CODE, label="Code of the table", help_text="Up to 16 capitals, digits and dashes.")
    boxes = forms.IntegerField(label="Boxes", min_value=1, max_value=20, initial=BOXES_DEFAULT)


class MoveForm(PageForm):
    """Another link for a table."""

    link = forms.ChoiceField(label="To")

    def __init__(self, *args: object, table: Table, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.offer("link", [(each.code, f"{each.code} {each.title}") for each in open_links_but(table.link)])


class PayOutForm(PageForm):
    """To whom what is in a link goes when it ends, as the authority has directed."""

    direction = forms.CharField(label="Direction of the authority", max_length=200, help_text="Its reference.")
    payees = forms.CharField(
        label="Who gets what",
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One a line, percent first: 60 Problem gambling fund. Together 100. No person’s name.",
    )
    why = reason()

    def clean_payees(self) -> list[dict[str, object]]:
        found: list[dict[str, object]] = []
        for line in filter(str.strip, self.cleaned_data["payees"].splitlines()):
            share, _, to = line.strip().replace("%", " ", 1).partition(" ")
            try:
                points = Decimal(share) * 100
            except InvalidOperation:
                points = Decimal(0)
            if not to.strip() or not points.is_finite() or points <= 0 or points != points.to_integral_value():
                raise forms.ValidationError(f"“{line.strip()}” does not begin with a percentage, then who gets it.")
            found.append({"to": to.strip(), "share": int(points)})
        return found

    @property
    def new(self) -> dict[str, object]:
        return {"direction": self.direction, "payees": self.cleaned_data["payees"]}


class PayPayoutForm(PageForm):
    method = forms.ChoiceField(label="Paid by", choices=[(each, each.capitalize()) for each in PayoutMethod.values])
    reference = forms.CharField(label="Number", max_length=200, help_text="Of the cheque or the transfer.")


class ExplainForm(PageForm):
    """Why a table’s meter and what was counted differ."""

    cause = forms.ChoiceField(
        label="Cause", choices=[(code, words.capitalize()) for code, words in EXPLANATIONS.items()]
    )
    wagers = forms.IntegerField(
        label="Wagers to count now",
        min_value=0,
        initial=0,
        help_text="Only where wagers were made that nobody counted.",
    )
    why = reason()

    def __init__(self, *args: object, found: MeterDisagreement, **kwargs: object) -> None:
        self.found = found
        super().__init__(*args, **kwargs)

    @property
    def new(self) -> dict[str, object]:
        both = {"shown": self.found.shown, "counted": self.found.counted, "unseen": self.found.unseen}
        return {"disagreement": self.found.pk, "cause": self.cause, "wagers": self.wagers} | both
