"""The rooms that check what is theirs in an export: one line each."""

from __future__ import annotations

import jackpot.verify
import keno.verify
from kernel.export_check import RoomCheck


def room_checks(*, ticket: str | None = None) -> list[RoomCheck]:
    """A check of each room that has one. *ticket*: a serial whose place in its draws is to be shown."""
    return [keno.verify.Check(ticket=ticket), jackpot.verify.Check()]
