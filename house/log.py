"""Writing to the log: one act, on the gaming day it belongs to."""

from __future__ import annotations

from datetime import UTC, date, datetime

from house.gaming_days import latest_gaming_day
from kernel import clock
from kernel.actors import Actor
from kernel.acts import Act
from ledger import log


def record_act(act: Act, *, by: Actor, at: datetime | None = None) -> int:
    """Write one act in the caller's transaction: it happened exactly if the act did. Answers its row's number."""
    at = at or clock.in_hand()
    return log.write_act(act, by=by, at=at, day=_day_of(at or datetime.now(UTC)))


def _day_of(moment: datetime) -> date:
    """The gaming day the act belongs to; before the house has had one, the calendar's."""
    day = latest_gaming_day(moment)
    return day.date if day else moment.date()
