"""The rooms that check what is theirs in an export: one line each."""

from __future__ import annotations

import house.verify
import jackpot.verify
import keno.verify
import promotions.export_check
import tablegames.verify
import tournaments.verify
from kernel.export_check import NOTHING_WANTED, RoomCheck, Wanted


def room_checks(wanted: Wanted = NOTHING_WANTED) -> list[RoomCheck]:
    """A check of each room, in the order in which they see a row that several read."""
    return [
        house.verify.Check(wanted),
        keno.verify.Check(wanted),
        jackpot.verify.Check(wanted),
        promotions.export_check.Check(wanted),
        tournaments.verify.Check(wanted),
        tablegames.verify.Check(wanted),
    ]
