"""A sealer at work beside a test, for programs that have no sealing key."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from kernel.locks import Lock
from ledger import sealer
from ledger.wake_sealer import wake_sealer

PATIENCE_SECONDS = 30.0


@contextmanager
def sealing() -> Iterator[None]:
    """Until the block ends; it is at work when it begins."""
    stop = threading.Event()
    thread = threading.Thread(target=sealer.run, args=(stop,), daemon=True)
    thread.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not at_work():
        assert time.monotonic() < deadline, "the sealer does not begin"
        time.sleep(0.01)
    try:
        yield
    finally:
        stop.set()
        while thread.is_alive():
            wake_sealer()  # it listens for a second otherwise
            thread.join(0.05)


def at_work() -> bool:
    """Whether anybody keeps the sealer's place."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND granted"
            " AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))",
            [int(Lock.SEALER_AT_WORK)],
        )
        return bool(cursor.fetchone()[0])
