"""Celery: a tick a second for every room, and short tasks that a verb sends after its commit.

Beat only ticks (decision 8); what is due is rows. A tick that waited too long is dropped, not run late: the next one
finds the same rows. Nothing here is needed to answer a request.
"""

from __future__ import annotations

import os
from typing import Any

import django
from celery import Celery

from kernel import environment
from web import logs

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
environment.keep_to_ourselves()

TICK = 1.0
TICK_EXPIRES = 5.0
HOUR = 3600.0

app = Celery("meterhouse")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(lambda: ["config", *_rooms()])
logs.follow_into_tasks()


def _rooms() -> list[str]:
    from django.apps import apps  # noqa: PLC0415

    if not apps.ready:
        django.setup()
    from django.conf import settings  # noqa: PLC0415

    return list(settings.ROOMS)


def beat_schedule() -> dict[str, Any]:
    """What beat sends: a tick a second to each room that has one, and the hourly tidying."""
    _rooms()
    from kernel.rooms import Tick, offered_by  # noqa: PLC0415

    ticks = {
        f"tick {room}": {"task": "tick", "schedule": TICK, "args": [room], "options": {"expires": TICK_EXPIRES}}
        for room, _ in offered_by(Tick)
    }
    tidying = {"purge request keys": {"task": "purge-request-keys", "schedule": HOUR, "options": {"expires": HOUR}}}
    return ticks | tidying


@app.on_after_finalize.connect
def _schedule(sender: Celery, **_: object) -> None:
    sender.conf.beat_schedule = beat_schedule()
