"""What an inspector writes where a draw cannot go on."""

from __future__ import annotations

from django import forms

from web.forms import PageForm


def _why() -> forms.CharField:
    return forms.CharField(label="Why", max_length=400, help_text="A sentence. It stays on record.")


class DiceForm(PageForm):
    dice = forms.CharField(
        label="Throws", max_length=400, help_text="Fifty throws of a die or more, one digit from 1 to 6 each."
    )
    why = _why()


class RoundForm(PageForm):
    round = forms.IntegerField(label="Round of drand’s quicknet", min_value=1, help_text="Still to come.")
    why = _why()


class MasterForm(PageForm):
    master = forms.CharField(label="Master", max_length=64, help_text="As python -m witness.escrow open prints it.")
    why = _why()
