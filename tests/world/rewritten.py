"""History rewritten by whoever owns the database and the sealing key."""

from __future__ import annotations

from ledger.seal import seal_now
from tests.world.owner import unguarded

SEALED = ("ledger_cosignature", "ledger_leaves", "ledger_node", "ledger_seal")


def seal_anew(change: str) -> None:
    with unguarded("ledger_act", *SEALED) as cursor:
        cursor.execute(change)
        for table in SEALED:
            cursor.execute(f"DELETE FROM {table}")  # constants
    seal_now()
