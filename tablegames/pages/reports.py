from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase

from house.pages.reporting import Reports, show_report
from tablegames.permissions import REPORTS as SEE_REPORTS
from tablegames.reports import REPORTS
from web.page import Visit, page

TABLES: Final = Reports(
    room="tables",
    permission=SEE_REPORTS,
    reports=REPORTS,
    titles={"payment-errors": "Over- and underpaid", "month-end": "For the regulator", "checks": "Hands checked"},
    spans={"payment-errors": 30, "month-end": 30, "checks": 6},
    address="tables-report",
    beside=[("Over- and underpaid", "tables-errors")],
)


@page(SEE_REPORTS)
def report(request: Visit, name: str = "payment-errors") -> HttpResponseBase:
    return show_report(request, TABLES, name)
