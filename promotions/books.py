"""Promotions in the back office. A promotion's prizes are a cost and no part of gaming revenue; retained fees are."""

from __future__ import annotations

from typing import Final

from house.books.games import PlayedGame
from promotions import accounts

GAME: Final = PlayedGame(
    code="promotions",
    label="Tournaments and promotions",
    stakes=(accounts.TOURNAMENT_FEES,),
    suggested=(
        (accounts.CAGE, "1310", "Cage, promotions"),
        (accounts.BANK, "1320", "Bank, promotions"),
        ("promotions:*", "2310", "Promotions, liabilities"),
        (accounts.TOURNAMENT_FEES, "4310", "Tournaments, fees retained"),
        (accounts.PRIZES, "5310", "Promotions, prizes"),
    ),
)
