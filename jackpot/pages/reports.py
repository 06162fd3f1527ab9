from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase

from house.pages.reporting import Reports, show_report
from jackpot.permissions import REPORTS as SEE_REPORTS
from jackpot.reports import REPORTS
from web.page import Visit, page

JACKPOTS: Final = Reports(
    room="jackpots",
    permission=SEE_REPORTS,
    reports=REPORTS,
    titles={
        "reconciliation": "Reconciliation",
        "tables": "By table",
        "hits": "Hits",
        "liabilities": "What is owed",
        "hours": "By hour",
        "expected": "Expected and observed",
        "meters": "Meters",
    },
    spans={"reconciliation": 13, "tables": 6, "hits": 30, "hours": 0, "expected": 30, "meters": 13},
    address="jackpot-report",
)


@page(SEE_REPORTS)
def report(request: Visit, name: str = "reconciliation") -> HttpResponseBase:
    return show_report(request, JACKPOTS, name)
