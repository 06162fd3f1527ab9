"""What the ledger lets people do. Money moves only through the verbs of the rooms; here it is read and corrected."""

from __future__ import annotations

from house.permissions import declare

DECIDE = declare("approvals.decide.ledger", "Approve adjustments of the books", roles=("manager",))
PROPOSE = declare("ledger.adjust", "Propose an adjustment of the books", roles=("supervisor", "manager"))
ROTATE = declare("ledger.rotate-key", "Hand over to a new sealing key", roles=("administrator",))
EXPORT = declare(
    "audit.export",
    "Take the signed audit trail away, and have it verified",
    roles=("manager", "inspector", "administrator", "auditor"),
)
