"""Keno's reports. Each is a table made by one query over rows and ledger; laid out as CSV and PDF by ``house.reports``.

`REPORTS` names them all: what the API and the console offer.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Final

from house.reports import Report
from keno.reports import counter, games, shifts

Make = Callable[[date, date], Report]

REPORTS: Final[dict[str, Make]] = {
    "games": games.by_game,
    "days": games.by_day,
    "months": games.by_month,
    "shifts": shifts.by_shift,
    "drawers": shifts.drawers,
    "liability": counter.liability,
    "unclaimed": counter.unclaimed_by_age,
    "voids": counter.voids_and_reprints,
    "jackpots": games.jackpots,
}
