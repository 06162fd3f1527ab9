from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone

from console import status as standing
from console import waiting as waits
from console import words
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
    )


@page(poll=True)
def waiting(request: Visit) -> HttpResponseBase:
    items = waits.items(request.actor)
    may_report = request.actor.may("incidents.report")
    return render(request, "console/home/_waiting.html", {"waiting": items, "may_report": may_report})


@page(poll=True)
def status(request: Visit) -> HttpResponseBase:
    return render(request, "console/_status.html", {"status": standing.lines()})
