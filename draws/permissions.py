from __future__ import annotations

from kernel.codes import Permission

VIEW_DRAWS = Permission(
    "draws.view",
    "See draws that wait for the witness, were void or were not witnessed",
    roles=("supervisor", "manager", "inspector", "administrator", "auditor"),
)
