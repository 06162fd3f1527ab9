"""What every room's tournaments share: who sees the players, and from which amount two people pay."""

from __future__ import annotations

from kernel.authority import Authority
from kernel.codes import Limit, Permission

SUPERVISED_ABOVE = Limit(
    "tournaments.supervised-above", "the amount above which a tournament’s prize is authorised first"
)

NAMES = Permission(
    "tournaments.players",
    "See the names of the players in a tournament",
    roles=("supervisor", "manager", "inspector"),
    personal=True,
)
DECIDE_CALL_OFF = Permission(
    "tournaments.call-off",
    "Decide that a tournament is called off, as another person proposed",
    roles=("supervisor", "manager"),
    people=2,
    authority=Authority.HOUSE,
    note="Every fee is owed back then. Neither of the two hands one over.",
)
