"""Long work as every page shows it (``web/_work.html``): how far it is, and what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from house import people
from web import words, work
from web.models import Work, WorkState

_TONES = {WorkState.DONE: "good", WorkState.FAILED: "stopped", WorkState.CANCELLED: ""}


def described(rows: Iterable[Work]) -> list[Any]:
    found: list[Any] = list(rows)
    names = people.names(row.made_by for row in found)
    for row in found:
        row.label = work.kinds()[row.kind].label
        row.person = names.get(row.made_by, row.made_by)
        row.tone = _TONES.get(WorkState(row.state), "attention")
        row.said = _said(row)
    return found


def _said(row: Work) -> str:
    if row.is_over:
        return row.outcome
    if row.cancel_asked:
        return "Stops at its next step."
    if row.state == WorkState.WAITING:
        return "Waits for a worker."
    return f"{words.number(row.done)} of {words.number(row.total)}" if row.total else "Begins."
