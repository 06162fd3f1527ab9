"""The time in the hand: while a simulation runs, its acts, transfers and promotions are of its time.

In a real house nobody holds one, and what happens is dated by the database, the one clock that every process agrees on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

_hands: list[Callable[[], datetime]] = []


def in_hand() -> datetime | None:
    """The simulation's time. None: ask the database."""
    return _hands[-1]() if _hands else None


@contextmanager
def held(now: Callable[[], datetime]) -> Iterator[None]:
    _hands.append(now)
    try:
        yield
    finally:
        _hands.pop()
