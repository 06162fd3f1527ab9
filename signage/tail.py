"""The published acts of the log in its final order: (tx, id), and only once every transaction up to there has ended.

A slow transaction may still put a row below one that is already visible. Reading up to ``pg_snapshot_xmin`` waits for
it, so nothing is ever passed over.
"""

from __future__ import annotations

import json
from typing import Any, Final

from django.db import connection

from signage.events import KINDS, METER_ID, START, Event, Position, public

_BOUNDARY: Final = """
    SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint, pg_snapshot_xmax(pg_current_snapshot())::text::bigint
"""
_AFTER: Final = """
    SELECT tx, id, kind, subject, at, data FROM ledger_act
    WHERE (tx, id) > (%(tx)s, %(id)s) AND tx < %(upto)s AND kind = ANY(%(kinds)s)
    ORDER BY tx, id LIMIT %(most)s
"""
_UPTO: Final = """
    SELECT tx, id FROM ledger_act WHERE (tx, id) <= (%(tx)s, %(id)s) AND kind = ANY(%(kinds)s)
    ORDER BY tx DESC, id DESC OFFSET %(skip)s LIMIT 1
"""


def boundary() -> Position:
    """Every row up to here is final: whatever is written from now on stands above it."""
    return Position(_transactions()[0] - 1, METER_ID - 1)


def is_ours(position: Position) -> bool:
    """Whether this log can have given out that position: one of another installation may lie in its future."""
    return position.tx < _transactions()[1]


def events_after(position: Position, *, upto: Position, most: int) -> list[Event]:
    """At most *most* published acts after a position and up to a final one, each with the one before it."""
    with connection.cursor() as cursor:
        asked: dict[str, Any] = {
            "tx": position.tx,
            "id": position.id,
            "upto": upto.tx + 1,
            "kinds": KINDS,
            "most": most,
        }
        cursor.execute(_AFTER, {**asked, "kinds": KINDS, "most": most})
        rows = cursor.fetchall()
    found: list[Event] = []
    before = published_upto(position) if rows else START
    for tx, number, kind, subject, at, data in rows:
        event = Event(Position(tx, number), kind, public(kind, subject, at, json.loads(data)), before)
        found.append(event)
        before = event.position
    return found


def published_upto(position: Position, *, skip: int = 0) -> Position:
    """The last published act at or before a position, or the one *skip* before that; the start where there is none."""
    with connection.cursor() as cursor:
        cursor.execute(_UPTO, {"tx": position.tx, "id": position.id, "kinds": KINDS, "skip": skip})
        row = cursor.fetchone()
    return Position(*row) if row else START


def _transactions() -> tuple[int, int]:
    with connection.cursor() as cursor:
        cursor.execute(_BOUNDARY)
        oldest, following = cursor.fetchone()
    return oldest, following
