"""Short tasks that a verb sends to the workers after its commit. Tasks are declared with Celery's ``shared_task``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import structlog
from celery import Task, current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)

TICK: Final = "tick"  # the task that does what is due in a room (config/tasks.py)
TICK_EXPIRES_SECONDS: Final = 5.0


def after_commit(task: Task[Any, Any], *args: object, **options: object) -> None:
    """Send a task when the transaction commits.

    A broker that is down costs promptness, not work: a tick finds the row.
    """

    _send_after_commit(task.name, lambda: task.apply_async(args, options, retry=False))


def tick_after_commit(room: str) -> None:
    """Have what is due in the room done once the transaction has committed, not with the next second's tick."""
    _send_after_commit(
        TICK, lambda: current_app.send_task(TICK, args=[room], expires=TICK_EXPIRES_SECONDS, retry=False)
    )


def _send_after_commit(name: str, send: Callable[[], object]) -> None:
    def try_to() -> None:
        try:
            send()
        except OperationalError as error:
            log.warning("message not sent", task=name, error=str(error))

    transaction.on_commit(try_to)
