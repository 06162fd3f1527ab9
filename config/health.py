"""Alive and ready. ``/healthz`` says that this process answers; ``/readyz`` that it can do its work.

A room offers its own condition as a ``Readiness``: its check raises, or answers a short figure that is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any, Final

import structlog
from celery import current_app
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from kernel import heartbeats, redis
from kernel.clock_source import is_right
from kernel.rooms import Readiness, offered

WORKER_LATE_SECONDS: Final = 30.0

Check = Callable[[], Any]

log = structlog.get_logger(__name__)
_migrated = Event()


def _database() -> None:
    """It answers, and can be written to: after a failover an address may lead to a standby."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::boolean")
        if cursor.fetchone()[0]:
            raise RuntimeError("the database is read-only")


def _redis() -> None:
    """It answers, and takes what is written: a full one reads and refuses."""
    with redis.client() as client:
        client.set("meterhouse:probe", "1", ex=60)


def _broker() -> None:
    with current_app.connection_for_write() as line:
        line.ensure_connection(max_retries=1, interval_start=0, timeout=2)


def _worker() -> str:
    """Some worker has done a tick: the broker brought it, and it reached the database."""
    ages = heartbeats.ages().values()
    if not ages:
        raise RuntimeError("no worker has done anything yet")
    if min(ages) > WORKER_LATE_SECONDS:
        raise RuntimeError(f"no worker has done anything for {min(ages):.0f} s")
    return f"{min(ages):.0f} s ago"


def _clock() -> None:
    """This machine's is the database's: what is due, expired or of today is asked of it."""
    if not is_right():
        raise RuntimeError("this machine's clock is not the database's")


def _migrations() -> None:
    """Once everything is applied it stays so while this code runs; until then look each time."""
    if _migrated.is_set():
        return
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise RuntimeError(f"{len(waiting)} migrations are not applied")
    _migrated.set()


_OWN: Final[dict[str, Check]] = {
    "database": _database,
    "redis": _redis,
    "broker": _broker,
    "worker": _worker,
    "clock": _clock,
    "migrations": _migrations,
}


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


def readyz(request: HttpRequest) -> JsonResponse:
    """503 with the names of what fails. The reasons are in the log: they are not for everybody."""
    results: dict[str, Any] = {}
    failing: list[str] = []
    checks = _OWN | {each.name: each.check for each in offered(Readiness)}
    for name, function in checks.items():
        try:
            results[name] = function() or "ok"
        except Exception as error:  # whatever it is, it means not ready
            log.warning("not ready", check=name, error=str(error))
            failing.append(name)
            results[name] = "failing"
    ready = not failing
    body = {"status": "ready" if ready else "not ready", "failing": failing, "checks": results}
    return JsonResponse(body, status=200 if ready else 503)
