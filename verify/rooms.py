"""The rooms that check what is theirs in an export: one line each."""

from __future__ import annotations

import house.verify
import jackpot.verify
import keno.verify
import promotions.export_check
import tablegames.verify
import tournaments.verify
from kernel.export_check import NOTHING_WANTED, RoomCheck, Wanted
from verify import journal
from verify.changes import CHANGES, POWERS, WhoseWord


def room_checks(wanted: Wanted = NOTHING_WANTED) -> list[RoomCheck]:
    """A check of each room, in the order in which they see a row that several read.

    The house comes first: what it has read of people and approvals the others ask it for."""
    first = house.verify.Check(wanted, whose_word=WhoseWord(), changes=CHANGES, powers=POWERS)
    return [
        first,
        keno.verify.Check(wanted, approvals=first.approvals),
        jackpot.verify.Check(wanted),
        promotions.export_check.Check(wanted, approvals=first.approvals),
        tournaments.verify.Check(wanted, approvals=first.approvals),
        tablegames.verify.Check(wanted, approvals=first.approvals),
        journal.Check(),
    ]
