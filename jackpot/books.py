"""Jackpots in the back office. Of a wager the pools' share is the players'; what the house keeps is its revenue."""

from __future__ import annotations

from typing import Final

from house.books.games import MonthEnd, PlayedGame
from jackpot.reports import REPORTS

GAME: Final = PlayedGame(
    code="jackpots",
    label="Jackpots",
    stakes=("jackpot:*:house",),
    suggested=(
        ("jackpot:*:drop", "1210", "Jackpots, wagers taken at tables"),
        ("jackpot:*:cash", "1220", "Jackpots, paid in cash"),
        ("jackpot:*:chips", "1230", "Jackpots, paid in chips"),
        ("jackpot:*:cheque", "1240", "Jackpots, paid from the bank"),
        ("jackpot:*:transfer", "1240", "Jackpots, paid from the bank"),
        ("jackpot:*:advance", "1250", "Jackpots, advanced by the house"),
        ("jackpot:*", "2210", "Jackpots, pools"),
        ("jackpot:*:winners", "2220", "Jackpots, owed to winners"),
        ("jackpot:*:instalments", "2220", "Jackpots, owed to winners"),
        ("jackpot:*:tax", "2230", "Jackpots, tax withheld"),
        ("jackpot:*:house", "4210", "Jackpots, kept by the house"),
    ),
)
OWED: Final = MonthEnd(REPORTS["liabilities"])
