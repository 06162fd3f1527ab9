"""The jackpots' reports over HTTP."""

from __future__ import annotations

from house.api import reports as paper
from jackpot import links, permissions
from jackpot.reports import REPORTS
from kernel.actors import Actor
from web.fields import Nothing, Text
from web.files import FileAnswer
from web.view import HouseView, read


class JackpotReportAsked(paper.ReportAsked):
    link = Text(required=False, max_length=16, help_text="Only this link.")


class Reports(HouseView):
    @read(permission=permissions.REPORTS, gives=paper.ReportNamesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """Which reports of jackpots there are."""
        return paper.names(REPORTS)


class OneReport(HouseView):
    @read(permission=permissions.REPORTS, gives=paper.ReportOut, asks=JackpotReportAsked, also=paper.PAPERS)
    def get(self, by: Actor, asked: JackpotReportAsked, *, name: str) -> dict[str, object] | FileAnswer:
        """A report over gaming days: as data in pages, or whole as CSV, PDF, or its chart as SVG.

        `GET jackpot/reports` names them. What is owed, and what meters show, is as of now.
        """
        link = asked.link
        if link is not None:
            links.find_link(link)
        return paper.answer(REPORTS, name, asked, request=self.request, file="jackpot", link=link)
