"""Doing one thing from many threads at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django.db import connection


def in_threads(count: int, do: Callable[[], Any]) -> list[Any]:
    """Everybody waits for the last one to be ready; answers come back in any order."""
    together = threading.Barrier(count)

    def one(_: int) -> Any:
        try:
            together.wait()
            return do()
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))
