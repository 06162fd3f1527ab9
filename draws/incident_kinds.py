from __future__ import annotations

from house.incident_kinds import IMMEDIATELY, INSPECTOR, IncidentKind

DRAW_WAITS = IncidentKind("draw-waits", "A draw waits: the witness was asked, and nothing was said yet")
DRAWS_VOID = IncidentKind(
    "draws-void",
    "More than one attempt at a draw was void on a gaming day",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
MASTER_LOST = IncidentKind(
    "master-lost",
    "The master of a draw does not open any more: an inspector gives it back from escrow",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
