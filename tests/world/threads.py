"""Doing one thing from many threads at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from django.db import connection


def in_threads(count: int, do: Callable[[], Any]) -> list[Any]:
    """Everybody waits for the last one to be ready; answers come back in any order."""
    return at_once([do] * count)


def at_once(calls: Sequence[Callable[[], Any]]) -> list[Any]:
    """Each call in a thread of its own, begun together; answers in the order of the calls."""
    together = threading.Barrier(len(calls))

    def one(call: Callable[[], Any]) -> Any:
        try:
            together.wait()
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(one, calls))


def raised_at_once(*calls: Callable[[], object]) -> list[BaseException]:
    """The same; only what they raised."""
    raised: list[BaseException] = []

    def one(call: Callable[[], object]) -> None:
        try:
            call()
        except BaseException as error:
            raised.append(error)

    at_once([partial(one, call) for call in calls])
    return raised
