"""What may be done with the audit trail, and by whom."""

from __future__ import annotations

from console.permissions import EXPORT
from kernel.actors import Actor


def audit_steps(by: Actor) -> frozenset[str]:
    """Each page of the audit offers the way to the exports to those who may take them away."""
    return frozenset({"export"} if by.may(EXPORT) else ())
