"""Short tasks that a verb sends to the workers after its commit. Tasks are declared with Celery's ``shared_task``."""

from __future__ import annotations

from typing import Any

import structlog
from celery import Task
from django.db import transaction
from kombu.exceptions import OperationalError

log = structlog.get_logger(__name__)


def after_commit(task: Task[Any, Any], *args: object, **options: object) -> None:
    """Send a task when the transaction commits.

    A broker that is down costs promptness, not work: a tick finds the row.
    """

    def send() -> None:
        try:
            task.apply_async(args, options, retry=False)
        except OperationalError as error:
            log.warning("message not sent", task=task.name, error=str(error))

    transaction.on_commit(send)
