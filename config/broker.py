"""Redis as a broker in which somebody else may write: what cannot be read is dropped, and said.

Celery rejects a message that it can parse and does not know. One that is no JSON, or no message at all, it takes for a
fault of its own: the worker ends, starts again, and ends at the next one. Whoever can write to the queue would stop the
draws with a line a second.
"""

from __future__ import annotations

from json import JSONDecodeError
from typing import Any

import structlog
from kombu.transport import TRANSPORT_ALIASES, redis

from web import metrics

log = structlog.get_logger(__name__)


def is_message(payload: Any) -> bool:
    """Whether it has what kombu reads before it asks whose message it is."""
    if not (isinstance(payload, dict) and isinstance(payload.get("properties"), dict)):
        return False
    properties = payload["properties"]
    return "body" in payload and "delivery_tag" in properties and isinstance(properties.get("delivery_info"), dict)


def _drop(why: str) -> bool:
    metrics.MESSAGES_DROPPED.inc()
    log.error("message dropped", reason=why)  # not what it says: nobody knows what that is
    return True


class Channel(redis.Channel):
    def _brpop_read(self, **options: Any) -> Any:
        try:
            return super()._brpop_read(**options)  # type: ignore[misc]  # kombu's types do not know it
        except (JSONDecodeError, UnicodeDecodeError):
            return _drop("it is no JSON")


class Transport(redis.Transport):
    Channel = Channel
    brpop_timeout = 10  # seconds; a message is heard at once, and a quiet worker asks for one less often

    def _deliver(self, message: Any, queue: str | None) -> None:
        if is_message(message):
            super()._deliver(message, queue)
        else:
            _drop("it is no message")


def use() -> None:
    """Wherever this process connects to a broker by redis://."""
    for scheme in ("redis", "rediss"):
        TRANSPORT_ALIASES[scheme] = "config.broker:Transport"
