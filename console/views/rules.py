from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q
from django.http import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse

from console import incidents, rulebook, words
from console.page import Visit, page, show
from console.tables import asked
from console.views.keno.tickets import serial_in
from house.models import Device, Incident, Staff
from keno.models import Game, Ticket
from keno.permissions import SEE


@page()
def rules(request: Visit) -> HttpResponseBase:
    query = asked(request, "q")
    return show(
        request,
        "console/rules/rules.html",
        documents=rulebook.documents(query),
        total=len(rulebook.clauses()),
        query=query,
    )


@dataclass(frozen=True, slots=True)
class Found:
    icon: str
    title: str
    second: str
    url: str


@page()
def search(request: Visit) -> HttpResponseBase:
    """Serials first: what is named exactly opens at once. Only what this person may see is looked at."""
    query = asked(request, "q")
    found = _found(request, query) if query else []
    if len(found) == 1:
        return redirect(found[0].url)
    return show(request, "console/search.html", search=query, found=found)


def _is_number(query: str) -> bool:
    return query.isascii() and query.isdigit() and len(query) < 18


def _found(request: Visit, query: str) -> list[Found]:
    found: list[Found] = []
    if query in rulebook.clauses():
        return [Found("rules", query, rulebook.says(query), f"{reverse('console:rules')}#{query}")]
    if request.actor.may(SEE) and (ticket := Ticket.objects.filter(serial=serial_in(query)).first()):
        url = reverse("console:keno-ticket", args=[ticket.serial])
        return [Found("ticket", f"Ticket {words.in_fours(ticket.serial)}", words.moment(ticket.sold_at), url)]
    if request.actor.may(SEE) and _is_number(query) and (game := Game.objects.filter(number=int(query)).first()):
        found.append(
            Found("balls", f"Game {query}", words.label(game.status), reverse("console:keno-game", args=[game.number]))
        )
    if request.actor.may("devices.view"):
        machines = Device.objects.filter(
            Q(code__iexact=query) | Q(name__icontains=query) | Q(place__icontains=query)
        ).order_by("code")[:20]
        found += [
            Found(
                "devices",
                f"{each.code} {each.name}",
                words.label(each.kind),
                reverse("console:device", args=[each.code]),
            )
            for each in machines
        ]
    if request.actor.may("staff.view"):
        people = Staff.objects.filter(Q(username__iexact=query) | Q(name__icontains=query)).order_by("name")[:20]
        found += [
            Found("staff", each.name, each.username, reverse("console:person", args=[each.username])) for each in people
        ]
    if request.actor.may("incidents.view"):
        numbered = Q(pk=int(query)) if _is_number(query) else Q()
        matching = Q(what__icontains=query) | Q(subject__icontains=query)
        for each in Incident.objects.filter(matching | numbered if numbered else matching)[:20]:
            found.append(
                Found(
                    "incidents",
                    f"Incident {each.pk}: {incidents.title(each.kind)}",
                    words.moment(each.happened_at),
                    reverse("console:incident", args=[each.pk]),
                )
            )
    if len(query) > 2:
        wanted = query.casefold()
        matches = [c for c in rulebook.clauses().values() if wanted in f"{c.id} {c.what}".casefold()]
        found += [Found("rules", c.id, c.what, f"{reverse('console:rules')}#{c.id}") for c in matches[:20]]
    return found
