"""Incidents as the pages show them: their title, and the clocks of their notices."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any, Final

from house.incident_kinds import IncidentKind, kinds
from house.incidents import GRACE
from house.models import Notice
from web import words

WITHIN: Final = {"immediately": "immediately", "48-hours": "within 48 hours", "month-end": "by the end of the month"}


def title(kind: str) -> str:
    known = kinds().get(kind)
    return known.label if known else words.label(kind)


def clocks(notices: Iterable[Notice], *, now: dt.datetime) -> list[Any]:
    rows: list[Any] = list(notices)
    for row in rows:
        row.addressee = words.label(row.to)
        row.within = WITHIN.get(row.deadline, "told as well")
        # The same moment as house.incidents.overdue, so that the words and the list agree.
        row.is_overdue = row.told_at is None and row.due_at is not None and row.due_at < now - GRACE
        row.late = words.span(now - row.due_at) if row.is_overdue else ""
        left = words.span(max(row.due_at - now, dt.timedelta())) if row.due_at and not row.told_at else ""
        row.left = "now" if left == "no time" else f"in {left}"
    return rows


def says(kind: IncidentKind) -> str:
    """Who is told and by when, in a sentence."""
    if not kind.notices:
        return "Recorded; nobody has to be told."
    told = words.listed(f"{to} {WITHIN[deadline]}" for to, deadline in kind.notices)
    return f"{words.label(told)}."
