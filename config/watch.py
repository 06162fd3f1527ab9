"""Somebody looks for what is late, in every web process by turns: a worker that stands still sees nothing itself."""

from __future__ import annotations

import threading
import time
from typing import Final

import redis
import structlog
from django.db import connection

from kernel.redis import client

EVERY_SECONDS: Final = 10.0
KEY: Final = "meterhouse:watched"

log = structlog.get_logger(__name__)


def begin() -> None:
    threading.Thread(target=_go_on, name="watch", daemon=True).start()


def _go_on() -> None:
    while True:
        time.sleep(EVERY_SECONDS)
        try:
            look()
        except Exception as error:  # a database that is away: whoever asks /readyz hears it
            log.warning("nobody looked for what is late", error=str(error))
        finally:
            connection.close()


def look() -> None:
    """Once, unless another process of the house has just done it."""
    from house.lateness import watch  # noqa: PLC0415  Django first

    if _is_our_turn():
        watch()


def _is_our_turn() -> bool:
    try:
        with client() as line:
            return bool(line.set(KEY, "1", nx=True, px=int(EVERY_SECONDS * 900)))
    except redis.RedisError:
        return True  # all the more
