"""The reports on promotions, by name. Each takes the first and the last day, on the venue's calendar."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from house.reports import Report
from promotions.reports.terms import register, submissions
from promotions.reports.winners import overdue_notifications, winners

REPORTS: Final[Mapping[str, Callable[[date, date], Report]]] = {
    "register": register,
    "submissions": submissions,
    "winners": winners,
    "overdue-notifications": overdue_notifications,
}
