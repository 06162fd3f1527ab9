"""What a page's form gives its view: what was written, by the field's name, and nothing before it is valid."""

from __future__ import annotations

import datetime as dt

import pytest
from django import forms

from kernel.money import Money
from web.forms import PageForm
from web.money_field import MoneyInput


class OfferForm(PageForm):
    price = MoneyInput(label="Price")
    discount = MoneyInput(label="Discount", required=False)
    note = forms.CharField(label="Note", required=False)
    until = forms.DateField(label="Until", required=False)
    days = forms.CharField(label="Days")

    def clean_days(self) -> list[int]:
        return [int(each) for each in self.cleaned_data["days"].split()]


def test_what_was_written_is_an_attribute() -> None:
    form = OfferForm({"price": "12.50", "days": "1 2", "until": "2026-11-16"})
    assert form.is_valid()
    # mypy holds the types of these five: the fields' own, with None where they may be left empty and are no text.
    price: Money = form.price
    discount: Money | None = form.discount
    note: str = form.note
    until: dt.date | None = form.until
    days: list[int] = form.days
    assert (str(price), discount, note, until, days) == ("12.50", None, "", dt.date(2026, 11, 16), [1, 2])


def test_what_is_not_valid_is_not_there() -> None:
    form = OfferForm({"price": "much", "days": "1"})
    with pytest.raises(AttributeError):
        form.days  # noqa: B018  nothing was looked at yet
    assert not form.is_valid()
    with pytest.raises(AttributeError, match="holds no valid price"):
        form.price  # noqa: B018
    assert form.days == [1]
    assert form["price"].errors == ["Write dollars and cents, like 12.50."]
