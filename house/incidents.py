"""Incidents: what happened, who must be told by when, and the record of each telling."""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from house import people, steps
from house.gaming_days import latest_gaming_day
from house.incident_acts import IncidentClosed, IncidentNotReached, IncidentReported, IncidentTold, NoticeDue
from house.incident_kinds import due_at, kinds
from house.log import record_act
from house.models import Device, Incident, IncidentStatus, Notice, NoticeAttempt
from house.permissions import CLOSE_INCIDENTS, REPORT_INCIDENTS
from house.venue import zone
from kernel.actors import SYSTEM, Actor
from kernel.refusal import Conflict, NotFound, Refusal

# A telephone call takes a moment: a notice is overdue only when it is this much late.
GRACE: Final = timedelta(minutes=5)
# Clocks differ by seconds; anything further ahead has not happened yet.
_TOLERANCE: Final = timedelta(minutes=1)


@transaction.atomic
def report_incident(
    *, kind: str, what: str, by: Actor, happened_at: datetime | None = None, subject: str = "", rules: str = ""
) -> Incident:
    """What somebody has seen. He has not caused it by saying so."""
    by.require(REPORT_INCIDENTS)
    return open_incident(
        kind=kind, what=what, by=by, happened_at=happened_at, subject=subject, rules=rules, caused_by=()
    )


@transaction.atomic
def open_incident(
    *,
    kind: str,
    what: str,
    by: Actor,
    happened_at: datetime | None = None,
    subject: str = "",
    rules: str = "",
    caused_by: Collection[str] | None = None,
) -> Incident:
    """For verbs whose own right covers it (an early close is an incident whoever closes).

    *rules*: the document of the game, where the kind falls under other clauses in other games.
    *caused_by*: left out, whoever did what made it one. They do not close it, nor does whom it is about.
    """
    known = kinds().get(kind)
    if known is None:
        raise Refusal("no-such-kind", f"There is no kind of incident “{kind}”.", field="kind")
    what, subject, clause = what.strip(), subject.strip(), known.clause_in(rules.strip())
    if not what:
        raise Refusal("nothing-said", "Say what happened.", field="what")
    if len(subject) > 120:
        raise Refusal("subject-too-long", "The subject has at most 120 characters.", field="subject")
    now = timezone.now()
    happened_at = happened_at or now
    _refuse_future(happened_at, now=now, field="happened_at")
    incident = Incident.objects.create(
        kind=known.code,
        clause=clause,
        what=what,
        happened_at=happened_at,
        gaming_day=latest_gaming_day(min(happened_at, now)),
        subject=subject,
        concerns=_concerned(subject, _acting(by) if caused_by is None else caused_by),
        reported_by=by.identity,
        reported_at=now,
    )
    clock = zone()
    notices = Notice.objects.bulk_create(
        Notice(
            incident=incident,
            to=to,
            deadline=deadline,
            due_at=due_at(deadline, happened_at=happened_at, known_at=now, zone=clock),
        )
        for to, deadline in known.notices
    )
    reported = IncidentReported(
        incident=incident.pk,
        kind_=known.code,
        clause=clause,
        what=what,
        about=subject,
        happened_at=happened_at,
        notices=[NoticeDue(to=each.to, due_at=each.due_at) for each in notices if each.due_at],
    )
    record_act(reported, by=by)
    return incident


@transaction.atomic
def record_notice(
    *,
    incident_id: int,
    to: str,
    how: str,
    by: Actor,
    at: datetime | None = None,
    reached: bool = True,
    reference: str = "",
    notes: str = "",
) -> NoticeAttempt:
    """Keep one telling, or one attempt at it (nsw-csp:14.18 wants to know what was tried).

    The first that reaches the addressee settles what is owed; later ones are kept all the same. Somebody who need not
    have been told may be told as well: a patron, for one.
    """
    steps.refuse_notice(by)
    now = timezone.now()
    incident = _lock(incident_id)
    at = at or now
    to, how = to.strip(), how.strip()
    if not 0 < len(to) <= 64 or not 0 < len(how) <= 80 or len(reference) > 120:
        raise Refusal(
            "notice-incomplete", "Say who was told (up to 64 characters), how (80) and, if any, a reference (120)."
        )
    _refuse_future(at, now=now, field="at")
    if at < incident.happened_at:
        raise Refusal("told-before", "Nobody can be told of it before it happened.", field="at")
    notice, _ = Notice.objects.select_for_update().get_or_create(incident=incident, to=to)
    attempt = NoticeAttempt.objects.create(
        notice=notice, at=at, by=by.identity, how=how, reached=reached, reference=reference.strip(), notes=notes.strip()
    )
    if reached and (notice.told_at is None or at < notice.told_at):
        notice.told_at = at
        notice.save(update_fields=["told_at"])
    told = IncidentTold if reached else IncidentNotReached
    record_act(
        told(incident=incident.pk, to=to, how=how, at=at, reference=attempt.reference, notes=attempt.notes), by=by
    )
    return attempt


@transaction.atomic
def close_incident(*, incident_id: int, outcome: str, by: Actor) -> Incident:
    by.require(CLOSE_INCIDENTS)
    incident = _lock(incident_id)
    steps.refuse_incident_close(incident, by)
    if not outcome.strip():
        raise Refusal("outcome-missing", "Say what came of it.", field="outcome")
    owed = list(
        Notice.objects.filter(incident=incident, told_at=None, due_at__isnull=False).values_list("to", flat=True)
    )
    if owed:
        raise Conflict(
            "notice-owed", f"It cannot be closed yet: {' and '.join(owed)} must be told first.", clause=incident.clause
        )
    return _closed(incident, outcome=outcome, by=by)


@transaction.atomic
def close_by_itself(*, incident_id: int, outcome: str, by: Actor) -> Incident:
    """For what is over when its cause is, and of which nobody had to be told: the software closes it, and says so."""
    incident = _lock(incident_id)
    if incident.status == IncidentStatus.CLOSED or Notice.objects.filter(incident=incident).exists():
        return incident
    return _closed(incident, outcome=outcome, by=by)


@transaction.atomic
def close_decided(*, incident_id: int, outcome: str, by: Actor) -> Incident:
    """For verbs whose own right covers it: an inspector decides a dispute (act-keno:14.6), a hold is ended (14.3)."""
    incident = _lock(incident_id)
    if incident.status == IncidentStatus.CLOSED:
        return incident
    return _closed(incident, outcome=outcome, by=by)


def _closed(incident: Incident, *, outcome: str, by: Actor) -> Incident:
    incident.status, incident.outcome = IncidentStatus.CLOSED, outcome.strip()
    incident.closed_by, incident.closed_at = by.identity, timezone.now()
    incident.save(update_fields=["status", "outcome", "closed_by", "closed_at"])
    record_act(IncidentClosed(incident=incident.pk, outcome=incident.outcome), by=by)
    return incident


def overdue(*, now: datetime | None = None) -> QuerySet[Notice]:
    """Whoever should have been told by now, the longest overdue first."""
    late = (now or timezone.now()) - GRACE
    return Notice.objects.filter(told_at=None, due_at__lt=late).select_related("incident").order_by("due_at", "id")


def _acting(by: Actor) -> list[str]:
    return [by.identity, *([f"device:{by.device}"] if by.device else [])]


def _concerned(subject: str, caused_by: Collection[str]) -> list[str]:
    """Persons and devices, each in its one form. A subject may name one, however it is written."""
    found = {each for each in caused_by if not each.startswith(SYSTEM)}
    if subject:
        code = subject.upper().removeprefix("DEVICE:").strip()
        for device in Device.objects.select_related("holder").filter(code=code):
            found |= {f"device:{device.code}", device.identity}
        with suppress(NotFound):
            found.add(people.canonical(subject))
    return sorted(found)


def _lock(incident_id: int) -> Incident:
    incident = Incident.objects.select_for_update().filter(pk=incident_id).first()
    if incident is None:
        raise NotFound("no-such-incident", f"There is no incident {incident_id}.")
    return incident


def _refuse_future(moment: datetime, *, now: datetime, field: str) -> None:
    if moment.tzinfo is None:
        raise Refusal("time-without-zone", "Write the time with its offset from UTC.", field=field)
    if moment > now + _TOLERANCE:
        raise Refusal("not-happened-yet", "That time is still to come.", field=field)
