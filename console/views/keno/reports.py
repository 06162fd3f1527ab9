"""Keno's reports: a table, a chart where there is a course to see, and the same as CSV and PDF."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from console import words
from console.page import Visit, page, show
from console.tables import asked
from house.gaming_days import latest_gaming_day
from house.refusal import NotFound
from house.reports import as_csv, as_pdf
from keno.permissions import REPORTS as SEE_REPORTS
from keno.reports import REPORTS
from ledger.money import Money

TITLES = {
    "days": "By gaming day",
    "games": "By game",
    "months": "By month",
    "shifts": "By shift",
    "drawers": "Drawers",
    "jackpots": "Jackpots",
    "liability": "What is owed",
    "unclaimed": "Not collected",
    "voids": "Voids and reprints",
}
SPANS = {"games": 0, "days": 13, "months": 180, "shifts": 6, "drawers": 6, "jackpots": 30, "voids": 6}
MOST_DAYS = 400


@page(SEE_REPORTS)
def report(request: Visit, name: str = "days") -> HttpResponseBase:
    make = REPORTS.get(name)
    if make is None:
        raise NotFound("no-such-report", f"The reports are: {', '.join(REPORTS)}.")
    first, last, wrong = _days(request, name)
    made = make(first, last)
    wanted = asked(request, "format")
    if wanted == "csv":
        return _file(as_csv(made).encode(), "text/csv; charset=utf-8", f"keno-{name}-{first}-{last}.csv")
    if wanted == "pdf":
        return _file(as_pdf(made, venue=request.venue.name), "application/pdf", f"keno-{name}-{first}-{last}.pdf")
    numeric = [any(isinstance(row[place], (Money, int)) for row in made.rows) for place in range(len(made.columns))]
    return show(
        request,
        "console/keno/report.html",
        name=name,
        report=made,
        rows=[[_cell(value, right=right) for value, right in zip(row, numeric, strict=True)] for row in made.rows],
        totals=[_cell(value, right=right) for value, right in zip(made.totals, numeric, strict=False)],
        columns=list(zip(made.columns, numeric, strict=True)),
        chart=made.chart.figure() if made.chart else "",
        first=first,
        last=last,
        wrong=wrong,
        dated=name in SPANS,
        reports=[
            {"name": each, "title": TITLES.get(each, words.label(each)), "url": _address(each), "here": each == name}
            for each in sorted(REPORTS, key=lambda each: list(TITLES).index(each) if each in TITLES else 99)
        ],
        query=f"first={first}&last={last}",
    )


def _address(name: str) -> str:
    return reverse("console:keno-report", args=[name])


def _days(request: Visit, name: str) -> tuple[dt.date, dt.date, str]:
    """What was asked for, or the usual span up to today; and a sentence where it could not be read."""
    now = timezone.now()
    day = latest_gaming_day(now)
    today = day.date if day else timezone.localdate()
    usual = today - dt.timedelta(days=SPANS.get(name, 0)), today
    try:
        first = dt.date.fromisoformat(asked(request, "first") or usual[0].isoformat())
        last = dt.date.fromisoformat(asked(request, "last") or usual[1].isoformat())
    except ValueError:
        return *usual, "A day is written like 2026-11-16. This is the usual span."
    if not 0 <= (last - first).days <= MOST_DAYS:
        return *usual, f"A report is over 1 to {MOST_DAYS} days, first to last. This is the usual span."
    return first, last, ""


def _cell(value: Any, *, right: bool) -> dict[str, Any]:
    moment = isinstance(value, dt.datetime)
    return {
        "money": value if isinstance(value, Money) else None,
        "moment": value if moment else None,
        "text": words.day(value) if isinstance(value, dt.date) and not moment else "" if value is None else str(value),
        "right": right,
    }


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    answer = HttpResponse(content, content_type=kind)
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
