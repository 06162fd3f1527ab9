"""Waking the sealer: what everybody does who has no sealing key. It (``sealer.py``) hears it at once."""

from __future__ import annotations

import time
from typing import Any, Final

from django.db import connection

from kernel.locks import Lock
from kernel.refusal import Conflict
from ledger.models import Seal

CHANNEL: Final = "meterhouse_seal"
SEALED: Final = "meterhouse_sealed"  # said by the sealer with every seal
PATIENCE_SECONDS: Final = 30.0
LOOK_SECONDS: Final = 0.1

_NOW = "SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, (SELECT max(number) FROM ledger_seal)"
_SEALED = """
    SELECT NOT EXISTS (SELECT FROM ledger_act WHERE tx >= sealed.upto AND tx < %(upto)s)
       AND NOT EXISTS (SELECT FROM ledger_transfer WHERE tx >= sealed.upto AND tx < %(upto)s)
    FROM (SELECT coalesce(max(tx_upto), 0) AS upto FROM ledger_seal) sealed
"""
_AT_WORK = """
    SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND classid = %s AND objid = 0 AND granted
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))
"""


def wake_sealer() -> None:
    """Have the sealer look now, not within the second. Heard when the caller's transaction has ended."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [CHANNEL])


def say_sealed() -> None:
    """The sealer's own: whoever waits for a seal hears it when the seal is there."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, '')", [SEALED])


def wake_and_wait() -> Seal | None:
    """Wake it, and wait until everything is sealed that could be when we called. None if there was nothing new."""
    with connection.cursor() as cursor:
        cursor.execute(_NOW)
        upto, before = cursor.fetchone()
        if not _true(_SEALED, {"upto": upto}):
            cursor.execute(f"LISTEN {SEALED}")
            try:
                wake_sealer()
                _wait(upto)
            finally:
                cursor.execute(f"UNLISTEN {SEALED}")
    return Seal.objects.filter(number__gt=before or 0).order_by("-number").first()


def _wait(upto: int) -> None:
    """Until it says so. It is asked now and then all the same: a sealer that is killed says nothing."""
    database: Any = connection.connection
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not _true(_SEALED, {"upto": upto}):
        if not _true(_AT_WORK, [int(Lock.SEALER_AT_WORK)]) or time.monotonic() > deadline:
            raise Conflict(
                "sealer-away", "Nothing is being sealed: the sealer does not run, or cannot work. Its log says why."
            )
        for _ in database.notifies(timeout=LOOK_SECONDS, stop_after=1):
            pass


def _true(query: str, values: object) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(query, values)  # type: ignore[arg-type]  # a list or a mapping, as the query has it
        return bool(cursor.fetchone()[0])
