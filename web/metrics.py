"""Figures for Prometheus, from every process of this installation.

Web runs in several processes and the worker in others; each writes its figures to a small file in the data folder and
whoever is asked adds them up. So one scrape of any web process tells the whole.
"""

from __future__ import annotations

import os
import time
from functools import cache
from pathlib import Path

import psutil
from django.db import connection

from kernel.environment import data_folder

FOLDER = Path(os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", str(data_folder() / "metrics")))
FOLDER.mkdir(parents=True, exist_ok=True)

# After the folder is named: the library reads it when it is imported.
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess  # noqa: E402

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

REQUESTS = Counter("meterhouse_requests_total", "Requests answered", ["route", "method", "status"])
SECONDS = Histogram(
    "meterhouse_request_seconds",
    "Time to answer",
    ["route", "method"],
    buckets=(0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5),
)
REFUSALS = Counter("meterhouse_refusals_total", "Refusals, by their code", ["code"])
TICKS = Counter("meterhouse_ticks_total", "Ticks of the worker", ["room", "outcome"])
TICK_SECONDS = Histogram(
    "meterhouse_tick_seconds", "Time a tick takes", ["room"], buckets=(0.01, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10)
)
POOL_SIZE = Gauge("meterhouse_db_pool_size", "Database connections held", multiprocess_mode="livesum")
POOL_FREE = Gauge("meterhouse_db_pool_available", "Database connections free", multiprocess_mode="livesum")
POOL_WAITING = Gauge("meterhouse_db_pool_waiting", "Requests waiting for a connection", multiprocess_mode="livesum")
WITNESS_AWAY_SECONDS = Gauge(
    "meterhouse_witness_away_seconds", "For how long the witness has not answered", multiprocess_mode="mostrecent"
)
WITNESS_QUESTIONS = Gauge(
    "meterhouse_witness_questions_waiting", "Questions without an answer", multiprocess_mode="mostrecent"
)
DRAWS_WAITING = Gauge(
    "meterhouse_draws_waiting", "Draws that wait for the witness or a round", multiprocess_mode="mostrecent"
)
DRAWS_LONGEST_WAIT_SECONDS = Gauge(
    "meterhouse_draws_longest_wait_seconds", "For how long the first of them has waited", multiprocess_mode="mostrecent"
)
DRAWS_VOID = Gauge("meterhouse_draws_void", "Attempts void on this gaming day", multiprocess_mode="mostrecent")
SEALS_WAITING_SECONDS = Gauge(
    "meterhouse_seals_waiting_seconds",
    "For how long the oldest row has waited for its seal",
    multiprocess_mode="mostrecent",
)
LOOP_AGE_SECONDS = Gauge(
    "meterhouse_loop_age_seconds", "For how long a loop has not turned", ["loop"], multiprocess_mode="mostrecent"
)

LATE_SECONDS = Gauge(
    "meterhouse_late_seconds", "By how much something is late", ["what"], multiprocess_mode="mostrecent"
)
AT_STAKE_DOLLARS = Gauge(
    "meterhouse_at_stake_dollars",
    "What is on sale now could pay out at most",
    ["room"],
    multiprocess_mode="mostrecent",
)
CLOCK_SYNCHRONISED = Gauge(
    "meterhouse_clock_synchronised",
    "Whether this machine's clock is kept by something (1), or by nobody (0)",
    multiprocess_mode="mostrecent",
)
MESSAGES_DROPPED = Counter("meterhouse_messages_dropped_total", "Messages of the queue that could not be read")
QUEUE_MESSAGES = Gauge("meterhouse_queue_messages", "Messages that no worker has taken", multiprocess_mode="mostrecent")


@cache
def of_requests(route: str, method: str, status: int) -> tuple[Counter, Histogram]:
    """How many were answered so, and in what time. The library looks for its labels anew whenever it is asked."""
    return REQUESTS.labels(route, method, str(status)), SECONDS.labels(route, method)


_noted_at = float("-inf")


def note_pool() -> None:
    """The pool as this process sees it now; once a second is often enough for those who ask every few."""
    global _noted_at  # noqa: PLW0603  one memory for the process
    now = time.monotonic()
    if now - _noted_at < 1:
        return
    _noted_at = now
    pool = getattr(connection, "pool", None)  # None where pooling is off, as in tests
    if pool is None:
        return
    stats = pool.get_stats()
    POOL_SIZE.set(stats.get("pool_size", 0))
    POOL_FREE.set(stats.get("pool_available", 0))
    POOL_WAITING.set(stats.get("requests_waiting", 0))


def text() -> bytes:
    """Everything, in Prometheus's text format. What dead processes held open is not counted as open."""
    for file in FOLDER.glob("gauge_live*_*.db"):
        pid = file.stem.rsplit("_", 1)[-1]
        if pid.isdigit() and not psutil.pid_exists(int(pid)):
            file.unlink(missing_ok=True)
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry, str(FOLDER))
    return generate_latest(registry)


def start_afresh() -> None:
    """Forget the figures of an earlier run. For the supervisor, before it starts the first process."""
    for file in FOLDER.glob("*.db"):
        file.unlink(missing_ok=True)
