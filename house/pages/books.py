"""The back office: the day's gaming revenue and duty, the general ledger, and the month as one paper."""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.http import HttpResponse, HttpResponseBase
from django.utils import timezone

from house.books import month
from house.books.mapping import KIND, SUBJECT, in_force, suggested
from house.books.reports import REPORTS
from house.pages.forms.books import BooksForm
from house.pages.proposing import proposed
from house.pages.reporting import Reports, show_report
from house.permissions import PROPOSE, SEE_BOOKS
from ledger.checkpoints import fingerprints, note
from web.lists import asked
from web.page import Visit, page, show
from web.report_paper import as_pack

BOOKS: Final = Reports(
    room="books",
    permission=SEE_BOOKS,
    reports=REPORTS,
    titles={
        "revenue": "Revenue and duty",
        "days": "By gaming day",
        "ledger": "General ledger",
        "trial": "General ledger, all days",
        "accounts": "Accounts",
    },
    spans={"revenue": 0, "days": 30, "ledger": 0, "trial": 30},
    address="books-report",
    beside=[("The month as PDF", "month-end"), ("Propose accounts and duty", "propose-books")],
)


@page(SEE_BOOKS)
def report(request: Visit, name: str = "revenue") -> HttpResponseBase:
    return show_report(request, BOOKS, name)


@page(SEE_BOOKS)
def month_end(request: Visit) -> HttpResponseBase:
    """The month that ended last, or the one asked for: ``?month=2026-10``."""
    now = timezone.now()
    first, last = month.days_of(asked(request, "month"), today=timezone.localdate(now))
    paper = as_pack(
        month.pack(first, last),
        title=f"Month-end, {first:%B %Y}",
        venue=request.venue.name,
        foot=note(),
        keys=fingerprints(),
        by=request.actor.name,
        at=now,
    )
    return _attached(paper, first)


def _attached(paper: bytes, first: dt.date) -> HttpResponse:
    answer = HttpResponse(paper, content_type="application/pdf")
    answer["Content-Disposition"] = f'attachment; filename="month-end-{first:%Y-%m}.pdf"'
    return answer


@page(PROPOSE)
def propose(request: Visit) -> HttpResponseBase:
    form = BooksForm(request.POST or None, books=in_force() or suggested())
    return proposed(request, form, kind=KIND, subject=SUBJECT) or show(
        request, "house/books/propose.html", form=form, is_first=in_force() is None
    )
