"""In which language somebody reads. English is what the house writes, seals and answers; a page, a board, a printed
ticket is translated where it is shown, and nowhere before (decision 38).

The language of what is being shown is Django's active one (``django.utils.translation``).
"""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from django.utils import translation
from django.utils.translation.trans_real import parse_accept_lang_header

ENGLISH: Final = "en"
LANGUAGES: Final = {ENGLISH: "English", "de": "Deutsch"}
# The rooms whose every sentence has its translation: a page of another is shown in English, and whole.
COMPLETE: Final = {"de": frozenset({"web", "signage", "django"})}
ABROAD: Final = tuple(language for language in LANGUAGES if language != ENGLISH)


def spoken() -> str:
    """The language of what is shown just now."""
    language = translation.get_language() or ENGLISH
    return language if language in LANGUAGES else ENGLISH


def asked(request: HttpRequest) -> str:
    """What the address asks for (``?lang=de``, a board's); else what somebody signed in has chosen, or the browser."""
    named = request.GET.get("lang", "")
    if named in LANGUAGES:
        return named
    person = getattr(request, "user", None)
    if person is not None and person.is_authenticated:
        return person.language if person.language in LANGUAGES else ENGLISH
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())
    liked = (tag.partition("-")[0] for tag, quality in accepted if quality)
    return next((code for code in liked if code in LANGUAGES), ENGLISH)
