from __future__ import annotations

from kernel.codes import Permission
from kernel.money import Money
from kernel.rooms import Acts, Amount, Room, acts_of, all_of
from tournaments import acts, permissions

# Where a room has no approved figure of its own.
SUPERVISED_ABOVE_DEFAULT = Money.dollars(10_000)

ROOM = Room(
    "tournaments",
    *all_of(Permission, permissions),
    Amount(permissions.SUPERVISED_ABOVE, lambda: SUPERVISED_ABOVE_DEFAULT),
    Acts(*acts_of(acts)),
)
