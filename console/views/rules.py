from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpResponseBase
from django.shortcuts import redirect, render

from console.navigation import navigation
from kernel.actors import Actor
from web import rulebook
from web.frame import Found, SearchIn, in_place
from web.glossary import chapters
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
def glossary(request: Visit) -> HttpResponseBase:
    return show(request, "console/glossary.html", chapters=chapters())


@page()
def search(request: Visit) -> HttpResponseBase:
    """Serials first: what is named exactly opens at once. Only what this person may see is looked at."""
    query = asked(request, "q")
    groups = _found(request.actor, query)
    if "X-Palette" in request.headers:
        return render(request, "console/_found.html", {"search": query, "groups": groups})
    found = [each for group in groups for each in group.found]
    if query and len(found) == 1:
        return redirect(found[0].url)
    return show(request, "console/search.html", search=query, groups=groups if query else [], count=len(found))


@dataclass(frozen=True, slots=True)
class Group:
    title: str
    found: list[Found]


def _found(actor: Actor, query: str) -> list[Group]:
    """In the order of their places, rules last; nothing typed: where one may go."""
    if not query:
        places = navigation(actor, "/").places
        return [Group("Pages", [Found(each.icon, each.title, f"g {each.key}", each.url) for each in places])]
    parts = in_place(SearchIn)
    for part in parts:
        if part.exact and (named := part.find(actor, query)):
            return [Group(part.group, named)]
    groups: dict[str, list[Found]] = {}
    for part in parts:
        if not part.exact and (named := part.find(actor, query)):
            groups.setdefault(part.group, []).extend(named)
    return [Group(title, found) for title, found in groups.items()]
