from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase

from house.pages.reporting import Reports, show_report
from keno.permissions import REPORTS as SEE_REPORTS
from keno.reports import REPORTS
from web.page import Visit, page

KENO: Final = Reports(
    room="keno",
    permission=SEE_REPORTS,
    reports=REPORTS,
    titles={
        "days": "By gaming day",
        "games": "By game",
        "months": "By month",
        "shifts": "By shift",
        "drawers": "Drawers",
        "jackpots": "Jackpots",
        "liability": "What is owed",
        "unclaimed": "Not collected",
        "voids": "Voids and reprints",
        "resettled": "Games settled again",
        "overpayments": "Overpayments",
    },
    spans={
        "games": 0,
        "days": 13,
        "months": 180,
        "shifts": 6,
        "drawers": 6,
        "jackpots": 30,
        "voids": 6,
        "resettled": 30,
        "overpayments": 30,
    },
    address="keno-report",
    beside=[("Threshold reports", "threshold-reports")],
)


@page(SEE_REPORTS)
def report(request: Visit, name: str = "days") -> HttpResponseBase:
    return show_report(request, KENO, name)
