"""Keno's reports: as data in pages, as CSV, as PDF."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.utils import timezone
from rest_framework import serializers

from house.actors import Actor
from house.api.fields import Choice, DayField, StrictSerializer, Text, Whole, shown
from house.api.view import HouseView, Paper, read
from house.gaming_days import gaming_day_at
from house.refusal import Malformed, NotFound, Refusal
from house.venue import venue
from keno.permissions import REPORTS as SEE_REPORTS
from keno.reports import REPORTS, about
from keno.reports.table import Report, as_csv, as_pdf

MOST_DAYS: Final = 400
MOST_ON_PAPER: Final = 5_000  # rows: some hundred pages
USUAL, MOST = 200, 1_000
CSV, PDF = "text/csv", "application/pdf"


class RowCount(serializers.RegexField):
    """A whole number in a question."""

    def __init__(self, **options: Any) -> None:
        super().__init__(r"^(0|[1-9][0-9]{0,8})\Z", **options)


class ReportAsked(StrictSerializer):
    first = DayField(required=False, help_text="The first gaming day. Left out: the last one.")
    last = DayField(required=False, help_text="The last gaming day. Left out: today.")
    gaming_day = DayField(required=False, help_text="One gaming day, instead of `first` and `last`.")
    format = Choice(
        choices=["json", "csv", "pdf"], required=False, help_text="Left out: what `Accept` asks for, else JSON."
    )
    start = RowCount(default="0", help_text="JSON only: the first row of the page, from 0. Follow `next`.")
    limit = RowCount(default=str(USUAL), help_text=f"JSON only: how many rows, from 1 to {MOST}.")


class ReportOut(StrictSerializer):
    title = Text()
    first = DayField()
    last = DayField()
    columns = serializers.ListField(child=Text())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))
    totals = serializers.ListField(
        child=serializers.CharField(allow_blank=True), allow_null=True, help_text="Of all rows, whatever the page."
    )
    count = Whole(help_text="How many rows there are.")
    next = Whole(allow_null=True, help_text="The `start` of the next page.")
    example = shown(
        {
            "title": "Keno: what is owed now",
            "first": "2026-11-16",
            "last": "2026-11-16",
            "columns": ["Owed for", "By the books", "By the rows", "Difference"],
            "rows": [["Keno vouchers", "12.00", "12.00", "0.00"]],
            "totals": ["Total", "12.00", "12.00", "0.00"],
            "count": 1,
            "next": None,
        }
    )


class ReportNameOut(StrictSerializer):
    name = Text()
    about = Text()


class ReportNamesOut(StrictSerializer):
    results = ReportNameOut(many=True)
    example = shown({"results": [{"name": "liability", "about": "What is owed now."}]})


class Reports(HouseView):
    @read(permission=SEE_REPORTS, gives=ReportNamesOut)
    def get(self, by: Actor, asked: dict[str, Any]) -> dict[str, Any]:
        """Which reports there are."""
        return {"results": [{"name": name, "about": about(name)} for name in REPORTS]}


class OneReport(HouseView):
    @read(permission=SEE_REPORTS, gives=ReportOut, asks=ReportAsked, also=(CSV, PDF))
    def get(self, by: Actor, asked: dict[str, Any], *, name: str) -> dict[str, Any] | Paper:
        """A report over gaming days, as data in pages, or whole as CSV or PDF.

        `GET keno/reports` names them. What is owed now, and what is not collected, do not ask for days.
        """
        make = REPORTS.get(name)
        if make is None:
            raise NotFound("no-such-report", f"The reports are: {', '.join(REPORTS)}.")
        start, limit = int(asked["start"]), int(asked["limit"])
        if not 1 <= limit <= MOST:
            raise Malformed("malformed", f"Write a whole number from 1 to {MOST}.", field="limit")
        first, last = _days(asked)
        made = make(first, last)
        wanted = asked.get("format") or self._accepted()
        if wanted != "json":
            return _on_paper(made, wanted, file=f"keno-{name}-{first}-{last}.{wanted}")
        rows = made.written()
        totals = rows.pop() if made.totals else None
        return {
            "title": made.title,
            "first": first,
            "last": last,
            "columns": made.columns,
            "rows": rows[start : start + limit],
            "totals": totals,
            "count": len(rows),
            "next": start + limit if start + limit < len(rows) else None,
        }

    def _accepted(self) -> str:
        accepted = self.request.headers.get("Accept", "")
        offered = {"application/json": "json", CSV: "csv", PDF: "pdf"}
        return next((kind for media, kind in offered.items() if media in accepted), "json")


def _days(asked: dict[str, Any]) -> tuple[date, date]:
    if "gaming_day" in asked:
        if "first" in asked or "last" in asked:
            raise Malformed("days-twice", "Ask for one gaming day, or for first and last.", field="gaming_day")
        return asked["gaming_day"], asked["gaming_day"]
    last = asked["last"] if "last" in asked else max(asked.get("first", date.min), gaming_day_at(timezone.now()).date)
    first = asked.get("first", last)
    if not 0 <= (last - first).days < MOST_DAYS:
        raise Malformed("days-impossible", f"A report is over 1 to {MOST_DAYS} days, first to last.", field="last")
    return first, last


def _on_paper(made: Report, wanted: str, *, file: str) -> Paper:
    if wanted == "csv":
        return Paper(CSV, as_csv(made).encode(), file)
    if len(made.rows) > MOST_ON_PAPER:
        raise Refusal(
            "report-too-long",
            f"{len(made.rows):,} rows are too many for a PDF ({MOST_ON_PAPER:,} at most): take the CSV, or fewer days.",
            field="format",
        )
    return Paper(PDF, as_pdf(made, venue=venue().name), file)
