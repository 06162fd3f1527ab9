"""Keno's reports over HTTP."""

from __future__ import annotations

from house.api import reports as paper
from keno.permissions import REPORTS as SEE_REPORTS
from keno.reports import REPORTS
from kernel.actors import Actor
from web.fields import Nothing
from web.files import FileAnswer
from web.view import HouseView, read


class Reports(HouseView):
    @read(permission=SEE_REPORTS, gives=paper.ReportNamesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """Which reports there are."""
        return paper.names(REPORTS)


class OneReport(HouseView):
    @read(permission=SEE_REPORTS, gives=paper.ReportOut, asks=paper.ReportAsked, also=paper.PAPERS)
    def get(self, by: Actor, asked: paper.ReportAsked, *, name: str) -> dict[str, object] | FileAnswer:
        """A report over gaming days, as data in pages, or whole as CSV or PDF, or its chart as SVG.

        `GET keno/reports` names them. What is owed now, and what is not collected, do not ask for days.
        """
        return paper.answer(REPORTS, name, asked, request=self.request, file="keno")
