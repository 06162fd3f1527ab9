from __future__ import annotations

from django.http import HttpResponseBase
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString

from console.first_steps import first_steps, tour
from console.frame import alerts_for, status_lines, waiting_for
from house.steps import incidents_steps
from kernel.actors import Actor
from web import words
from web.frame import HomeFigures, Landing, in_place
from web.page import Visit, page, show


@page()
def arrive(request: Visit) -> HttpResponseBase:
    """After the sign-in: a writer to his terminal, a dealer to the table, everybody else home."""
    actor = request.actor
    places = (place for place in in_place(Landing) if actor.may(place.may) and not actor.may(place.unless))
    return redirect(f"console:{next((place.name for place in places), 'home')}")


@page()
def home(request: Visit) -> HttpResponseBase:
    hour = timezone.localtime().hour
    part = "morning" if 4 <= hour < 12 else "afternoon" if 12 <= hour < 18 else "evening"
    items = waiting_for(request.actor)
    return show(
        request,
        "console/home/home.html",
        greeting=f"Good {part}, {request.user.name.split()[0]}",
        summary=_summary(len(items)),
        waiting=items,
        steps=incidents_steps(request.actor),
        sections=_sections(request.actor),
        first_steps=first_steps(request.actor),
        tour=tour(request.actor.identity),
    )


def _sections(actor: Actor) -> list[SafeString]:
    """What each room shows of itself. What is left out, this person may not see, or there is none."""
    found = ((part.template, part.figures(actor)) for part in in_place(HomeFigures))
    return [render_to_string(template, dict(figures)) for template, figures in found if figures is not None]


def _summary(items: int) -> str:
    return f"{words.count(items, 'thing needs', 'things need')} your attention." if items else "All quiet."


@page(poll=True)
def live(request: Visit) -> HttpResponseBase:
    """The live part of the home page, every few seconds."""
    return render(request, "console/home/_tonight.html", {"sections": _sections(request.actor)})


@page(poll=True)
def waiting(request: Visit) -> HttpResponseBase:
    shown = {"waiting": waiting_for(request.actor), "steps": incidents_steps(request.actor)}
    return render(request, "console/home/_waiting.html", shown)


@page(poll=True)
def alerts(request: Visit) -> HttpResponseBase:
    return render(request, "web/_alerts.html", {"alerts": alerts_for(request.actor)})


@page(poll=True)
def status(request: Visit) -> HttpResponseBase:
    return render(request, "web/_status.html", {"status": status_lines()})
