"""What every room's tournaments share: who sees the players, and from which amount two people pay."""

from __future__ import annotations

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
