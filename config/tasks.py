"""The tick: each room that has work that falls due offers one (``kernel.rooms.Tick``)."""

from __future__ import annotations

import time

import structlog
from django.utils import timezone

from config.celery import app
from kernel import heartbeats
from kernel.clock_source import is_right
from kernel.rooms import Tick, offered_by
from kernel.tasks import TICK
from web import metrics

log = structlog.get_logger(__name__)


@app.task(name=TICK)
def tick(*rooms: str) -> None:
    """These rooms' due work. One that fails keeps no other from it, and the task fails when all have had their turn."""
    failed: Exception | None = None
    for room in rooms:
        try:
            _tick(room)
        except Exception as error:
            failed = error
    if failed is not None:
        raise failed


def _tick(room: str) -> None:
    due = dict(offered_by(Tick))[room].run
    started = time.perf_counter()
    try:
        if not is_right():
            metrics.TICKS.labels(room=room, outcome="clock").inc()
            log.error("tick left: this machine's clock is not the database's", room=room)
            return
        due(timezone.now())
    except Exception:
        metrics.TICKS.labels(room=room, outcome="failed").inc()
        log.exception("tick failed", room=room)
        raise
    heartbeats.leave(room)
    metrics.TICKS.labels(room=room, outcome="done").inc()
    metrics.TICK_SECONDS.labels(room=room).observe(time.perf_counter() - started)
