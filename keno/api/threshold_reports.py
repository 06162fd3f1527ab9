"""Calls about the threshold reports of Keno’s payments."""

from __future__ import annotations

from django.db.models import QuerySet
from rest_framework import serializers

from house.cash.queries import reports_seen_by
from house.cash.threshold import report_sent
from house.models import ThresholdReport
from house.permissions import REPORT_THRESHOLD, REPORTS
from kernel.actors import Actor
from web.fields import DayField, InstantField, MoneyField, Nothing, StrictSerializer, Text, WholeNumber, shown
from web.view import ByDay, HouseView, listing, verb


class ThresholdOut(StrictSerializer):
    id = WholeNumber()
    ticket = Text(source="reference", help_text="Its serial; the code of a voucher.")
    what = Text(help_text="ticket, voucher, cancelled, change, claim")
    cash = MoneyField()
    identity = serializers.DictField(
        source="shown_identity", default=dict, help_text="Empty without the right to see who received it."
    )
    gaming_day = DayField(source="day")
    reported_at = InstantField(allow_null=True)
    reported_by = Text(allow_null=True)
    example = shown(
        {
            "id": 2,
            "ticket": "7K2MX0Q4RT9B",
            "what": "ticket",
            "cash": "25000.00",
            "identity": {"name": "Anna Marsh"},
            "gaming_day": "2026-11-16",
            "reported_at": None,
            "reported_by": None,
        }
    )


class ThresholdReports(HouseView):
    @listing(permission=REPORTS, gives=ThresholdOut, asks=ByDay)
    def get(self, by: Actor, asked: ByDay) -> QuerySet[ThresholdReport]:
        """Threshold reports that a payment of Keno made; `cash/reports` has those of every room."""
        return reports_seen_by(by, room="keno", day=asked.gaming_day)


class Reported(HouseView):
    @verb(permission=REPORT_THRESHOLD, gives=ThresholdOut)
    def post(self, by: Actor, data: Nothing, *, id: int) -> ThresholdReport:
        """Note that a threshold report went to the authority."""
        return report_sent(report_id=id, by=by, room="keno")
