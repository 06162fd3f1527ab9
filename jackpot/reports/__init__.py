"""The jackpots' reports: rows of plain values (``rows``), and the same with titles, totals and charts (``as_reports``).

`REPORTS` names them all: what the API and the console offer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.reports import as_reports
from jackpot.reports.rows import (
    by_table_and_day,
    contributions_by_table_and_hour,
    expected_and_observed,
    hits_history,
    liabilities,
    meters,
    poisson_band,
    reconciliation,
)
from web.reports import Make

REPORTS: Final[Mapping[str, Make]] = {
    "reconciliation": as_reports.reconciled,
    "tables": as_reports.by_table,
    "hits": as_reports.hits,
    "liabilities": as_reports.owed,
    "hours": as_reports.by_hour,
    "expected": as_reports.expected,
    "meters": as_reports.metered,
}
__all__ = [
    "REPORTS",
    "by_table_and_day",
    "contributions_by_table_and_hour",
    "expected_and_observed",
    "hits_history",
    "liabilities",
    "meters",
    "poisson_band",
    "reconciliation",
]
