"""Reports that are late: an incident, once each.

Of which kind a report is, and whom it is about, the incident does not say: who may know finds it in his list.
"""

from __future__ import annotations

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Model, Q

from house.cash.queries import OPEN_MATTER
from house.incident_kinds import REPORT_OVERDUE
from house.incidents import open_incident
from house.models import SuspiciousMatter, ThresholdReport
from kernel.actors import system

_SYSTEM: Final = system("cash")
_REPORTS_AT_ONCE: Final = 100
_WORDS: Final = "A report to the authority is overdue. Whoever sends such reports finds it at the top of his list."
_REPORTS: Final[tuple[tuple[type[Model], Q], ...]] = (
    (ThresholdReport, Q(reported_at=None)),
    (SuspiciousMatter, OPEN_MATTER),
)


def note_overdue(now: datetime) -> int:
    """How many were found. Two workers at once note each one once."""
    noted = 0
    for model, is_open in _REPORTS:
        late = model._default_manager.filter(is_open, due_at__lte=now, late_incident=None)
        if not late.exists():
            continue
        with transaction.atomic():
            for row in late.select_for_update(skip_locked=True, of=("self",)).order_by("pk")[:_REPORTS_AT_ONCE]:
                incident = open_incident(kind=REPORT_OVERDUE, what=_WORDS, by=_SYSTEM, happened_at=row.due_at)  # type: ignore[attr-defined]
                model._default_manager.filter(pk=row.pk).update(late_incident=incident)
                noted += 1
    return noted
