"""The register, what the regulator was sent, winners, and denied claims: on the page, as CSV and as PDF."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from django.http import HttpResponseBase

from house.pages.reporting import Reports, show_report
from promotions.permissions import PERSONAL
from promotions.permissions import REPORTS as SEE_REPORTS
from promotions.reports import REPORTS
from promotions.reports.winners import denied_claims
from web.page import Visit, page
from web.reports import Make

DENIED: Final = "denied-claims"
TITLES: Final = {
    "register": "Register",
    "submissions": "Submissions",
    "winners": "Winners",
    "overdue-notifications": "Not told in time",
    DENIED: "Denied claims",
}


PROMOTIONS: Final = Reports(
    room="promotions",
    permission=SEE_REPORTS,
    reports=REPORTS,
    titles=TITLES,
    spans=dict.fromkeys(TITLES, 30),
    address="promotion-report",
    by_calendar=True,
)


@page(SEE_REPORTS)
def report(request: Visit, name: str = "register") -> HttpResponseBase:
    return _show(request, name)


@page(PERSONAL)
def denied(request: Visit) -> HttpResponseBase:
    return _show(request, DENIED)


def _show(request: Visit, name: str) -> HttpResponseBase:
    offered: dict[str, Make] = {**REPORTS}
    if request.actor.may(PERSONAL):  # names and addresses: who asks is on record
        offered[DENIED] = lambda first, last: denied_claims(first=first, last=last, by=request.actor)
    return show_report(request, replace(PROMOTIONS, reports=offered), name)
