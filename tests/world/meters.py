"""A disagreement about a table's meter, closed by a supervisor and a manager."""

from __future__ import annotations

from typing import Any

from house.approvals import approve, propose
from house.models import Proposal
from jackpot.models import MeterDisagreement
from tests.world.people import MANAGER, SUPERVISOR


def explained(found: MeterDisagreement, *, subject: str = "", **changed: Any) -> Proposal:
    """One person says why; the other has not decided."""
    new = {
        "disagreement": found.pk,
        "shown": found.shown,
        "counted": found.counted,
        "unseen": found.unseen,
        "cause": "meter-fault",
        "wagers": 0,
    }
    return propose(
        kind="jackpot.meter-disagreement",
        subject=subject or f"table:{found.table.code}",
        new=new | changed,
        why="Looked at.",
        by=SUPERVISOR,
    )


def closed_by_two(found: MeterDisagreement, wagers: int) -> Proposal:
    """So many wagers nobody had counted, or none."""
    cause = "not-counted" if wagers else "restarted"
    return approve(proposal_id=explained(found, cause=cause, wagers=wagers).pk, by=MANAGER)
