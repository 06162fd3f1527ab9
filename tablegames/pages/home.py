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
            NavigationEntry(
                "Check a hand",
                "tables-settle",
                "tick",
                help="Enter a hand as it lies and see what it pays under the rules. A difference from what was paid is "
                "put on record.",
            ),
            NavigationEntry(
                "Signs",
                "tables-signs",
                "list",
                help="What the sign of each table says: limits that hold, and those that will. A change is announced "
                "before it takes effect.",
            ),
            NavigationEntry(
                "Over- and underpaid",
                "tables-errors",
                "alert",
                help="Payments at tables that were too high or too low, what was tried to put them right, and the "
                "report to the regulator.",
            ),
        ),
    ),
)
