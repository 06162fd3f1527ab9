"""The pack at the end of a month: revenue and duty, the general ledger, and what each room adds to it."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from house.books import reports
from house.books.games import MonthEnd
from kernel.refusal import Malformed
from kernel.rooms import offered
from web.reports import Report

_MONTH: Final = re.compile(r"(20\d\d)-(0[1-9]|1[0-2])", re.ASCII)


def days_of(written: str, *, today: date) -> tuple[date, date]:
    """The first and the last day of a month written like 2026-10; of the month that ended last where nothing is."""
    if not written:
        last = today.replace(day=1) - timedelta(days=1)
        return last.replace(day=1), last
    found = _MONTH.fullmatch(written)
    if found is None:
        raise Malformed("malformed", "A month is written like 2026-10.", field="month")
    first = date(int(found[1]), int(found[2]), 1)
    return first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def pack(first: date, last: date) -> list[Report]:
    makes = [reports.revenue, reports.days, reports.trial, *(each.make for each in offered(MonthEnd))]
    return [make(first, last) for make in makes]
