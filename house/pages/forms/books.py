"""The general ledger's accounts and the duties, a line each: as an accountant would paste them from a sheet."""

from __future__ import annotations

import re
from typing import Final

from django import forms

from house.books.mapping import Books
from house.pages.forms.house import local_moment
from house.pages.forms.proposing import LATER
from web.forms import PageForm, reason

_ACCOUNT: Final = re.compile(r"(\S+)\s+(\S+)\s+(\S.*)")
_DUTY: Final = re.compile(r"(\S+)\s+(\d{1,2}|100)(?:\.(\d{1,2}))?%?")


class BooksForm(PageForm):
    refused_as = {"new": "accounts"}  # noqa: RUF012
    accounts = forms.CharField(
        label="Accounts",
        max_length=40_000,
        widget=forms.Textarea(attrs={"rows": 20, "class": "mono"}),
        help_text="A line each: our account or a family of them, the ledger’s account, its name. keno:cage 1110 Cage",
    )
    rounding = forms.CharField(
        label="Account for rounding to cents", max_length=16, widget=forms.TextInput(attrs={"class": "mono"})
    )
    duties = forms.CharField(
        label="Duty",
        max_length=2_000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 4, "class": "mono"}),
        help_text="A line each: the game and its per cent of the gaming revenue. keno 8.5%",
    )
    effective_from = local_moment("From when", required=False, help_text=LATER)
    why = reason()

    def __init__(self, *args: object, books: Books, **kwargs: object) -> None:
        initial = {
            "accounts": "\n".join(f"{each.pattern} {each.code} {each.name}" for each in books.accounts),
            "rounding": books.rounding,
            "duties": "\n".join(f"{each.game} {each.rate / 100:g}%" for each in books.duties),
        }
        super().__init__(*args, initial=initial, **kwargs)

    def clean_accounts(self) -> list[dict[str, object]]:
        found = _lines(self.cleaned_data["accounts"], _ACCOUNT, "keno:cage 1110 Cage")
        return [{"pattern": each[1], "code": each[2], "name": each[3].strip()} for each in found]

    def clean_duties(self) -> list[dict[str, object]]:
        found = _lines(self.cleaned_data["duties"], _DUTY, "keno 8.5%")
        return [{"game": each[1], "rate": int(each[2]) * 100 + int((each[3] or "").ljust(2, "0"))} for each in found]

    @property
    def new(self) -> dict[str, object]:
        return {"accounts": self.accounts, "rounding": self.rounding, "duties": self.duties}


def _lines(text: str, wanted: re.Pattern[str], example: str) -> list[re.Match[str]]:
    read = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if (found := wanted.fullmatch(line)) is None:
            raise forms.ValidationError(f"Write each line like “{example}”; this one is “{line}”.")
        read.append(found)
    return read
