from __future__ import annotations

from typing import Final

from django.http import HttpResponseBase

from draws.permissions import VIEW_DRAWS
from draws.reports import REPORTS
from house.pages.reporting import Reports, show_report
from web.page import Visit, page

DRAWS: Final = Reports(
    room="draws",
    permission=VIEW_DRAWS,
    reports=REPORTS,
    titles={"waits": "Waits, voids, unwitnessed"},
    spans={"waits": 30},
    address="draws-report",
)


@page(VIEW_DRAWS)
def report(request: Visit, name: str = "waits") -> HttpResponseBase:
    return show_report(request, DRAWS, name)
