"""The register, what the regulator was sent, winners, and denied claims: on the page, as CSV and as PDF."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from console.page import Visit, page, show
from console.tables import asked
from house.refusal import NotFound
from house.reports import Report, as_csv, as_pdf
from ledger.money import Money
from promotions.permissions import PERSONAL
from promotions.permissions import REPORTS as SEE_REPORTS
from promotions.reports import REPORTS
from promotions.reports.winners import denied_claims

DENIED = "denied-claims"
TITLES = {
    "register": "Register",
    "submissions": "Submissions",
    "winners": "Winners",
    "overdue-notifications": "Not told in time",
    DENIED: "Denied claims",
}
DAYS = 30
MOST_DAYS = 400


@page(SEE_REPORTS)
def report(request: Visit, name: str = "register") -> HttpResponseBase:
    first, last, wrong = _days(request)
    made = _make(request, name)(first, last)
    wanted = asked(request, "format")
    if wanted == "csv":
        return _file(as_csv(made).encode(), "text/csv; charset=utf-8", f"promotions-{name}-{first}-{last}.csv")
    if wanted == "pdf":
        content = as_pdf(made, venue=request.venue.name)
        return _file(content, "application/pdf", f"promotions-{name}-{first}-{last}.pdf")
    numeric = [any(isinstance(row[at], (Money, int)) for row in made.rows) for at in range(len(made.columns))]
    return show(
        request,
        "console/keno/report.html",
        name=name,
        report=made,
        rows=[_cells(row, numeric) for row in made.rows],
        totals=_cells(made.totals, numeric),
        columns=list(zip(made.columns, numeric, strict=True)),
        chart="",
        first=first,
        last=last,
        wrong=wrong,
        dated=True,
        reports=[
            {
                "name": each,
                "title": title,
                "url": reverse("console:promotion-report", args=[each]),
                "here": each == name,
            }
            for each, title in TITLES.items()
            if each != DENIED or request.actor.may(PERSONAL)
        ],
        query=f"first={first}&last={last}",
    )


def _make(request: Visit, name: str) -> Callable[[dt.date, dt.date], Report]:
    if name == DENIED:  # names and addresses: who asks is on record
        request.actor.require(PERSONAL)
        return lambda first, last: denied_claims(first=first, last=last, by=request.actor)
    if name not in REPORTS:
        raise NotFound("no-such-report", f"The reports are: {', '.join(TITLES)}.")
    return REPORTS[name]


def _days(request: Visit) -> tuple[dt.date, dt.date, str]:
    today = timezone.localdate()
    usual = today - dt.timedelta(days=DAYS), today + dt.timedelta(days=1)
    try:
        first = dt.date.fromisoformat(asked(request, "first") or usual[0].isoformat())
        last = dt.date.fromisoformat(asked(request, "last") or usual[1].isoformat())
    except ValueError:
        return *usual, "A day is written like 2026-11-16. This is the usual span."
    if not 0 <= (last - first).days <= MOST_DAYS:
        return *usual, f"A report is over 1 to {MOST_DAYS} days, first to last. This is the usual span."
    return first, last, ""


def _cells(row: tuple[Any, ...], numeric: list[bool]) -> list[dict[str, Any]]:
    return [
        {"money": value if isinstance(value, Money) else None, "moment": None, "text": str(value), "right": right}
        for value, right in zip(row, numeric, strict=False)
    ]


def _file(content: bytes, kind: str, name: str) -> HttpResponse:
    named = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=kind, headers=named)
