"""That the loops of the house turn (decision 20): each leaves the time of its last turn in Redis, for whoever asks.

Not in the database: a house whose ticks write a row each second is never idle. Where Redis is away nothing is known,
and whoever asks hears that instead.
"""

from __future__ import annotations

import time
from typing import Any, Final, cast

import redis
import structlog

from kernel.redis import client

KEY: Final = "meterhouse:turns"
LEFT_EVERY_SECONDS: Final = 5.0

log = structlog.get_logger(__name__)
_left: dict[str, float] = {}


def leave(name: str) -> None:
    """This loop has turned. Cheap: a process writes it down every few seconds only."""
    now = time.monotonic()
    if now - _left.get(name, float("-inf")) < LEFT_EVERY_SECONDS:
        return
    _left[name] = now
    try:
        with client() as line:
            line.hset(KEY, name, str(time.time()))
    except redis.RedisError as error:  # whoever asks will see it
        log.warning("heartbeat not left", loop=name, error=str(error))


def ages() -> dict[str, float]:
    """For how many seconds each loop has not turned."""
    with client() as line:
        found = cast("dict[bytes, Any]", line.hgetall(KEY))
    now = time.time()
    return {name.decode(): max(now - float(at), 0.0) for name, at in found.items()}
