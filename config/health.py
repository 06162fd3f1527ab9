"""Alive and ready. ``/healthz`` says that this process answers; ``/readyz`` that it can do its work.

A room adds its own condition from its ``AppConfig.ready``: ``health.check("seal", function)``. The function raises, or
returns a short figure that is shown.
"""

from __future__ import annotations

from collections.abc import Callable
from threading import Event
from typing import Any

import structlog
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse

from config import redis

Check = Callable[[], Any]

log = structlog.get_logger(__name__)
_checks: dict[str, Check] = {}
_migrated = Event()


def check(name: str, function: Check) -> None:
    _checks[name] = function


def _database() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")


def _redis() -> None:
    with redis.client() as client:
        client.ping()


def _migrations() -> None:
    """Once everything is applied it stays so while this code runs; until then look each time."""
    if _migrated.is_set():
        return
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    if waiting:
        raise RuntimeError(f"{len(waiting)} migrations are not applied")
    _migrated.set()


check("database", _database)
check("redis", _redis)
check("migrations", _migrations)


def healthz(request: HttpRequest) -> JsonResponse:
    return JsonResponse({"status": "alive"})


def readyz(request: HttpRequest) -> JsonResponse:
    """503 with the names of what fails. The reasons are in the log: they are not for everybody."""
    results: dict[str, Any] = {}
    failing: list[str] = []
    for name, function in _checks.items():
        try:
            results[name] = function() or "ok"
        except Exception as error:  # whatever it is, it means not ready
            log.warning("not ready", check=name, error=str(error))
            failing.append(name)
            results[name] = "failing"
    ready = not failing
    body = {"status": "ready" if ready else "not ready", "failing": failing, "checks": results}
    return JsonResponse(body, status=200 if ready else 503)
