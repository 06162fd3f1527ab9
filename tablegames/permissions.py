"""What people may do with table games, and who may in a new house."""

from __future__ import annotations

from house.permissions import declare

VIEW = declare(
    "tablegames.view",
    "See tables, their signs, checks of hands, over- and underpayments",
    roles=("supervisor", "manager", "inspector", "administrator", "auditor"),
)
CHECK = declare("tablegames.check", "Check a settled hand and record what was paid", roles=("supervisor", "manager"))
RECTIFY = declare(
    "tablegames.rectify",
    "Follow an over- or underpayment: enquire, contact, pay and take back",
    roles=("supervisor", "manager"),
)
CLOSE = declare("tablegames.close", "Close an over- or underpayment", roles=("manager",))
REPORTS = declare(
    "tablegames.reports",
    "Read the reports of table games",
    roles=("supervisor", "manager", "inspector", "administrator", "auditor"),
)
DECIDE = declare("approvals.decide.tablegames", "Approve tables and their pay tables", roles=("manager",))
