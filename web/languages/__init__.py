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
COMPLETE: Final = {"de": frozenset({"web", "console", "draws", "tournaments", "keno", "signage", "django"})}
# Of the others what they put into the frame around those pages: the rail, the status line, what needs attention.
IN_FRAME: Final = "pages/home.py"
# Home is put together from parts of every room.
NOT_YET: Final = frozenset({"console/home/home.html", "console/home/_tonight.html"})
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
    if "HX-Request" in request.headers:  # a part of a page is in the language of the page (language.js)
        of_page = request.headers.get("X-Language", ENGLISH)
        return of_page if of_page in LANGUAGES else ENGLISH
    person = getattr(request, "user", None)
    if person is not None and person.is_authenticated:
        return person.language if person.language in LANGUAGES else ENGLISH
    accepted = parse_accept_lang_header(request.headers.get("Accept-Language", "").lower())
    liked = (tag.partition("-")[0] for tag, quality in accepted if quality)
    return next((code for code in liked if code in LANGUAGES), ENGLISH)
