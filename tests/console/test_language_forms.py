"""What a form is filled with is what it is sent with, in every language: only what people read is rewritten."""

from __future__ import annotations

import datetime as dt
import json
from decimal import Decimal
from pathlib import Path

import pytest
from django import forms
from django.utils import translation

from web.languages.german import figures

EXAMPLES = json.loads((Path(__file__).parents[1] / "world" / "german_figures.json").read_text())


class Everything(forms.Form):
    day = forms.DateField(initial=dt.date(2026, 11, 16))
    at = forms.DateTimeField(initial="2026-11-16 21:04")
    time = forms.TimeField(initial=dt.time(21, 4))
    amount = forms.DecimalField(initial=Decimal("1590.50"))
    count = forms.IntegerField(initial=1380688)
    choice = forms.ChoiceField(choices=[("open", "No game is open"), ("x", "Sunita Rao")])
    browsers = forms.CharField(widget=forms.TextInput(attrs={"autocomplete": "off", "placeholder": "No game is open"}))


@pytest.mark.parametrize(("english", "german"), EXAMPLES)
def test_a_figure_in_german(english: str, german: str) -> None:
    assert figures(english) == german
    assert figures(german) == german


def test_values_are_the_same_in_every_language_and_words_are_not() -> None:
    english = str(Everything())
    with translation.override("de"):
        german = str(Everything())
    assert '<option value="open">Kein Spiel ist offen</option>' in german
    assert '<option value="x">Sunita Rao</option>' in german
    assert 'placeholder="Kein Spiel ist offen"' in german
    back = german.replace("Kein Spiel ist offen", "No game is open")
    assert back == english


@pytest.mark.django_db
def test_what_is_sent_is_read_alike() -> None:
    sent = {"day": "2026-11-16", "at": "2026-11-16 21:04", "time": "21:04", "amount": "1590.50", "count": "1380688"}
    sent |= {"choice": "open", "browsers": "x"}
    english = Everything(sent)
    assert english.is_valid(), english.errors.as_json()
    with translation.override("de"):
        german = Everything(sent)
        assert german.is_valid()
        assert not Everything(sent | {"amount": "1.590,50"}).is_valid()
    assert german.cleaned_data == english.cleaned_data
