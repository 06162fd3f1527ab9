"""The register, what the regulator was sent, winners, and denied claims: on the page, as CSV and as PDF."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase

from console.page import Visit, page
from console.reporting import Make, Reports, show_report
from promotions.permissions import PERSONAL
from promotions.permissions import REPORTS as SEE_REPORTS
from promotions.reports import REPORTS
from promotions.reports.winners import denied_claims

DENIED: Final = "denied-claims"
TITLES: Final = {
    "register": "Register",
    "submissions": "Submissions",
    "winners": "Winners",
    "overdue-notifications": "Not told in time",
    DENIED: "Denied claims",
}


@page(SEE_REPORTS)
def report(request: Visit, name: str = "register") -> HttpResponseBase:
    if name == DENIED:
        request.actor.require(PERSONAL)
    offered: dict[str, Make] = {each: REPORTS[each] for each in TITLES if each in REPORTS and each != DENIED}
    if request.actor.may(PERSONAL):  # names and addresses: who asks is on record
        offered[DENIED] = lambda first, last: denied_claims(first=first, last=last, by=request.actor)
    of = Reports(
        room="promotions",
        reports=offered,
        titles=TITLES,
        spans=dict.fromkeys(TITLES, 30),
        address="promotion-report",
    )
    return show_report(request, of, name)
