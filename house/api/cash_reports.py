"""Calls about cash of every room: threshold reports, files for the authority, what looks like structuring."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers

from house.cash import files, queries, threshold
from house.models import Structuring, ThresholdReport, Way
from house.permissions import REPORT_FILES, REPORT_THRESHOLD, REPORTS
from kernel.actors import Actor
from web.fields import (
    Choice,
    DayField,
    InstantField,
    MoneyField,
    Nothing,
    StrictSerializer,
    Text,
    TrueOrFalse,
    WholeNumber,
    shown,
)
from web.files import FileAnswer
from web.view import ByDay, HouseView, listing, read, verb


class CashLineOut(StrictSerializer):
    id = WholeNumber()
    at = InstantField()
    what = Text(help_text="What it was paid for.")
    reference = Text()
    amount = MoneyField(help_text="All of it, however it was paid.")
    cash = MoneyField()
    by = Text()

    def to_representation(self, instance: Any) -> dict[str, object]:
        instance.what = queries.kind_of(instance).label
        return super().to_representation(instance)


class CashReportOut(StrictSerializer):
    id = WholeNumber()
    room = Text()
    what = Text(help_text="The kind of payment that reached the limit, within its room.")
    reference = Text()
    direction = Choice(choices=Way.values, source="way", help_text="`out`: paid by the house; `in`: taken by it.")
    cash = MoneyField(help_text="Of all its payments together.")
    gaming_day = DayField(source="day")
    made_at = InstantField()
    made_by = Text()
    due_at = InstantField(help_text="From this moment on it is overdue.")
    overdue = serializers.SerializerMethodField()
    sent_at = InstantField(source="reported_at", allow_null=True)
    sent_by = Text(source="reported_by", allow_null=True)
    reference_of_authority = Text(source="sent_reference", allow_blank=True)
    example = shown(
        {
            "id": 2,
            "room": "keno",
            "what": "ticket",
            "reference": "7K2MX0Q4RT9B",
            "direction": "out",
            "cash": "25000.00",
            "gaming_day": "2026-11-16",
            "made_at": "2026-11-16T21:04:00+11:00",
            "made_by": "device:W-0001",
            "due_at": "2026-12-01T00:00:00+11:00",
            "overdue": False,
            "sent_at": None,
            "sent_by": None,
            "reference_of_authority": "",
        }
    )

    def get_overdue(self, report: Any) -> bool:
        return report.reported_at is None and bool(report.due_at <= timezone.now())


class OneCashReportOut(CashReportOut):
    identity = serializers.DictField(source="shown_identity", help_text="Empty without the right to see who it was.")
    payments = CashLineOut(many=True, source="lines.all")
    example = shown({**CashReportOut.example, "identity": {}, "payments": []})


class ReportsAsked(ByDay):
    state = Choice(choices=list(queries.STATES), required=False)


class Reports(HouseView):
    @listing(permission=REPORTS, gives=CashReportOut, asks=ReportsAsked)
    def get(self, by: Actor, asked: ReportsAsked) -> QuerySet[ThresholdReport]:
        """Threshold reports of every room, with when each is due; not those that may be about yourself."""
        now = timezone.now()
        return queries.reports_seen_by(by, state=asked.state, day=asked.gaming_day, now=now)


class OneReport(HouseView):
    @read(permission=REPORTS, gives=OneCashReportOut)
    def get(self, by: Actor, asked: Nothing, *, id: int) -> ThresholdReport:
        """One threshold report, with the payments that it covers."""
        return queries.report_numbered(id, by)


class ReportSentIn(StrictSerializer):
    reference = Text(max_length=threshold.REFERENCE_CHARACTERS_LIMIT, help_text="From the authority’s receipt.")
    example = shown({"reference": "TTR-2026-00412"})


class Sent(HouseView):
    @verb(permission=REPORT_THRESHOLD, takes=ReportSentIn, gives=CashReportOut)
    def post(self, by: Actor, data: ReportSentIn, *, id: int) -> ThresholdReport:
        """Note that a threshold report went to the authority, once; never by who paid."""
        return threshold.report_sent(report_id=id, reference=data.reference, by=by)


class FileAsked(StrictSerializer):
    format = Choice(choices=files.FORMATS, default="json")


class DueAsked(FileAsked):
    gaming_day = DayField(required=False, help_text="Only those of this gaming day.")


class DueFile(HouseView):
    @read(permission=REPORT_FILES, gives=CashReportOut, asks=DueAsked, also=files.TYPES)
    def get(self, by: Actor, asked: DueAsked) -> FileAnswer:
        """Every report that is due, in a file for the authority. It holds personal data: the log says who took it."""
        return files.reports_file(by=by, format=asked.format, day=asked.gaming_day)


class ReportFile(HouseView):
    @read(permission=REPORT_FILES, gives=CashReportOut, asks=FileAsked, also=files.TYPES)
    def get(self, by: Actor, asked: FileAsked, *, id: int) -> FileAnswer:
        """One report as a file for the authority. It holds personal data: the log says who took it."""
        return files.reports_file(by=by, format=asked.format, report_id=id)


class StructuringOut(StrictSerializer):
    id = WholeNumber()
    gaming_day = DayField(source="day")
    direction = Choice(choices=Way.values, source="way")
    about = Text(help_text="`customer:17`; where nobody is known, the terminal or person: `at:device:W-0001`.")
    incident = WholeNumber(source="incident_id")
    closed = TrueOrFalse(help_text="Whether somebody has looked into it.")
    payments = CashLineOut(many=True)
    example = shown(
        {
            "id": 1,
            "gaming_day": "2026-11-16",
            "direction": "out",
            "about": "customer:17",
            "incident": 4,
            "closed": False,
            "payments": [],
        }
    )

    def to_representation(self, instance: Any) -> dict[str, object]:
        instance.payments, instance.closed = queries.lines_of(instance), instance.incident.closed_at is not None
        return super().to_representation(instance)


class Hints(HouseView):
    @listing(permission=REPORTS, gives=StructuringOut, asks=ByDay)
    def get(self, by: Actor, asked: ByDay) -> QuerySet[Structuring]:
        """Payments below the limit that may be parts of one: of one customer, or of unknown people at one terminal."""
        return queries.hints(day=asked.gaming_day)
