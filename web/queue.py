"""How many messages wait in the broker, whichever it is."""

from __future__ import annotations

from typing import Any

from celery import current_app
from kombu.exceptions import KombuError


def queued() -> int | None:
    """None where the broker does not say; an empty queue is not there at all in some."""
    line: Any
    with current_app.connection_for_read() as line:
        try:
            line.ensure_connection(max_retries=1, interval_start=0, timeout=2)
            with line.channel() as channel:
                found = channel.queue_declare(queue=current_app.conf.task_default_queue, passive=True)
                return int(found.message_count)
        except line.channel_errors:
            return 0
        except (OSError, KombuError, *line.connection_errors):
            return None
