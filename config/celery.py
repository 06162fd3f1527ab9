"""Celery: a tick a second for every room, and short tasks that a verb sends after its commit.

Beat only ticks (decision 8); what is due is rows. A tick that waited too long is dropped, not run late: the next one
finds the same rows. Nothing here is needed to answer a request.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import django
from celery import Celery, Task, signals
from celery.states import SUCCESS

from config import broker, traces
from kernel import environment
from kernel.tasks import TICK, TICK_EXPIRES_SECONDS
from web import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
environment.keep_to_ourselves()

TICK_EVERY_SECONDS = 1.0
HOUR_SECONDS = 3600.0

broker.use()
app = Celery("meterhouse")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Celery itself would close a forked worker's whole pool of connections before and after every task, and seven ticks a
# second would connect anew, which took longer than their work. It still does so after the fork; ``give_back`` is ours.
app.conf.update(CELERY_DB_REUSE_MAX=sys.maxsize)
app.autodiscover_tasks(lambda: ["config", *_rooms()])
logs.follow_into_tasks()
traces.follow_into_tasks(traces.traces("worker"))


def _rooms() -> list[str]:
    from django.apps import apps  # noqa: PLC0415

    if not apps.ready:
        django.setup()
    from django.conf import settings  # noqa: PLC0415

    return list(settings.ROOMS)


@signals.worker_init.connect
def forget_start(**_: object) -> None:
    """What was looked up while the worker started is no connection of its tasks."""
    from django.db import connections  # noqa: PLC0415  Django first

    connections.close_all()


@signals.task_postrun.connect
def give_back(sender: Task[Any, Any], state: str | None = None, **_: object) -> None:
    """A task's connection goes back to its process's pool. One that failed may have lost its database: then the next
    task connects anew."""
    from django.db import close_old_connections, connection  # noqa: PLC0415  Django first

    if sender.request.is_eager:
        return  # the connection is the caller's
    close_old_connections()
    if state != SUCCESS:
        connection.close_pool()  # type: ignore[attr-defined]  # PostgreSQL has one


def beat_schedule() -> dict[str, Any]:
    """What beat sends: ticks to the rooms that have one (``config/beat.py``), every second, and the hourly tidying."""
    _rooms()
    from kernel.rooms import Tick, offered_by  # noqa: PLC0415

    rooms = [room for room, _ in offered_by(Tick)]
    expiry = {"expires": TICK_EXPIRES_SECONDS}
    return {
        "ticks": {"task": TICK, "schedule": TICK_EVERY_SECONDS, "args": rooms, "options": expiry},
        "purge request keys": {
            "task": "purge-request-keys",
            "schedule": HOUR_SECONDS,
            "options": {"expires": HOUR_SECONDS},
        },
    }


@app.on_after_finalize.connect
def _schedule(sender: Celery, **_: object) -> None:
    sender.conf.beat_schedule = beat_schedule()
