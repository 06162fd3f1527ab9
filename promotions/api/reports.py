"""The reports on promotions, as rows, CSV or PDF."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from datetime import date
from typing import Any

from rest_framework import serializers

from house.actors import Actor
from house.api.fields import Choice, DayField, StrictSerializer, Text, shown
from house.api.view import HouseView, read
from house.refusal import Malformed, NotFound
from house.reports import Report, as_csv, as_pdf
from house.venue import venue
from promotions.permissions import REPORTS as SEE_REPORTS
from promotions.reports import REPORTS

MOST_DAYS = 400


class ReportAsked(StrictSerializer):
    first = DayField(help_text="The first day.")
    last = DayField(help_text="The last one.")
    layout = Choice(choices=["rows", "csv", "pdf"], default="rows")


class ReportOut(StrictSerializer):
    title = Text()
    columns = serializers.ListField(child=Text())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))
    media_type = Text(allow_null=True, help_text="Of the content, where a layout was asked for.")
    content = Text(allow_null=True, help_text="CSV or PDF, in base64.", max_length=100_000_000)
    example = shown(
        {
            "title": "Promotions: submissions to the regulator",
            "columns": ["At", "Promotion"],
            "rows": [["2026-11-15 21:00:00+11:00", "SPRING"]],
            "media_type": None,
            "content": None,
        }
    )


class OneReport(HouseView):
    @read(permission=SEE_REPORTS, gives=ReportOut, asks=ReportAsked)
    def get(self, by: Actor, asked: dict[str, Any], *, name: str) -> dict[str, Any]:
        """A report over some days: the register of promotions, what the regulator was sent, and others.

        As rows; with a layout also as CSV or PDF. Totals, where there are any, are the last row.
        """
        make = REPORTS.get(name)
        if make is None:
            raise NotFound("no-such-report", f"The reports are: {', '.join(REPORTS)}.")
        return answered(asked, make)


def answered(asked: dict[str, Any], make: Callable[[date, date], Report]) -> dict[str, Any]:
    """The report over the days asked for, in the layout asked for."""
    if not 0 <= (asked["last"] - asked["first"]).days <= MOST_DAYS:
        raise Malformed("days-impossible", f"A report is over 1 to {MOST_DAYS} days, first to last.", field="last")
    made = make(asked["first"], asked["last"])
    answer = {"title": made.title, "columns": list(made.columns), "rows": made.written()}
    media_type, content = None, None
    if asked["layout"] == "csv":
        media_type, content = "text/csv; charset=utf-8", as_csv(made).encode()
    elif asked["layout"] == "pdf":
        media_type, content = "application/pdf", as_pdf(made, venue=venue().name)
    return answer | {"media_type": media_type, "content": content and b64encode(content).decode()}
