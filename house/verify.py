"""The house's part of the offline check of an export. Pure."""

from __future__ import annotations

from kernel.export_check import RoomCheck


class Check(RoomCheck):
    name = "House"
    transfers = frozenset(
        {
            "ledger.adjustment",
        }
    )
