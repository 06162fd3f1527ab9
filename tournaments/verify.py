"""Tournaments' part of the offline check of an export. Pure."""

from __future__ import annotations

from kernel.export_check import RoomCheck


class Check(RoomCheck):
    name = "Tournaments"
    transfers = frozenset(
        {
            "keno.tournament-entry",
            "keno.tournament-prize",
            "keno.tournament-retained",
            "keno.tournament-refund",
            "promotions.tournament-entry",
            "promotions.tournament-prize",
            "promotions.tournament-retained",
            "promotions.tournament-refund",
        }
    )
