"""Keno in the back office: its gaming revenue, and what it suggests for the general ledger."""

from __future__ import annotations

from typing import Final

from house.books.games import MonthEnd, PlayedGame
from keno.chart import BONUSES, CONTRIBUTIONS, PRIZES, STAKES, TOURNAMENT_FEES
from keno.reports import REPORTS

GAME: Final = PlayedGame(
    code="keno",
    label="Keno",
    stakes=(STAKES, TOURNAMENT_FEES, "jackpot:KENO-*:house"),
    prizes=(PRIZES, BONUSES, CONTRIBUTIONS),
    suggested=(
        ("keno:cage", "1110", "Cage, Keno"),
        ("keno:bank", "1120", "Bank, Keno"),
        ("keno:shift:*", "1130", "Drawers of writers"),
        ("keno:approved-vouchers", "1140", "Vouchers taken in"),
        ("keno:overpaid", "1150", "Paid too much, asked back"),
        ("keno:*", "2110", "Keno, other liabilities"),
        ("keno:stakes-held", "2120", "Keno, games still to play"),
        ("keno:prizes-owing", "2130", "Keno, prizes owing"),
        ("keno:unclaimed", "2140", "Keno, unclaimed prizes"),
        ("keno:stakes", "4110", "Keno, stakes"),
        ("keno:tournament-fees", "4120", "Keno, tournament fees"),
        ("keno:prizes", "5110", "Keno, prizes"),
        ("keno:bonuses", "5110", "Keno, prizes"),
        ("keno:jackpot-contributions", "5120", "Keno, stakes put into jackpots"),
        ("keno:unclaimed-made-good", "5130", "Keno, late claims made good"),
        ("keno:over-short", "5910", "Over and short"),
        ("keno:overpaid-written-off", "5920", "Overpaid and written off"),
    ),
)
DAYS: Final = MonthEnd(REPORTS["days"])
OWING: Final = MonthEnd(REPORTS["liability"])
