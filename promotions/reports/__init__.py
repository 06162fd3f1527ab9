"""The reports on promotions, by name. Each takes the first and the last day, on the venue's calendar."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from promotions.reports.terms import register, submissions
from promotions.reports.winners import overdue_notifications, winners
from web.reports import Make

REPORTS: Final[Mapping[str, Make]] = {
    "register": register,
    "submissions": submissions,
    "winners": winners,
    "overdue-notifications": overdue_notifications,
}
