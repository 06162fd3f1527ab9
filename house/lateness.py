"""Illness is found, not only death (decision 20): what is late past its limit is one incident, closed when it is well.

Looked at by the house's tick and, because a worker that stands still sees nothing, by the web processes too
(``config/watch.py``); one of them all at a time.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.incident_kinds import LATE
from house.incidents import close_by_itself, open_incident
from house.models import Incident, IncidentStatus
from kernel import locks
from kernel.actors import system
from kernel.locks import Lock
from kernel.rooms import AtStake, Lateness, offered, offered_by
from web import metrics

WATCHER: Final = system("watch")


def measured(now: datetime) -> dict[str, tuple[Lateness, float, str]]:
    """How late each thing is, in seconds, and in words why it could not be asked."""
    found = {}
    for each in offered(Lateness):
        try:
            seconds, why = each.seconds(now), ""
        except Exception as error:  # whatever it is: nobody knows how late it is
            seconds, why = float("inf"), str(error).splitlines()[0] if str(error) else type(error).__name__
        found[each.name] = (each, max(seconds, 0.0), why)
        metrics.LATE_SECONDS.labels(what=each.name).set(min(max(seconds, 0.0), 1e9))
    return found


def note_at_stake() -> None:
    for room, each in offered_by(AtStake):
        metrics.AT_STAKE_DOLLARS.labels(room=room).set(each.now().micros / 1_000_000)


def watch(now: datetime | None = None) -> None:
    """Open what is past its limit and has no incident yet, close what is well again."""
    note_at_stake()
    found = measured(now or timezone.now())
    with transaction.atomic():
        if locks.try_hold(Lock.WATCH):
            _tell(found)


def _tell(found: dict[str, tuple[Lateness, float, str]]) -> None:
    open_ = {each.subject: each for each in Incident.objects.filter(kind=LATE, status=IncidentStatus.OPEN)}
    for name, (each, seconds, why) in found.items():
        incident = open_.get(f"late:{name}")
        if seconds > each.limit_seconds and incident is None:
            by_how_much = f"late by {seconds:,.0f} s" if not why else f"not known: {why}"
            open_incident(kind=LATE, what=f"{each.label}: {by_how_much}.", by=WATCHER, subject=f"late:{name}")
        elif seconds <= each.limit_seconds / 2 and incident is not None:
            close_by_itself(incident_id=incident.pk, outcome=f"{each.label}: well again.", by=WATCHER)
