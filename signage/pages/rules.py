"""The rules of every game in our own words, for whoever asks: no login (nsw-csp:16.20, nsw-lp:14.14 and their like)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from signage import look
from signage.headers import for_everybody
from web import rulebook


@require_safe
def every_game(request: HttpRequest) -> HttpResponse:
    """Which rules there are."""
    return _shown(request, documents=[(code, title) for code, title, _ in rulebook.documents()])


@require_safe
def one_game(request: HttpRequest, document: str) -> HttpResponse:
    """What the house does by each clause of one game's rules."""
    found = next((each for each in rulebook.documents() if each[0] == document), None)
    if found is None:
        raise Http404("There are no such rules.")
    return _shown(request, title=found[1], clauses=found[2])


def _shown(request: HttpRequest, **context: object) -> HttpResponse:
    return for_everybody(request, render(request, "signage/rules.html", {"look": look.look(), **context}))
