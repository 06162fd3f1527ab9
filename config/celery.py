"""Celery: a tick a second for every room, and short tasks that a verb sends after its commit.

Beat only ticks (decision 8); what is due is rows. A tick that waited too long is dropped, not run late: the next one
finds the same rows. Nothing here is needed to answer a request.
"""

from __future__ import annotations

import os
from typing import Any

import django
import structlog
from celery import Celery, Task
from kombu.exceptions import OperationalError

from config import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

TICK = 1.0
TICK_EXPIRES = 5.0
HOUR = 3600.0

log = structlog.get_logger(__name__)

app = Celery("meterhouse")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(lambda: ["config", *_rooms()])
logs.follow_into_tasks()


def _rooms() -> list[str]:
    from django.apps import apps  # noqa: PLC0415

    if not apps.ready:
        django.setup()
    from config.rooms import rooms  # noqa: PLC0415

    return rooms()


def beat_schedule() -> dict[str, Any]:
    """What beat sends: a tick a second to each room that has one, and the hourly tidying."""
    _rooms()
    from config.rooms import rooms_with  # noqa: PLC0415

    ticks = {
        f"tick {room}": {"task": "tick", "schedule": TICK, "args": [room], "options": {"expires": TICK_EXPIRES}}
        for room in rooms_with("tick")
    }
    tidying = {"purge request keys": {"task": "purge-request-keys", "schedule": HOUR, "options": {"expires": HOUR}}}
    return ticks | tidying


@app.on_after_finalize.connect
def _schedule(sender: Celery, **_: Any) -> None:
    sender.conf.beat_schedule = beat_schedule()


def after_commit(task: Task[Any, Any], *args: Any, **options: Any) -> None:
    """Send a task when the transaction commits.

    A broker that is down costs promptness, not work: a tick finds the row.
    """
    from django.db import transaction  # noqa: PLC0415

    def send() -> None:
        try:
            task.apply_async(args, options, retry=False)
        except OperationalError as error:
            log.warning("message not sent", task=task.name, error=str(error))

    transaction.on_commit(send)
