from __future__ import annotations

from django import forms

from house.queries import roles_of_people
from house.staff import APPROVED_ROLES
from web.forms import PageForm, reason


class HireForm(PageForm):
    name = forms.CharField(label="Name", max_length=120, widget=forms.TextInput(attrs={"autofocus": True}))
    username = forms.CharField(
        label="User name",
        max_length=32,
        help_text="Small letters, digits, dots and dashes. It never changes: the ledger knows people by it.",
        widget=forms.TextInput(attrs={"autocapitalize": "off", "autocomplete": "off", "spellcheck": "false"}),
    )
    roles = forms.MultipleChoiceField(
        label="Roles at once",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Roles that give power over others are proposed afterwards and need a second person.",
    )

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        handed_out = roles_of_people().exclude(code__in=APPROVED_ROLES)
        self.offer("roles", [(role.code, role.name) for role in handed_out])


class RolesForm(PageForm):
    """A proposal, not a change: somebody else approves it."""

    roles = forms.MultipleChoiceField(label="Roles", required=False, widget=forms.CheckboxSelectMultiple)
    effective_from = forms.DateTimeField(
        label="From when",
        required=False,
        help_text="Empty: as soon as it is approved. In the venue’s time.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
    )
    why = reason()

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        posts = roles_of_people()
        self.offer("roles", [(role.code, role.name) for role in posts])
