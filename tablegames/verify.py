"""Table games' part of the offline check of an export. Pure."""

from __future__ import annotations

from kernel.export_check import RoomCheck


class Check(RoomCheck):
    name = "Table games"
    transfers = frozenset(
        {
            "tablegames.overpaid",
            "tablegames.underpaid",
            "tablegames.rectified",
            "tablegames.given-up",
        }
    )
