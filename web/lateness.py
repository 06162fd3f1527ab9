"""Whether the workers' loops turn, and whether long work is begun."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from kernel import heartbeats
from kernel.rooms import Lateness, Tick, offered_by
from web.models import Work, WorkState

LOOP_SECONDS: Final = 30.0
WORK_SECONDS: Final = 120.0


def loops(now: datetime) -> float:
    """How long ago the loop that has stood still for longest last turned. One that never did is not known here."""
    turning = {room for room, _ in offered_by(Tick)}
    return max((age for loop, age in heartbeats.ages().items() if loop in turning), default=0.0)


def work(now: datetime) -> float:
    first = Work.objects.filter(state=WorkState.WAITING).order_by("made_at").first()
    return (now - first.made_at).total_seconds() if first is not None else 0.0


LOOPS = Lateness("loops", "No worker has done some room's tick", LOOP_SECONDS, loops)
WORK = Lateness("work", "Long work waits for a worker", WORK_SECONDS, work)
