"""The one table of advisory locks, in the order in which they are taken. Rows come after all of them.

Whoever needs several takes them from the top of the table down, keys of one line sorted; then rows, in the order
promotion → game → ticket → hit → voucher → shift → player → customer → threshold report. Every lock but the last three
of the table ends with its transaction, and nobody waits longer than ``lock_timeout`` (three seconds). The key is a
row's own number or nothing: text that somebody typed is never made into one. ``docs/locking.md`` says who takes what,
and why.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import psycopg
from django.db import connection


class Lock(IntEnum):
    """The first half of a lock's number; the second is its key."""

    GAMING_DAYS = 1  # who adds gaming days
    GAME_EXPOSURE = 2  # sales far from a game's limit share it, one near it takes it alone; key: the game's number
    DEVICES = 3  # who numbers a new device
    WORK = 4  # who begins long work
    GAME_SALES = 5  # sales share it, the close takes it alone; key: the game's number
    GAME_SERIES = 6  # who adds to the series of Keno games
    TOURNAMENT = 7  # entries, scores and the end come one at a time; key: the tournament
    LINK = 8  # who takes money out of a link's pools; key: the link
    LINK_DOOR = 9  # contributions share it, a retirement takes it alone; key: the link
    RETURN_FUND = 10  # who spends from the return-to-player fund
    PROMOTION_ENTRIES = 11  # entries share it, the close takes it alone; key: the promotion
    EARNING = 12  # who turns play into entries; key: the promotion
    APPROVALS = 13  # who puts an approved change into effect, after the locks of what it changes
    RELAY = 14  # one relay writes to the boards
    SEALER = 15  # one sealer
    WITNESS = 16  # who logs a question to the witness, or its answer
    WATCH = 17  # who looks for what is late; nobody waits for it
    SEALER_AT_WORK = 18  # of a session, not of a transaction: while it is kept, the sealer can be woken
    KENO_CLOCK = 19  # of a session, too: who of the ticks waits for the next moment of a game
    PREPARING = 20  # of a session, too: which node brings the database up to this code


_HOLD: Final = "SELECT pg_advisory_xact_lock(%s, %s)"
_SHARE: Final = "SELECT pg_advisory_xact_lock_shared(%s, %s)"
_KEEP: Final = "SELECT pg_try_advisory_lock(%s, %s)"
_WAIT_AND_KEEP: Final = "SELECT pg_advisory_lock(%s, %s)"
_LET_GO: Final = "SELECT pg_advisory_unlock(%s, %s)"
_TRY: Final = "SELECT pg_try_advisory_xact_lock(%s, %s)"


def hold(lock: Lock, key: int = 0) -> None:
    """Wait until nobody else has it, in either way, and keep it until the transaction ends."""
    _run(_HOLD, lock, key)


def share(lock: Lock, key: int = 0) -> None:
    """Keep it beside others who share it, until the transaction ends; whoever holds it alone waits."""
    _run(_SHARE, lock, key)


def try_hold(lock: Lock, key: int = 0) -> bool:
    """Hold it if nobody has it. False: somebody does, and nothing was waited for."""
    return bool(_run(_TRY, lock, key))


def keep(lock: Lock) -> bool:
    """Hold it, if nobody has it, until this connection ends. For a process that is there or not, never for a verb."""
    return bool(_run(_KEEP, lock, 0))


def wait_and_keep(line: psycopg.Connection[object], lock: Lock) -> None:
    """Wait until nobody else keeps it, and keep it until this line ends: for a start, whose end may be anything."""
    line.execute(_WAIT_AND_KEEP, [int(lock), 0])


def let_go(lock: Lock) -> None:
    """Give back what ``keep`` has taken."""
    _run(_LET_GO, lock, 0)


def _run(statement: str, lock: Lock, key: int) -> object:
    with connection.cursor() as cursor:
        cursor.execute(statement, [int(lock), key])
        row = cursor.fetchone()
        return row[0] if row else None
