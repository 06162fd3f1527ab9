"""Keno's reports, as tables."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from house.actors import Actor
from house.api.fields import DayField, StrictSerializer, Text, shown
from house.api.view import HouseView, read
from house.refusal import Malformed, NotFound
from keno.permissions import REPORTS as SEE_REPORTS
from keno.reports import REPORTS
from keno.reports.table import Report

MOST_DAYS = 400


class ReportAsked(StrictSerializer):
    first = DayField(help_text="The first gaming day.")
    last = DayField(help_text="The last one.")


class ReportOut(StrictSerializer):
    title = Text()
    columns = serializers.ListField(child=Text())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))
    example = shown(
        {
            "title": "Keno: what is owed now",
            "columns": ["Owed for", "By the books", "By the rows", "Difference"],
            "rows": [["Keno vouchers", "12.00", "12.00", "0.00"]],
        }
    )


class OneReport(HouseView):
    @read(permission=SEE_REPORTS, gives=ReportOut, asks=ReportAsked)
    def get(self, by: Actor, asked: dict[str, Any], *, name: str) -> dict[str, Any]:
        """A report over gaming days: games, days, months, shifts, liability, unclaimed, voids, jackpots.

        Totals, where there are any, are the last row.
        """
        make = REPORTS.get(name)
        if make is None:
            raise NotFound("no-such-report", f"The reports are: {', '.join(REPORTS)}.")
        days = (asked["last"] - asked["first"]).days
        if not 0 <= days <= MOST_DAYS:
            raise Malformed("days-impossible", f"A report is over 1 to {MOST_DAYS} days, first to last.", field="last")
        made: Report = make(asked["first"], asked["last"])
        return {"title": made.title, "columns": made.columns, "rows": made.written()}
