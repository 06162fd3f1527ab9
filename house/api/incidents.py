"""Calls about incidents: reporting one, telling whoever must be told, closing it."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house import incidents
from house.models import Incident, IncidentStatus
from house.permissions import CLOSE_INCIDENTS, NOTIFY_INCIDENTS, REPORT_INCIDENTS, VIEW_INCIDENTS
from house.queries import all_incidents, incident_numbered
from kernel.actors import Actor
from web.fields import (
    Choice,
    DayField,
    InstantField,
    Nothing,
    QueryFlag,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    asked_for,
    shown,
)
from web.view import ByDay, HouseView, listing, read, verb


class AttemptOut(StrictSerializer):
    at = InstantField()
    by = Text()
    how = Text()
    reached = TrueOrFalse()
    reference = Text(allow_blank=True)
    notes = Text(allow_blank=True)


class NoticeOut(StrictSerializer):
    to = Text(help_text="Who is to be told.")
    deadline = Text(allow_blank=True)
    due_at = InstantField(allow_null=True)
    told_at = InstantField(allow_null=True)
    attempts = AttemptOut(many=True)


class IncidentOut(StrictSerializer):
    id = WholeNumber()
    kind = Text()
    clause = Text(allow_blank=True)
    what = Text()
    subject = Text(allow_blank=True)
    concerns = serializers.ListField(
        child=Text(), help_text="Whom it is about and who caused it: none of them closes it."
    )
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
            "concerns": [],
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
    overdue = QueryFlag(required=False, help_text="`true`: somebody should have been told by now; `false`: nobody.")


class IncidentIn(StrictSerializer):
    kind = Text(max_length=64)
    what = Text(max_length=4000, help_text="What happened.")
    happened_at = InstantField(required=False, help_text="Left out: now.")
    subject = Text(required=False, max_length=120, help_text="What it is about, such as `table:CSP-02`.")
    rules = Text(
        required=False,
        max_length=20,
        help_text="Under which game's rules, such as `act-bj`, where several games have a rule of it.",
    )
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
    reached = TrueOrFalse(default=True, help_text="`false` keeps an attempt that did not reach them.")
    reference = Text(required=False, max_length=120)
    notes = Text(required=False)
    example = shown({"to": "inspector", "how": "telephone", "reached": True, "reference": "call 4711"})


class CloseIn(StrictSerializer):
    outcome = Text(max_length=4000, help_text="What came of it.")
    example = shown({"outcome": "Shuffler replaced, hand played on by rule."})


class Incidents(HouseView):
    @listing(permission=VIEW_INCIDENTS, gives=IncidentOut, asks=IncidentsAsked)
    def get(self, by: Actor, asked: IncidentsAsked) -> QuerySet[Incident]:
        """Incidents, with whoever must be told of them."""
        columns = asked_for(status=asked.status, kind=asked.kind, gaming_day__date=asked.gaming_day)
        rows = all_incidents().filter(**columns)
        if asked.overdue is not None:
            late = incidents.overdue().order_by().values("incident_id")
            rows = rows.filter(pk__in=late) if asked.overdue else rows.exclude(pk__in=late)
        return rows

    @verb(permission=REPORT_INCIDENTS, takes=IncidentIn, gives=IncidentOut, status=201)
    def post(self, by: Actor, data: IncidentIn) -> Incident:
        """Report an incident.

        Who must be told of it, and by when, follows from its kind.
        """
        reported = incidents.report_incident(
            kind=data.kind,
            what=data.what,
            happened_at=data.happened_at,
            subject=data.subject or "",
            rules=data.rules or "",
            by=by,
        )
        return incident_numbered(reported.pk)


class OneIncident(HouseView):
    @read(permission=VIEW_INCIDENTS, gives=IncidentOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> Incident:
        """One incident."""
        return incident_numbered(id)


class Notices(HouseView):
    @verb(permission=NOTIFY_INCIDENTS, takes=NoticeIn, gives=IncidentOut, status=201)
    def post(self, by: Actor, data: NoticeIn, *, id: int) -> Incident:
        """Keep that somebody was told, or that it was tried."""
        attempt = incidents.record_notice(
            incident_id=id,
            to=data.to,
            how=data.how,
            at=data.at,
            reached=data.reached,
            reference=data.reference or "",
            notes=data.notes or "",
            by=by,
        )
        return incident_numbered(attempt.notice.incident_id)


class Close(HouseView):
    @verb(permission=CLOSE_INCIDENTS, takes=CloseIn, gives=IncidentOut)
    def post(self, by: Actor, data: CloseIn, *, id: int) -> Incident:
        """Close an incident. Whoever must be told of it is told first."""
        return incident_numbered(incidents.close_incident(incident_id=id, outcome=data.outcome, by=by).pk)
