"""The sealer at work: every second, and at once when somebody asks. A process of its own, with a database role of its
own, the only one that has the sealing key (decision 18). Started by ``python -m config.sealer``. A second in which
nothing was committed costs one look.

A second one stands by until the first is gone: which of them works is a lock of the session, so that it ends with it.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Final

import psycopg
import structlog
from django.db import InterfaceError, OperationalError, connection

from kernel.locks import Lock, keep, let_go
from ledger.keys import KeyMissing
from ledger.seal import CannotSeal, retire_keys, seal
from ledger.wake_sealer import CHANNEL

EVERY_SECONDS: Final = 1.0
LOOK_SECONDS: Final = 10.0  # after so long it looks for rows even where nothing was committed, as far as it knows

log = structlog.get_logger(__name__)


def run(stop: threading.Event) -> None:
    """Until told to stop. A database that is away is waited for."""
    while not stop.is_set():
        try:
            _work(stop)
        except (OperationalError, InterfaceError, psycopg.OperationalError) as error:  # also while it listens
            log.warning("the sealer has lost its database", error=str(error))
        finally:
            _hang_up()
        stop.wait(EVERY_SECONDS)


def _hang_up() -> None:
    """For good, and not back to the pool: whoever got it next would keep our lock without knowing it."""
    database: Any = connection.connection
    if database is not None:
        database.close()
    connection.close()


def _work(stop: threading.Event) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"LISTEN {CHANNEL}")
    if not keep(Lock.SEALER_AT_WORK):
        return
    retire_keys()
    database: Any = connection.connection
    sealed, looked = "", float("-inf")  # what had been committed when it last sealed, and when that was
    while not stop.is_set():
        seen = _snapshot()
        if seen != sealed or time.monotonic() - looked > LOOK_SECONDS:
            looked = time.monotonic()
            try:
                seal()
                sealed = seen
            except (CannotSeal, KeyMissing) as error:
                log.error("nothing is sealed", why=str(error))
        for _ in database.notifies(timeout=EVERY_SECONDS, stop_after=1):
            sealed = ""  # somebody asks
    let_go(Lock.SEALER_AT_WORK)  # at once, for the one that stands by


def _snapshot() -> str:
    """What has been committed up to now. By the driver's own cursor: it keeps a notice that comes meanwhile, as
    ``kernel.transactions.snapshot`` would not."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_snapshot()::text")
        return str(cursor.fetchone()[0])
