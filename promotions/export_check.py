"""Promotions' part of the offline check of an export. Pure."""

from __future__ import annotations

from kernel.export_check import RoomCheck


class Check(RoomCheck):
    name = "Promotions"
    transfers = frozenset(
        {
            "promotions.payment",
            "promotions.prize-exchanged",
            "promotions.alternative",
            "promotions.prize",
            "promotions.prize-lost",
        }
    )
