"""The rules of Keno for whoever asks, without a sign-in (14.10)."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from house.venue import venue
from keno.api.rules import rules_in_words
from web import gazetted


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    response = render(
        request,
        "keno/public_rules.html",
        {"venue": venue(), "gazetted": gazetted.parts("act-keno"), **rules_in_words()},
    )
    response.headers["Content-Security-Policy"] = (
        "default-src 'none'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-cache"
    return response
