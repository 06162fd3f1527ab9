"""The tick. A room that has work that falls due has a ``tick.py`` with ``tick(now)``; having it is registering it."""

from __future__ import annotations

import time
from datetime import datetime
from importlib import import_module
from typing import Any, Protocol

import structlog
from django.utils import timezone

from config import metrics
from config.celery import app

log = structlog.get_logger(__name__)


class Tick(Protocol):
    def __call__(self, now: datetime) -> Any: ...


@app.task(name="tick")
def tick(room: str) -> None:
    """One room's due work. Each room has its own message, so that a slow one holds up nobody else."""
    due: Tick = import_module(f"{room}.tick").tick
    started = time.perf_counter()
    try:
        due(timezone.now())
    except Exception:
        metrics.TICKS.labels(room=room, outcome="failed").inc()
        log.exception("tick failed", room=room)
        raise
    metrics.TICKS.labels(room=room, outcome="done").inc()
    metrics.TICK_SECONDS.labels(room=room).observe(time.perf_counter() - started)
