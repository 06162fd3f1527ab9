"""A room's reports over HTTP: as data in pages, as CSV, as PDF, its chart as SVG."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Final

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request

from house.gaming_days import gaming_day_at
from house.venue import venue
from kernel.refusal import Malformed, NotFound, Refusal
from ledger.checkpoints import fingerprints, note
from web.csv import CSV
from web.fields import Choice, DayField, StrictSerializer, Text, WholeNumber, shown
from web.files import FileAnswer
from web.report_paper import as_pdf
from web.reports import PDF, SVG, Make, Report, as_csv

REPORT_DAYS_LIMIT: Final = 400
PDF_ROWS_LIMIT: Final = 5_000  # rows: some hundred pages
PAGE_ROWS_DEFAULT, PAGE_ROWS_LIMIT = 200, 1_000
MEDIA: Final = {"csv": CSV, "pdf": PDF, "svg": SVG}
PAPERS: Final = tuple(MEDIA.values())
"""What a report's call declares with ``also``."""


class RowCount(serializers.RegexField):
    """A whole number in a question."""

    def __init__(self, **options: Any) -> None:
        super().__init__(r"^(0|[1-9][0-9]{0,8})\Z", **options)


class ReportAsked(StrictSerializer):
    first = DayField(required=False, help_text="The first gaming day. Left out: the last one.")
    last = DayField(required=False, help_text="The last gaming day. Left out: today.")
    gaming_day = DayField(required=False, help_text="One gaming day, instead of `first` and `last`.")
    format = Choice(choices=["json", *MEDIA], required=False, help_text="Left out: what `Accept` asks for, else JSON.")
    start = RowCount(default="0", help_text="JSON only: the first row of the page, from 0. Follow `next`.")
    limit = RowCount(
        default=str(PAGE_ROWS_DEFAULT), help_text=f"JSON only: how many rows, from 1 to {PAGE_ROWS_LIMIT}."
    )


class ReportOut(StrictSerializer):
    title = Text()
    first = DayField()
    last = DayField()
    columns = serializers.ListField(child=Text())
    rows = serializers.ListField(child=serializers.ListField(child=serializers.CharField(allow_blank=True)))
    totals = serializers.ListField(
        child=serializers.CharField(allow_blank=True), allow_null=True, help_text="Of all rows, whatever the page."
    )
    count = WholeNumber(help_text="How many rows there are.")
    next = WholeNumber(allow_null=True, help_text="The `start` of the next page.")
    example = shown(
        {
            "title": "Jackpots: what is owed now",
            "first": "2026-11-16",
            "last": "2026-11-16",
            "columns": ["Link", "Owed to winners"],
            "rows": [["CSP", "0.00"]],
            "totals": ["Total", "0.00"],
            "count": 1,
            "next": None,
        }
    )


class ReportNameOut(StrictSerializer):
    name = Text()
    about = Text()


class ReportNamesOut(StrictSerializer):
    results = ReportNameOut(many=True)
    example = shown({"results": [{"name": "liabilities", "about": "What is owed now."}]})


def names(reports: Mapping[str, Make]) -> dict[str, object]:
    """Which there are, each with the first line of its function's own words."""
    return {"results": [{"name": name, "about": about(make)} for name, make in reports.items()]}


def about(make: Make) -> str:
    return (make.__doc__ or "").strip().partition("\n")[0]


def answer(
    reports: Mapping[str, Make], name: str, asked: ReportAsked, *, request: Request, file: str, **narrowed: object
) -> dict[str, object] | FileAnswer:
    """The report of that name over the days asked for, in the form asked for."""
    make = reports.get(name)
    if make is None:
        raise NotFound("no-such-report", f"The reports are: {', '.join(reports)}.")
    start, limit = int(asked.start), int(asked.limit)
    if not 1 <= limit <= PAGE_ROWS_LIMIT:
        raise Malformed("malformed", f"Write a whole number from 1 to {PAGE_ROWS_LIMIT}.", field="limit")
    first, last = days(asked.gaming_day, asked.first, asked.last)
    made = make(first, last, **narrowed)
    wanted = asked.format or _accepted(request)
    if wanted != "json":
        return on_paper(
            made, wanted, file=f"{file}-{name}-{first}-{last}.{wanted}", by=getattr(request.user, "name", "")
        )
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


def days(gaming_day: date | None, first: date | None, last: date | None) -> tuple[date, date]:
    """The first and the last day asked for."""
    if gaming_day is not None:
        if first is not None or last is not None:
            raise Malformed("days-twice", "Ask for one gaming day, or for first and last.", field="gaming_day")
        return gaming_day, gaming_day
    last = last or max(first or date.min, gaming_day_at(timezone.now()).date)
    first = first or last
    if not 0 <= (last - first).days < REPORT_DAYS_LIMIT:
        said = f"A report is over 1 to {REPORT_DAYS_LIMIT} days, first to last."
        raise Malformed("days-impossible", said, field="last")
    return first, last


def on_paper(made: Report, wanted: str, *, file: str, by: str) -> FileAnswer:
    if wanted == "csv":
        return FileAnswer(CSV, as_csv(made, foot=note(), keys=fingerprints()).encode(), file)
    if wanted == "svg":
        if made.chart is None:
            raise Refusal("no-chart", "This report has no chart.", field="format")
        return FileAnswer(SVG, made.chart.svg().encode(), file)
    if len(made.rows) > PDF_ROWS_LIMIT:
        raise Refusal(
            "report-too-long",
            f"{len(made.rows):,} rows are too many for a PDF ({PDF_ROWS_LIMIT:,} at most): "
            "take the CSV, or fewer days.",
            field="format",
        )
    paper = as_pdf(made, venue=venue().name, foot=note(), keys=fingerprints(), by=by, at=timezone.now())
    return FileAnswer(PDF, paper, file)


def _accepted(request: Request) -> str:
    accepted = request.headers.get("Accept", "")
    offered = {"json": "application/json", **MEDIA}
    return next((kind for kind, media in offered.items() if media in accepted), "json")
