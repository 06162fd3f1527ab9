"""Draws in the frame and on the home page: what waits, and what an inspector can do about it."""

from __future__ import annotations

from typing import Final

from django.urls import reverse
from django.utils import timezone

from draws.incident_kinds import MASTER_LOST
from draws.waits import Wait, waiting
from draws.watch import PATIENCE_SECONDS
from house.models import Incident, IncidentStatus
from house.permissions import AS_INSPECTOR
from kernel.actors import Actor
from web import frame, sections, words

LINES_SHOWN: Final = 3


def late() -> list[Wait]:
    now = timezone.now()
    return [wait for wait in waiting() if wait.seconds(now) > PATIENCE_SECONDS]


def _lines() -> list[frame.Line]:
    found = late()
    lines = [
        frame.Line(
            f"{wait.sentence[0].upper()}{wait.sentence[1:]} since {words.moment(wait.since)}.", "is-stopped", "wait"
        )
        for wait in found[:LINES_SHOWN]
    ]
    if len(found) > LINES_SHOWN:
        lines.append(frame.Line(f"{len(found) - LINES_SHOWN} other draws wait, too.", "is-stopped", "wait"))
    return lines


def _for_the_inspector(actor: Actor) -> list[frame.Item]:
    if not actor.may(AS_INSPECTOR):
        return []
    items = [
        frame.Item(
            icon="wait",
            tone="is-stopped",
            sentence=f"{wait.sentence[0].upper()}{wait.sentence[1:]}",
            state="Throw dice, or name a public round",
            second=f"since {words.moment(wait.since)}",
            url=reverse("console:draws-question", args=[wait.question]),
            action="Open",
        )
        for wait in late()[:LINES_SHOWN]
        if not wait.beacon
    ]
    return [*items, *_lost()]


def _lost() -> list[frame.Item]:
    """By its incident: to try every master for a page would take too long."""
    return [
        frame.Item(
            icon="lock",
            tone="is-stopped",
            sentence=incident.what,
            state="Give it back from escrow, with your offline key",
            second=f"since {words.moment(incident.happened_at)}",
            url=reverse("console:draws"),
            action="Open",
        )
        for incident in Incident.objects.filter(kind=MASTER_LOST, status=IncidentStatus.OPEN)
    ]


OFFERS: Final = (
    frame.NavigationGroup(
        72,
        sections.RECORDS,
        (
            frame.NavigationEntry(
                "Draws",
                "draws",
                "balls",
                help="Every draw is made by two parties: the house, and a witness with its own key. Here you see what "
                "was promised, asked and answered, and what is waiting. If the witness does not answer for long, "
                "an inspector can throw dice or name a public round in its place.",
                clauses=("act-keno:7.1",),
            ),
        ),
    ),
    frame.StatusLines(26, _lines),
    frame.Waiting(5, _for_the_inspector),
)
