"""The reports on promotions over HTTP."""

from __future__ import annotations

from house.api import reports as paper
from kernel.actors import Actor
from promotions import permissions
from promotions.reports import REPORTS
from promotions.reports.winners import denied_claims
from web.fields import Nothing
from web.files import FileAnswer
from web.view import HouseView, read


class Reports(HouseView):
    @read(permission=permissions.REPORTS, gives=paper.ReportNamesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """Which reports on promotions there are."""
        return paper.names(REPORTS)


class OneReport(HouseView):
    @read(permission=permissions.REPORTS, gives=paper.ReportOut, asks=paper.ReportAsked, also=paper.PAPERS)
    def get(self, by: Actor, asked: paper.ReportAsked, *, name: str) -> dict[str, object] | FileAnswer:
        """A report over some days: as data in pages, or whole as CSV or PDF.

        `GET promotions/reports` names them: the register of promotions, what the regulator was sent, and others.
        """
        return paper.answer(REPORTS, name, asked, request=self.request, file="promotions")


class DeniedClaims(HouseView):
    @read(permission=permissions.PERSONAL, gives=paper.ReportOut, asks=paper.ReportAsked, also=paper.PAPERS)
    def get(self, by: Actor, asked: paper.ReportAsked) -> dict[str, object] | FileAnswer:
        """Denied claims above $100 with names, addresses and reasons. Who asks for it is on record."""
        reports = {"denied-claims": lambda first, last: denied_claims(first=first, last=last, by=by)}
        return paper.answer(reports, "denied-claims", asked, request=self.request, file="promotions")
