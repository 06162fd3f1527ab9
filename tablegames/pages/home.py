"""The table games in the frame."""

from __future__ import annotations

from typing import Final

from web.frame import NavigationEntry, NavigationGroup

OFFERS: Final = (
    NavigationGroup(
        40,
        "Tables",
        (
            NavigationEntry("Check a hand", "tables-settle", "tick", "x"),
            NavigationEntry("Signs", "tables-signs", "list", "]"),
            NavigationEntry("Over- and underpaid", "tables-errors", "alert", "e"),
        ),
    ),
)
