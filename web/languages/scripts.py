"""The catalogue for scripts: what they say is English too, and is recognised as it reaches the page (language.js)."""

from __future__ import annotations

import json
from functools import cache
from hashlib import sha256

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from web.languages import ENGLISH, LANGUAGES, po
from web.languages.catalogue import paths, patterns


@cache
def script(language: str) -> str:
    """``window.said``: whole sentences, and patterns with the places of what is put in, those with most words first."""
    entries = [entry for path in paths(language) for entry in po.read(path) if _is_for_scripts(entry)]
    whole = {entry.message: entry.says for entry in entries}
    said = {"whole": whole, "patterns": patterns(whole)}
    return f"window.said = {json.dumps(said, ensure_ascii=False, separators=(',', ':'))};\n"


def _is_for_scripts(entry: po.Entry) -> bool:
    by_scripts = not entry.where or any(place.endswith(".js") for place in entry.where)
    return bool(by_scripts and entry.says and not entry.context)


@cache
def hash_of(language: str) -> str:
    return sha256(script(language).encode()).hexdigest()[:16]


@require_safe
def said(request: HttpRequest, language: str) -> HttpResponse:
    if language not in LANGUAGES or language == ENGLISH:
        raise Http404("We do not speak that language.")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"}
    return HttpResponse(script(language), content_type="text/javascript; charset=utf-8", headers=headers)
