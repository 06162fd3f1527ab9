"""The posts of the house. What each may do is data (Grant), seeded from what the rooms declare."""

from __future__ import annotations

from typing import Final

ROLES: Final[dict[str, str]] = {
    "writer": "Keno writer",
    "dealer": "Dealer",
    "table": "Table controller",
    "supervisor": "Gaming supervisor",
    "manager": "Casino manager",
    "inspector": "Inspector",
    "administrator": "Administrator",
    "auditor": "Auditor",
    "signage": "Signage",
}

ADMINISTRATOR: Final = "administrator"
INSPECTOR: Final = "inspector"

# Profiles of devices that stand on the floor and act as themselves, and those that only ever act as a person: their
# holder. A privileged token is the hand of somebody who has that role himself, never a second person.
FLOOR: Final = frozenset({"writer", "table", "signage"})
HELD: Final = frozenset({"supervisor", "manager", "inspector", "administrator", "auditor"})
