"""The rules of every game, gazetted and in our own words, for whoever asks: no login (nsw-csp:16.20, nsw-lp:14.14 and
their like)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from signage import look
from signage.headers import for_everybody
from web import gazetted, rulebook


@require_safe
def every_game(request: HttpRequest) -> HttpResponse:
    """Which rules there are."""
    return _shown(request, documents=[(code, title) for code, title, _ in rulebook.documents()])


@require_safe
def one_game(request: HttpRequest, document: str) -> HttpResponse:
    """The rules of one game as gazetted, and what the house does by each clause."""
    found = next((each for each in rulebook.documents() if each[0] == document), None)
    if found is None:
        raise Http404("There are no such rules.")
    text = gazetted.parts(document) if gazetted.is_kept(document) else ()
    return _shown(request, title=found[1], clauses=found[2], gazetted=text)


def _shown(request: HttpRequest, **context: object) -> HttpResponse:
    return for_everybody(request, render(request, "signage/rules.html", {"look": look.look(), **context}))
