"""The table games in the frame."""

from __future__ import annotations

from typing import Final

from web import sections
from web.frame import NavigationEntry, NavigationGroup

OFFERS: Final = (
    NavigationGroup(
        40,
        sections.JACKPOTS,
        (
            NavigationEntry("Check a hand", "tables-settle", "tick"),
            NavigationEntry("Signs", "tables-signs", "list"),
            NavigationEntry("Over- and underpaid", "tables-errors", "alert"),
        ),
    ),
)
