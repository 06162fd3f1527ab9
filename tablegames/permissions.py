"""What people may do with table games, and who may in a new house."""

from __future__ import annotations

from kernel.authority import Authority
from kernel.codes import Permission

VIEW = Permission(
    "tablegames.view",
    "See tables, their signs, checks of hands, over- and underpayments",
    roles=("supervisor", "manager", "inspector", "administrator", "auditor"),
)
CHECK = Permission("tablegames.check", "Check a settled hand and record what was paid", roles=("supervisor", "manager"))
SIGNS = Permission(
    "tablegames.signs",
    "Put up notices at tables, raise minimums, seat players, close a table; propose a higher maximum",
    roles=("supervisor", "manager"),
    people=2,
    note="Within the approved sign takes one. A maximum above it, for a table or one player, another person decides.",
)
RECTIFY = Permission(
    "tablegames.rectify",
    "Follow an over- or underpayment: enquire, contact, pay and take back",
    roles=("supervisor", "manager"),
    people=2,
    note="Who wrote an underpayment down does not pay it. To enquire, to contact and to take back takes one.",
)
CLOSE = Permission(
    "tablegames.close",
    "Close an over- or underpayment",
    roles=("manager",),
    people=2,
    note="Never who wrote it down: what is given up is lost to the house.",
)
REPORTS = Permission(
    "tablegames.reports",
    "Read the reports of table games",
    roles=("supervisor", "manager", "inspector", "administrator", "auditor"),
)
DECIDE = Permission(
    "approvals.decide.tablegames",
    "Approve tables and signs that the rules leave to the house",
    roles=("manager",),
    people=2,
    authority=Authority.HOUSE,
)
