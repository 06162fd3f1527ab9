from __future__ import annotations

from django import forms

from web.forms import PageForm


def _user_name() -> forms.CharField:
    attrs = {"autofocus": True, "autocomplete": "username", "autocapitalize": "off", "spellcheck": "false"}
    return forms.CharField(label="User name", max_length=64, widget=forms.TextInput(attrs=attrs))


class SignInForm(PageForm):
    username = _user_name()
    password = forms.CharField(
        label="Password",
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class CodeForm(PageForm):
    code = forms.CharField(
        label="Code",
        max_length=16,
        widget=forms.TextInput(
            attrs={"class": "code", "autofocus": True, "inputmode": "numeric", "autocomplete": "one-time-code"}
        ),
    )


class _OwnPassword(PageForm):
    """A password that somebody chooses for himself, twice the same."""

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

    def clean(self) -> dict[str, object]:
        given = super().clean() or {}
        if "new" in given and "again" in given and given["new"] != given["again"]:
            self.add_error("again", "The two new passwords differ.")
        return given


class PasswordForm(_OwnPassword):
    current = forms.CharField(
        label="Present password",
        max_length=256,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password", "autofocus": True}),
    )
    field_order = ("current", "new", "again")


def _half(label: str) -> forms.CharField:
    attrs = {"class": "mono", "autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}
    return forms.CharField(label=label, max_length=40, widget=forms.TextInput(attrs=attrs))


class HalvesForm(_OwnPassword):
    username = _user_name()
    first = _half("One half of the code")
    second = _half("The other half")
    field_order = ("username", "first", "second", "new", "again")


class InspectorForm(_OwnPassword):
    code = forms.CharField(
        label="The code of your authority",
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "class": "mono", "autofocus": True, "spellcheck": "false"}),
    )
    field_order = ("code", "new", "again")
