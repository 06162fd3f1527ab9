"""How every room's reports are shown: a table, a chart where there is a course to see, and the same as CSV and PDF."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from house.gaming_days import latest_gaming_day
from kernel.codes import Power
from kernel.money import Money
from kernel.refusal import NotFound
from ledger.checkpoints import fingerprints, note
from web import words
from web.lists import asked
from web.page import Visit, show
from web.report_paper import as_pdf
from web.reports import Make, as_csv, shown

REPORT_DAYS_LIMIT = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Reports:
    """A room's reports: by name, in the order and under the titles people see. Declared in its ``room.py``."""

    room: str
    permission: Power
    reports: Mapping[str, Make]
    titles: Mapping[str, str]
    address: str  # the name of the page of one report, in the console's namespace
    spans: Mapping[str, int] = field(default_factory=dict)  # how many days back it usually begins; absent: not dated
    beside: Sequence[tuple[str, str]] = ()  # other pages: title, and the name of the page
    by_calendar: bool = False  # its days begin at midnight, not with the gaming day


def show_report(request: Visit, of: Reports, name: str) -> HttpResponseBase:
    make = of.reports.get(name)
    if make is None:
        raise NotFound("no-such-report", f"The reports are: {', '.join(of.reports)}.")
    first, last, wrong = _days(request, of.spans.get(name, 0), by_calendar=of.by_calendar)
    made = make(first, last)
    wanted = asked(request, "format")
    file = f"{of.room}-{name}-{first}-{last}"
    if wanted == "csv":
        return _file(as_csv(made, foot=note(), keys=fingerprints()).encode(), "text/csv; charset=utf-8", f"{file}.csv")
    if wanted == "pdf":
        by, at = request.actor.name, timezone.now()
        paper = as_pdf(made, venue=request.venue.name, foot=note(), keys=fingerprints(), by=by, at=at)
        return _file(paper, "application/pdf", f"{file}.pdf")
    columns = list(zip(made.columns, made.numeric(), strict=True))
    compares = name in of.spans and asked(request, "compare") == "before"
    span = last - first + dt.timedelta(days=1)
    earlier = (first - span, last - span)
    before = make(*earlier) if compares else None
    chart = made.chart
    if chart and before and before.chart:
        chart = chart.compared(before.chart, words.days(*earlier))
    return show(
        request,
        "web/report.html",
        name=name,
        report=made,
        checkpoint=note(),
        fingerprints=fingerprints(),
        rows=[[_cell(value, *column) for value, column in zip(row, columns, strict=True)] for row in made.rows],
        totals=[_cell(value, *column) for value, column in zip(made.totals, columns, strict=False)],
        columns=columns,
        chart=chart.figure() if chart else "",
        before=[_cell(value, *column) for value, column in zip(before.totals, columns, strict=False)] if before else [],
        before_days=words.days(*earlier),
        compares=compares,
        presets=_presets(of, query=f"first={first}&last={last}"),
        first=first,
        last=last,
        wrong=wrong,
        dated=name in of.spans,
        reports=[
            {
                "name": each,
                "title": of.titles[each],
                "url": reverse(f"console:{of.address}", args=[each]),
                "here": each == name,
            }
            for each in of.titles
            if each in of.reports
        ],
        beside=[{"title": title, "url": reverse(f"console:{page}")} for title, page in of.beside],
        query=f"first={first}&last={last}",
    )


@dataclass(frozen=True, slots=True)
class Preset:
    title: str
    query: str
    here: bool


def _presets(of: Reports, *, query: str) -> list[Preset]:
    """The spans that people ask for, by one touch."""
    now = timezone.localdate()
    day = latest_gaming_day(timezone.now())
    one = dt.timedelta(days=1)
    spans = [("Today", now, now), ("Yesterday", now - one, now - one)]
    if day is not None and not of.by_calendar:
        spans.append(("This gaming day", day.date, day.date))
    spans += [("Last 7 days", now - 6 * one, now), ("This month", now.replace(day=1), now)]
    asked_for = [(title, f"first={first}&last={last}") for title, first, last in spans]
    return [Preset(title, each, each == query) for title, each in asked_for]


def _days(request: Visit, span: int, *, by_calendar: bool) -> tuple[dt.date, dt.date, str]:
    """What was asked for, or the usual span up to today; and a sentence where it could not be read."""
    day = None if by_calendar else latest_gaming_day(timezone.now())
    today = day.date if day else timezone.localdate()
    usual = today - dt.timedelta(days=span), today
    try:
        first = dt.date.fromisoformat(asked(request, "first") or usual[0].isoformat())
        last = dt.date.fromisoformat(asked(request, "last") or usual[1].isoformat())
    except ValueError:
        return *usual, "A day is written like 2026-11-16. This is the usual span."
    if not 0 <= (last - first).days <= REPORT_DAYS_LIMIT:
        return *usual, f"A report is over 1 to {REPORT_DAYS_LIMIT} days, first to last. This is the usual span."
    return first, last, ""


def _cell(value: object, column: str, right: bool) -> dict[str, object]:
    return {
        "money": value if isinstance(value, Money) else None,
        "moment": value if isinstance(value, dt.datetime) else None,
        "text": shown(value, column),
        "right": right,
    }


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
