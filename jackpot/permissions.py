"""What people and devices may do with jackpots, who may in a new house, and what each power needs."""

from __future__ import annotations

from typing import Final

from kernel.authority import Authority
from kernel.codes import ANYWHERE, Permission

EVERYBODY: Final = (
    "writer", "dealer", "table", "supervisor", "manager", "inspector", "administrator", "auditor", "signage",
)  # fmt: skip
_FLOOR: Final = ("supervisor", "manager")
_OFFICE: Final = (*_FLOOR, "inspector", "administrator", "auditor")
_OWN_TABLE: Final = "A table’s device at its own tables only."

VIEW = Permission("jackpot.view", "See jackpots, tables, rounds and hits", roles=EVERYBODY, at=ANYWHERE)
PLAY = Permission(
    "jackpot.play", "Start and finish rounds", roles=("table", "dealer", "supervisor"), at=ANYWHERE, note=_OWN_TABLE
)
CONTRIBUTE = Permission(
    "jackpot.contribute",
    "Send contributions counted by a controller",
    roles=("table",),
    at=ANYWHERE,
    note=f"{_OWN_TABLE} What seems unreasonable waits for a person.",
)
VOID = Permission(
    "jackpot.void",
    "Void a round that was dealt wrongly",
    roles=("table", "dealer", *_FLOOR),
    at=ANYWHERE,
    note="The table that started it, or a supervisor.",
)
INVALIDATE = Permission(
    "jackpot.invalidate",
    "Invalidate a round",
    roles=_FLOOR,
    people=2,
    note="Where something was won in it, never who dealt or verified that.",
)
VERIFY = Permission(
    "jackpot.verify",
    "Verify a jackpot hit",
    roles=_FLOOR,
    people=2,
    note="Never who dealt it. The cards are entered unseen, with surveillance’s reference.",
)
CARDS = Permission(
    "jackpot.cards", "See the cards of a hit before it is verified; never who verifies", roles=("inspector", "auditor")
)
PAY = Permission(
    "jackpot.pay",
    "Pay a verified jackpot hit",
    roles=("manager",),
    people=3,
    note="Never who dealt or verified it; what is reported, to somebody who shows who he is.",
)
AUTHORISE = Permission(
    "jackpot.authorise",
    "Authorise the payment of a large jackpot hit",
    roles=("manager",),
    people=4,
    note="From the approved amount on. Never who dealt, verified or pays it.",
)
DENY = Permission("jackpot.deny", "Deny a jackpot hit", roles=_FLOOR, people=2, note="Never who dealt or verified it.")
TABLES = Permission("jackpot.tables", "Open, close and suspend a table’s jackpot", roles=_FLOOR)
HELD = Permission(
    "jackpot.held",
    "Decide on contributions held back as unreasonable",
    roles=_FLOOR,
    people=2,
    note="Never who sent them.",
)
REPORTS = Permission("jackpot.reports", "Read the jackpot reports", roles=_OFFICE)
SLIPS = Permission("jackpot.slips", "Print the slips of hits", roles=_OFFICE)
DECIDE = Permission(
    "approvals.decide.jackpot",
    "Approve adjustments of jackpots, and links that no gazetted rule governs",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
)
DICE = Permission(
    "jackpot.dice",
    "Throw dice for a must-hit-by jackpot whose witness is away",
    roles=("inspector",),
    note="An inspector in his own name; marked for ever.",
)
VOID_MOVEMENT = Permission(
    "jackpot.void-movement",
    "Stand behind declaring an attempt at a must-hit-by movement void",
    roles=_FLOOR,
    people=3,
    note="One proposes, another stands behind it, an inspector decides. Never after it is decided.",
)
