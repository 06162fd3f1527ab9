"""Calls about incidents: reporting one, telling whoever must be told, closing it."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from house import incidents
from house.actors import Actor
from house.api.fields import Choice, DayField, InstantField, StrictSerializer, Text, Truth, Whole, shown
from house.api.view import ByDay, HouseView, Truthy, listing, read, verb
from house.models import Incident, IncidentStatus, NoticeAttempt
from house.refusal import NotFound


class AttemptOut(StrictSerializer):
    at = InstantField()
    by = Text()
    how = Text()
    reached = Truth()
    reference = Text(allow_blank=True)
    notes = Text(allow_blank=True)


class NoticeOut(StrictSerializer):
    to = Text(help_text="Who is to be told.")
    deadline = Text(allow_blank=True)
    due_at = InstantField(allow_null=True)
    told_at = InstantField(allow_null=True)
    attempts = AttemptOut(many=True)


class IncidentOut(StrictSerializer):
    id = Whole()
    kind = Text()
    clause = Text(allow_blank=True)
    what = Text()
    subject = Text(allow_blank=True)
    happened_at = InstantField()
    gaming_day = DayField(source="gaming_day.date", allow_null=True, default=None)
    reported_by = Text()
    reported_at = InstantField()
    status = Choice(choices=IncidentStatus.values)
    notices = NoticeOut(many=True, help_text="Who must be told, by when, and what was done about it.")
    closed_by = Text(allow_null=True)
    closed_at = InstantField(allow_null=True)
    outcome = Text(allow_blank=True)
    example = shown(
        {
            "id": 12,
            "kind": "equipment-malfunction",
            "clause": "nsw-csp:14.15",
            "what": "The shuffler at CSP-02 stopped in the middle of a shuffle.",
            "subject": "table:CSP-02",
            "happened_at": "2026-11-16T21:04:00+11:00",
            "gaming_day": "2026-11-16",
            "reported_by": "device:T-0002",
            "reported_at": "2026-11-16T21:04:10+11:00",
            "status": "open",
            "notices": [
                {
                    "to": "inspector",
                    "deadline": "immediately",
                    "due_at": "2026-11-16T21:04:00+11:00",
                    "told_at": None,
                    "attempts": [],
                }
            ],
            "closed_by": None,
            "closed_at": None,
            "outcome": "",
        }
    )


class IncidentsAsked(ByDay):
    status = Choice(choices=IncidentStatus.values, required=False)
    kind = Text(required=False, max_length=64)
    overdue = Truthy(required=False, help_text="`true`: somebody should have been told by now; `false`: nobody.")


class IncidentIn(StrictSerializer):
    kind = Text(max_length=64)
    what = Text(max_length=4000, help_text="What happened.")
    happened_at = InstantField(required=False, help_text="Left out: now.")
    subject = Text(required=False, max_length=120, help_text="What it is about, such as `table:CSP-02`.")
    example = shown(
        {
            "kind": "equipment-malfunction",
            "what": "The shuffler at CSP-02 stopped in the middle of a shuffle.",
            "subject": "table:CSP-02",
        }
    )


class NoticeIn(StrictSerializer):
    to = Text(max_length=64, help_text="Who was told.")
    how = Text(max_length=80, help_text="By telephone, in person, …")
    at = InstantField(required=False, help_text="Left out: now.")
    reached = Truth(default=True, help_text="`false` keeps an attempt that did not reach them.")
    reference = Text(required=False, max_length=120)
    notes = Text(required=False)
    example = shown({"to": "inspector", "how": "telephone", "reached": True, "reference": "call 4711"})


class CloseIn(StrictSerializer):
    outcome = Text(max_length=4000, help_text="What came of it.")
    example = shown({"outcome": "Shuffler replaced, hand played on by rule."})


def _rows() -> QuerySet[Incident]:
    return Incident.objects.select_related("gaming_day").prefetch_related("notices__attempts")


def _find(id: int) -> Incident:
    found = _rows().filter(pk=id).first()
    if found is None:
        raise NotFound("no-such-incident", f"There is no incident {id}.")
    return found


class Incidents(HouseView):
    @listing(permission="incidents.view", gives=IncidentOut, asks=IncidentsAsked)
    def get(self, by: Actor, asked: dict[str, Any]) -> QuerySet[Incident]:
        """Incidents, with whoever must be told of them."""
        rows = _rows()
        for name in asked.keys() & {"status", "kind"}:
            rows = rows.filter(**{name: asked[name]})
        if "gaming_day" in asked:
            rows = rows.filter(gaming_day__date=asked["gaming_day"])
        if "overdue" in asked:
            late = incidents.overdue().order_by().values("incident_id")
            rows = rows.filter(pk__in=late) if asked["overdue"] else rows.exclude(pk__in=late)
        return rows

    @verb(permission="incidents.report", takes=IncidentIn, gives=IncidentOut, status=201)
    def post(self, by: Actor, data: dict[str, Any]) -> Incident:
        """Report an incident.

        Who must be told of it, and by when, follows from its kind.
        """
        return _find(incidents.report_incident(by=by, **data).pk)


class OneIncident(HouseView):
    @read(permission="incidents.view", gives=IncidentOut)
    def get(self, by: Actor, asked: dict[str, Any], *, id: int) -> Incident:
        """One incident."""
        return _find(id)


class Notices(HouseView):
    @verb(permission="incidents.notify", takes=NoticeIn, gives=IncidentOut, status=201)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Incident:
        """Keep that somebody was told, or that it was tried."""
        attempt: NoticeAttempt = incidents.record_notice(incident_id=id, by=by, **data)
        return _find(attempt.notice.incident_id)


class Close(HouseView):
    @verb(permission="incidents.close", takes=CloseIn, gives=IncidentOut)
    def post(self, by: Actor, data: dict[str, Any], *, id: int) -> Incident:
        """Close an incident. Whoever must be told of it is told first."""
        return _find(incidents.close_incident(incident_id=id, by=by, **data).pk)
