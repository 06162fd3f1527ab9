"""Waits and voids are seen: figures for Prometheus every second, and an incident past a limit, once."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Final

from django.db import transaction
from django.utils import timezone

from draws.commit import lost_masters
from draws.incident_kinds import DRAW_WAITS, DRAWS_VOID, MASTER_LOST
from draws.waits import Wait, waiting
from house.gaming_days import latest_gaming_day
from house.incidents import close_by_itself, open_incident
from house.models import Incident, IncidentStatus
from kernel.actors import system
from kernel.locks import Lock, hold
from kernel.now_and_then import NowAndThen
from ledger.acts import AttemptVoid
from ledger.models import Act
from web import metrics

WATCHER: Final = system("draw-watch")
PATIENCE_SECONDS: Final = 15  # a draw takes less than two with a witness at hand
VOIDS_OF_A_DAY: Final = 1  # that nobody is alarmed by
LOOK: Final = NowAndThen(every_seconds=30)  # at what does not change by the second, and takes longer


def tick(now: datetime | None = None) -> None:
    now = now or timezone.now()
    watch_waits(now)
    if LOOK.is_time(now):
        watch_voids(now)
        watch_masters()


def watch_waits(now: datetime) -> None:
    """One open incident a purpose while something of it waits too long; closed when nothing does any more."""
    found = waiting()
    metrics.DRAWS_LONGEST_WAIT_SECONDS.set(max((wait.seconds(now) for wait in found), default=0.0))
    metrics.DRAWS_WAITING.set(len(found))
    late = [wait for wait in found if wait.seconds(now) > PATIENCE_SECONDS]
    open_now = Incident.objects.filter(kind=DRAW_WAITS, status=IncidentStatus.OPEN)
    by_purpose = groupby(sorted(late, key=lambda wait: wait.purpose), key=lambda wait: wait.purpose)
    waits = {_subject(purpose): list(of) for purpose, of in by_purpose}
    known = set(open_now.values_list("subject", flat=True)) if waits or open_now.exists() else set()
    for subject in waits.keys() - known:
        _open(subject, waits[subject])
    for subject in known - waits.keys():
        _close(subject)


def _subject(purpose: str) -> str:
    return f"draws:{purpose}"


@transaction.atomic
def _open(subject: str, waits: Iterable[Wait]) -> None:
    hold(Lock.WITNESS)  # two ticks may look at once
    if Incident.objects.filter(kind=DRAW_WAITS, subject=subject, status=IncidentStatus.OPEN).exists():
        return
    first, *others = sorted(waits, key=lambda wait: wait.since)
    also = f" So do {len(others)} others." if others else ""
    what = f"{first.sentence[0].upper()}{first.sentence[1:]} since {timezone.localtime(first.since):%H:%M:%S}.{also}"
    open_incident(kind=DRAW_WAITS, what=what, by=WATCHER, subject=subject, happened_at=first.since)


@transaction.atomic
def _close(subject: str) -> None:
    hold(Lock.WITNESS)
    for incident in Incident.objects.filter(kind=DRAW_WAITS, subject=subject, status=IncidentStatus.OPEN):
        close_by_itself(incident_id=incident.pk, outcome="Nothing waits any more.", by=WATCHER)


def watch_voids(now: datetime) -> None:
    """An incident on each gaming day that has more than one void attempt."""
    day = latest_gaming_day(now)
    if day is None:
        return
    voids = Act.objects.filter(kind=AttemptVoid.kind, day=day.date)
    count = voids.count()
    metrics.DRAWS_VOID.set(count)
    subject = f"voids:{day.date}"
    if count <= VOIDS_OF_A_DAY or Incident.objects.filter(kind=DRAWS_VOID, subject=subject).exists():
        return
    with transaction.atomic():
        hold(Lock.WITNESS)
        if not Incident.objects.filter(kind=DRAWS_VOID, subject=subject).exists():
            named = [AttemptVoid.read(data) for data in voids.order_by("id").values_list("data", flat=True)]
            what = "; ".join(f"{each.purpose} {each.occasion}, attempt {each.attempt}: {each.cause}" for each in named)
            open_incident(kind=DRAWS_VOID, what=f"{count} attempts were void: {what}.", by=WATCHER, subject=subject)


def watch_masters() -> None:
    """An incident while a master that is still needed does not open: an inspector gives it back."""
    found = lost_masters()
    if not found or Incident.objects.filter(kind=MASTER_LOST, status=IncidentStatus.OPEN).exists():
        return
    with transaction.atomic():
        hold(Lock.WITNESS)
        if not Incident.objects.filter(kind=MASTER_LOST, status=IncidentStatus.OPEN).exists():
            others = f", and {len(found) - 1} others" if len(found) > 1 else ""
            what = f"The master of {found[0]}{others} does not open: was the key draw-masters lost or exchanged?"
            open_incident(kind=MASTER_LOST, what=what, by=WATCHER, subject="draws:masters")


def ready() -> str:
    """For /readyz: how many draws wait. A draw that waits keeps no node from serving."""
    return f"{len(waiting())} waiting"
