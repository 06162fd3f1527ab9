"""What people and devices may do with jackpots, and who may in a new house."""

from __future__ import annotations

from typing import Final

from house.permissions import declare

EVERYBODY: Final = (
    "writer", "dealer", "table", "supervisor", "manager", "inspector", "administrator", "auditor", "signage",
)  # fmt: skip

VIEW = declare("jackpot.view", "See jackpots, tables, rounds and hits", roles=EVERYBODY)
PLAY = declare("jackpot.play", "Start and finish rounds", roles=("table", "dealer", "supervisor"))
CONTRIBUTE = declare("jackpot.contribute", "Send contributions counted by a controller", roles=("table",))
VOID = declare(
    "jackpot.void", "Void a round that was dealt wrongly", roles=("table", "dealer", "supervisor", "manager")
)
INVALIDATE = declare("jackpot.invalidate", "Invalidate a round", roles=("supervisor", "manager"))
VERIFY = declare("jackpot.verify", "Verify a jackpot hit", roles=("supervisor", "manager"))
PAY = declare("jackpot.pay", "Pay a verified jackpot hit", roles=("manager",))
DENY = declare("jackpot.deny", "Deny a jackpot hit", roles=("supervisor", "manager"))
TABLES = declare("jackpot.tables", "Open, close and suspend a table’s jackpot", roles=("supervisor", "manager"))
HELD = declare("jackpot.held", "Decide on contributions held back as unreasonable", roles=("supervisor", "manager"))
REPORTS = declare(
    "jackpot.reports",
    "Read the jackpot reports",
    roles=("supervisor", "manager", "inspector", "administrator", "auditor"),
)
SLIPS = declare(
    "jackpot.slips", "Print the slips of hits", roles=("supervisor", "manager", "inspector", "administrator", "auditor")
)
THRESHOLD = declare(
    "jackpot.threshold", "See and send the reports of cash payments of $10,000 or more", roles=("manager",)
)
DECIDE = declare("approvals.decide.jackpot", "Approve changes of jackpots", roles=("manager",))
