"""Table games in the back office: the poker room's commission. The tables' own wins and losses are not kept here."""

from __future__ import annotations

from typing import Final

from house.books.games import PlayedGame
from tablegames import accounts

GAME: Final = PlayedGame(
    code="tablegames",
    label="Poker room",
    stakes=(accounts.COMMISSION,),
    suggested=(
        (accounts.FLOAT, "1410", "Floats of the tables"),
        (accounts.CAGE, "1420", "Cage, tables"),
        (accounts.OVERPAID, "1430", "Tables, overpaid, asked back"),
        (accounts.UNDERPAID, "2410", "Tables, owed to patrons"),
        (accounts.COMMISSION, "4410", "Poker room, commission"),
        (accounts.ERRORS, "5410", "Tables, overpaid and given up"),
    ),
)
