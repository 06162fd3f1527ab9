from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import redirect

from kernel.actors import Actor
from web import rulebook
from web.frame import Found, SearchIn, in_place
from web.lists import asked
from web.page import Visit, page, show


@page()
def rules(request: Visit) -> HttpResponseBase:
    query = asked(request, "q")
    return show(
        request,
        "console/rules/rules.html",
        documents=rulebook.documents(query),
        total=len(rulebook.clauses()),
        shown=len(rulebook.clauses().keys() & rulebook.shown_by_a_test()),
        query=query,
    )


@page()
def search(request: Visit) -> HttpResponseBase:
    """Serials first: what is named exactly opens at once. Only what this person may see is looked at."""
    query = asked(request, "q")
    found = _found(request.actor, query) if query else []
    if len(found) == 1:
        return redirect(found[0].url)
    return show(request, "console/search.html", search=query, found=found)


def _found(actor: Actor, query: str) -> list[Found]:
    places = in_place(SearchIn)
    for place in places:
        if place.exact and (named := place.find(actor, query)):
            return named
    return [each for place in places if not place.exact for each in place.find(actor, query)]
