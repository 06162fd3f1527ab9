"""What the frame around every page shows: who is signed in, where he may go, how the house stands. A context processor.

Nothing is read before the template asks for it: a part that a page fetches by itself has no frame.
"""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.functional import SimpleLazyObject

from console.navigation import navigation
from house.calendar import Calendar
from house.middleware import WRITE_EVERY_SECONDS
from house.people import roles_in_words
from kernel.actors import Actor
from kernel.rooms import offered
from web.frame import Alert, Alerts, Item, Line, Scanned, StatusLines, Waiting, in_place


def frame(request: HttpRequest) -> dict[str, object]:
    actor, person = getattr(request, "actor", None), getattr(request, "user", None)
    framed: dict[str, object] = {"calendar": Calendar()}
    if actor is None or person is None or not person.is_authenticated:
        return framed
    return framed | {
        "person": SimpleLazyObject(lambda: {"name": person.name, "roles_in_words": roles_in_words(person)}),
        "navigation": SimpleLazyObject(lambda: navigation(actor, request.path)),
        "status": SimpleLazyObject(status_lines),
        "alerted": any(actor.may(part.hears) for part in offered(Alerts)),
        "scanned_url": _scanned_url(actor),
        # The house notes activity at most once a minute, so the true end may be that much sooner than a page thinks.
        "idle_seconds": int(settings.IDLE_TIMEOUT.total_seconds() - WRITE_EVERY_SECONDS),
    }


def status_lines() -> list[Line]:
    """Where the house stands now, in words."""
    return [line for part in in_place(StatusLines) for line in part.lines()]


def alerts_for(actor: Actor) -> list[Alert]:
    """What cannot wait, for this person's screen."""
    return [alert for part in in_place(Alerts) if actor.may(part.hears) for alert in part.now(actor)]


def waiting_for(actor: Actor) -> list[Item]:
    """What waits for this person."""
    return [item for part in in_place(Waiting) for item in part.items(actor)]


def _scanned_url(actor: Actor) -> str:
    """Where a slip held under a scanner leads; nowhere for somebody who may not look."""
    return next((reverse(f"console:{each.name}") for each in offered(Scanned) if actor.may(each.permission)), "")
