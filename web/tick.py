"""Now and then: long work that a worker or the broker left behind."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from kernel.now_and_then import NowAndThen
from web import work

LOOK: Final = NowAndThen(every_seconds=10)


def tick(now: datetime) -> None:
    if LOOK.is_time(now):
        work.look_after(now)
