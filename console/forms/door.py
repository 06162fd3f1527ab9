from __future__ import annotations

from typing import Any

from django import forms

from console.forms import Sheet


class SignInForm(Sheet):
    username = forms.CharField(
        label="User name",
        max_length=64,
        widget=forms.TextInput(
            attrs={"autofocus": True, "autocomplete": "username", "autocapitalize": "off", "spellcheck": "false"}
        ),
    )
    password = forms.CharField(
        label="Password",
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class CodeForm(Sheet):
    code = forms.CharField(
        label="Code",
        max_length=16,
        widget=forms.TextInput(
            attrs={"class": "code", "autofocus": True, "inputmode": "numeric", "autocomplete": "one-time-code"}
        ),
    )


class PasswordForm(Sheet):
    current = forms.CharField(
        label="Present password",
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )
    new = forms.CharField(
        label="New password",
        max_length=256,
        strip=False,
        help_text="At least twelve characters. A few words that belong to nobody else are good.",
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )
    again = forms.CharField(
        label="New password again",
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if "new" in given and "again" in given and given["new"] != given["again"]:
            self.add_error("again", "The two new passwords differ.")
        return given
