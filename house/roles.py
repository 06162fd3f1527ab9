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
