from __future__ import annotations

from typing import Any

from django import forms
from django.utils import timezone

from house.approvals import documents
from house.models import DOCUMENT_BYTES_LIMIT
from web.forms import PageForm


class LetterForm(PageForm):
    signed_by = forms.CharField(label="Signed by", max_length=120, help_text="The name under the letter.")
    office = forms.CharField(label="Office", max_length=160)
    reference = forms.CharField(label="Reference", max_length=80, help_text="The letter’s own.")
    dated = forms.DateField(label="Dated", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    document = forms.FileField(label="Document", help_text=documents.SAYS)

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **kwargs)
        self.fields["dated"].widget.attrs["max"] = timezone.localdate().isoformat()
        self.fields["dated"].error_messages["invalid"] = "Write the date like 2026-11-16."
        self.fields["document"].widget.attrs["accept"] = ",".join(documents.TYPES)

    def clean_document(self) -> bytes:
        """What it is, its content says: the verb looks."""
        given: Any = self.cleaned_data["document"]
        if given.size > DOCUMENT_BYTES_LIMIT:
            raise forms.ValidationError(f"The document has more than 5 MB. {documents.SAYS}")
        content: bytes = given.read()
        return content
