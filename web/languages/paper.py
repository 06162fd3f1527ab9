"""In which language the house prints what it hands out: tickets and slips. What they carry in their codes, what is
hashed and what is signed is the same in every language."""

from __future__ import annotations

from django.conf import settings

from web.languages import ENGLISH
from web.languages.catalogue import catalogue


def on_paper(text: str) -> str:
    """A text of ours as it is printed."""
    language = settings.PAPER_LANGUAGE
    return text if language == ENGLISH else catalogue(language).say(text)
