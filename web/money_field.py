from __future__ import annotations

from typing import Any

from django import forms

from kernel.money import Money


class MoneyInput(forms.CharField):
    """Dollars as people type them: 12, 12.5, $1,200.00. What is stored is exact."""

    def __init__(self, **options: Any) -> None:
        widget = forms.TextInput(attrs={"inputmode": "decimal", "placeholder": "0.00", "autocomplete": "off"})
        super().__init__(max_length=20, **{"widget": widget} | options)

    def clean(self, value: object) -> Money | None:
        text = super().clean(value).replace("$", "").replace(",", "").strip()
        if not text:
            return None
        whole, point, cents = text.partition(".")
        try:
            amount = Money.parse(f"{whole or '0'}.{cents:0<2}" if point else f"{text}.00")
        except ValueError:
            raise forms.ValidationError("Write dollars and cents, like 12.50.") from None
        if amount.micros < 0:
            raise forms.ValidationError("An amount cannot be negative.")
        return amount
