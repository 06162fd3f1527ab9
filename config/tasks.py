"""The tick: each room that has work that falls due offers one (``kernel.rooms.Tick``)."""

from __future__ import annotations

import time

import structlog
from django.utils import timezone

from config.celery import app
from kernel import heartbeats
from kernel.rooms import Tick, offered_by
from kernel.tasks import TICK
from web import metrics

log = structlog.get_logger(__name__)


@app.task(name=TICK)
def tick(room: str) -> None:
    """One room's due work. Each room has its own message, so that a slow one holds up nobody else."""
    due = dict(offered_by(Tick))[room].run
    started = time.perf_counter()
    try:
        due(timezone.now())
    except Exception:
        metrics.TICKS.labels(room=room, outcome="failed").inc()
        log.exception("tick failed", room=room)
        raise
    heartbeats.leave(room)
    metrics.TICKS.labels(room=room, outcome="done").inc()
    metrics.TICK_SECONDS.labels(room=room).observe(time.perf_counter() - started)
