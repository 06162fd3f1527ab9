"""What people may do with draws, winners, claims and tournaments."""

from __future__ import annotations

from typing import Final

from house.permissions import declare

_RUNS: Final = ("supervisor", "manager")

DRAW = declare("promotions.draw", "Draw a promotion, call its winners and nominate its scrutineer", roles=_RUNS)
SCRUTINISE = declare(
    "promotions.scrutinise",
    "Oversee a draw as its nominated scrutineer",
    roles=("supervisor", "manager", "inspector", "auditor"),
)
INTEGRITY = declare(
    "promotions.integrity", "Postpone, resume or cancel a promotion whose integrity is in doubt", roles=("manager",)
)
NOTIFY = declare("promotions.notify", "Record attempts to tell a winner", roles=_RUNS)
CLAIM = declare("promotions.claim", "Take a claim for a prize", roles=_RUNS)
DECIDE_CLAIM = declare("promotions.claim.decide", "Accept or deny a claim for a prize", roles=("manager",))
PAY = declare("promotions.pay", "Pay or hand over a prize whose claim another person accepted", roles=_RUNS)
ENTER_TOURNAMENT = declare("tournaments.enter", "Enter a player in a tournament", roles=("writer", *_RUNS))
RUN_TOURNAMENT = declare("tournaments.run", "Score, finish and cancel a tournament, pay its prizes", roles=_RUNS)
DECIDE_TOURNAMENT = declare(
    "tournaments.approve", "Approve the conditions of a tournament", roles=("manager", "inspector")
)
