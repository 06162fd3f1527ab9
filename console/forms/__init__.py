"""What the pages ask for. Forms read input and say what is missing; whether it is allowed, the verbs decide."""

from __future__ import annotations

from typing import Any

from django import forms

from house.refusal import Refusal


class Sheet(forms.Form):
    """A form whose errors are sentences, and that can carry a verb's refusal to the field it is about."""

    use_required_attribute = True
    # A verb's name for a field where the page has another.
    refused_as: dict[str, str] = {}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})
        self.refusal: Refusal | None = None
        for field in self.fields.values():
            field.error_messages["required"] = f"{field.label} is missing."

    def refuse(self, refusal: Refusal) -> None:
        """Show the refusal: beside its field where it names one of ours and no clause is behind it, else on top."""
        field = self.refused_as.get(refusal.field or "", refusal.field or "")
        if field in self.fields and not refusal.clause:
            self.add_error(field, refusal.detail)
        else:
            self.refusal = refusal
        self.status = refusal.status

    status: int = 422

    def say(self, field: str, words: str) -> None:
        self.add_error(field, words)


def reason(label: str = "Why", help_text: str = "One sentence. It stays on record.") -> forms.CharField:
    return forms.CharField(label=label, max_length=2000, help_text=help_text, widget=forms.Textarea(attrs={"rows": 3}))
