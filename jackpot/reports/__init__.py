"""The jackpots' reports: rows of plain values (``rows``), and the same as tables with charts (``tables``).

`REPORTS` names them all: what the API and the console offer.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from house.api.reports import Make
from jackpot.reports import tables
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

REPORTS: Final[Mapping[str, Make]] = {
    "reconciliation": tables.reconciled,
    "tables": tables.by_table,
    "hits": tables.hits,
    "liabilities": tables.owed,
    "hours": tables.by_hour,
    "expected": tables.expected,
    "meters": tables.metered,
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
