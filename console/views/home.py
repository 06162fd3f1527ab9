from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from console import status as standing
from console import tonight, words
from console import waiting as waits
from console.calendar import Calendar
from console.page import Visit, page, show


@page()
def home(request: Visit) -> HttpResponseBase:
    hour = timezone.localtime().hour
    part = "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"
    items = waits.items(request.actor)
    return show(
        request,
        "console/home/home.html",
        greeting=f"Good {part}, {request.user.name.split()[0]}",
        summary=f"{words.count(len(items), 'thing waits', 'things wait')} for you." if items else "All quiet.",
        waiting=items,
        may_report=request.actor.may("incidents.report"),
        **_tonight(request),
    )


def _tonight(request: Visit) -> dict[str, Any]:
    """What is left out, this person has no right to see."""
    actor = request.actor
    jackpots = actor.may("jackpot.view")
    return {
        "game": tonight.game(),
        "meters": tonight.meters() if jackpots else [],
        "hits": tonight.hits() if jackpots else [],
        "facts": tonight.facts(actor),
        "may_see_keno": actor.may("keno.view"),
    }


@page(poll=True)
def live(request: Visit) -> HttpResponseBase:
    """The live part of the home page, every few seconds."""
    return render(request, "console/home/_tonight.html", _tonight(request) | {"calendar": Calendar()})


@page(poll=True)
def waiting(request: Visit) -> HttpResponseBase:
    items = waits.items(request.actor)
    may_report = request.actor.may("incidents.report")
    return render(request, "console/home/_waiting.html", {"waiting": items, "may_report": may_report})


@page(poll=True)
def status(request: Visit) -> HttpResponseBase:
    return render(request, "console/_status.html", {"status": standing.lines()})
