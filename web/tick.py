"""Now and then: long work that a worker or the broker left behind."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from web import work

LOOK_EVERY_SECONDS: Final = 10


def tick(now: datetime) -> None:
    if now.second % LOOK_EVERY_SECONDS == 0:
        work.look_after(now)
