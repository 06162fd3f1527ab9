"""Calls of the back office: its reports, as data and as files."""

from __future__ import annotations

from house.api import reports as paper
from house.books.reports import REPORTS
from house.permissions import SEE_BOOKS
from kernel.actors import Actor
from web.fields import Nothing
from web.files import FileAnswer
from web.view import HouseView, read


class BooksReports(HouseView):
    @read(permission=SEE_BOOKS, gives=paper.ReportNamesOut)
    def get(self, by: Actor, asked: Nothing) -> dict[str, object]:
        """Which reports of the back office there are."""
        return paper.names(REPORTS)


class BooksReport(HouseView):
    @read(permission=SEE_BOOKS, gives=paper.ReportOut, asks=paper.ReportAsked, also=paper.PAPERS)
    def get(self, by: Actor, asked: paper.ReportAsked, *, name: str) -> dict[str, object] | FileAnswer:
        """Gaming revenue and duty, or the general ledger, over gaming days: data in pages, or whole as CSV or PDF."""
        return paper.answer(REPORTS, name, asked, request=self.request, file="books")
