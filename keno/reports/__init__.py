"""Keno's reports. Each is a table made by one query over rows and ledger; laid out as CSV and PDF by ``web.reports``.

`REPORTS` names them all: what the API and the console offer.
"""

from __future__ import annotations

from typing import Final

from keno.reports import counter, games, shifts
from web.reports import Make

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
    "resettled": games.resettled,
    "overpayments": counter.overpayments,
}
