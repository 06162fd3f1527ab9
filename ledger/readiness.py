"""Whether the seals keep up: what ``/readyz`` and the home page say about the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.db import connection

from ledger.rewound_log import stands_still
from ledger.seal import refuse_restored_dump

LATE: Final = timedelta(seconds=60)

_STATE = """
    SELECT s.number, s.at, s.size,
           (SELECT min(at) FROM ledger_transfer WHERE tx >= coalesce(s.tx_upto, 0)),
           (SELECT min(at) FROM ledger_act WHERE tx >= coalesce(s.tx_upto, 0)), now()
    FROM (SELECT 1) one LEFT JOIN LATERAL (SELECT * FROM ledger_seal ORDER BY number DESC LIMIT 1) s ON true
"""


@dataclass(frozen=True, slots=True)
class SealState:
    number: int | None
    at: datetime | None
    rows: int
    waiting_since: datetime | None  # the oldest row that no seal covers yet
    late: bool


def seal_state() -> SealState:
    with connection.cursor() as cursor:
        cursor.execute(_STATE)
        number, at, size, transfer, act, now = cursor.fetchone()
    waiting = min((moment for moment in (transfer, act) if moment), default=None)
    # A row may carry an earlier time than it was written (a simulation does): the last seal counts too.
    late = waiting is not None and now - max(waiting, at or waiting) > LATE
    return SealState(number, at, size or 0, waiting, late)


def ready() -> str:
    """For ``/readyz``: raises when rows have waited too long for their seal, or would never get one."""
    refuse_restored_dump()
    if stands_still():
        raise RuntimeError("the log went back: another witness has to be appointed")
    state = seal_state()
    if state.late:
        raise RuntimeError(f"rows have been waiting for a seal since {state.waiting_since}")
    return f"seal {state.number}" if state.number else "nothing to seal yet"
