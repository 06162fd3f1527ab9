"""What the audit lets people do."""

from __future__ import annotations

from kernel.codes import Permission

EXPORT = Permission(
    "audit.export",
    "Take the signed audit trail away, and have it verified",
    roles=("manager", "inspector", "administrator", "auditor"),
)
