"""What a board is made of, read from the log up to a position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.db import connection
from django.db.models import Q, QuerySet

from keno.acts import GameOpened, GameSettled, NumberDrawn
from keno.resettle_acts import GameResettled
from ledger.models import Act
from promotions.acts.draws import ResultPublished
from signage.events import GAMES, HITS, LINKS, METERS, Position, kinds_of

HIT_ROWS: Final = 300  # acts about hits that are looked back on

# What there is (links, tables) from the beginning; what happens, as far back as a board shows it.
_ACTS: Final = """
    WITH shown AS (
        SELECT tx, id FROM ledger_act WHERE kind = %(opened)s AND (tx, id) <= (%(tx)s, %(id)s)
        ORDER BY id DESC LIMIT %(games)s
    ), oldest AS (SELECT tx, id FROM shown ORDER BY id LIMIT 1)
    SELECT tx, id, kind, subject, at, data FROM ledger_act
    WHERE kind = ANY(%(keno)s) AND (tx, id) >= (SELECT tx, id FROM oldest) AND id >= (SELECT id FROM oldest)
      AND (tx, id) <= (%(tx)s, %(id)s)
    UNION ALL
    SELECT tx, id, kind, subject, at, data FROM ledger_act
    WHERE kind = ANY(%(house)s) AND (tx, id) <= (%(tx)s, %(id)s)
    UNION ALL
    (SELECT tx, id, kind, subject, at, data FROM ledger_act
     WHERE kind = ANY(%(hit)s) AND (tx, id) <= (%(tx)s, %(id)s) ORDER BY id DESC LIMIT %(hits)s)
    UNION ALL
    (SELECT DISTINCT ON (subject, kind, data->>'level') tx, id, kind, subject, at, data FROM ledger_act
     WHERE kind = ANY(%(meters)s) AND (tx, id) <= (%(tx)s, %(id)s)
     ORDER BY subject, kind, data->>'level', id DESC)
    UNION ALL
    (SELECT tx, id, kind, subject, at, data FROM ledger_act
     WHERE kind = %(result)s AND (tx, id) <= (%(tx)s, %(id)s) ORDER BY id DESC LIMIT %(results)s)
    ORDER BY tx, id
"""
# Of a game that was settled again, the right ones (12.1).
_NUMBERS: Final = """
    SELECT coalesce((SELECT r.data FROM ledger_act r WHERE r.subject = s.subject AND r.kind = %(again)s
                     AND (r.tx, r.id) <= (%(tx)s, %(id)s)), s.data) -> 'numbers'
    FROM ledger_act s WHERE s.kind = %(settled)s AND (s.tx, s.id) <= (%(tx)s, %(id)s)
    ORDER BY s.id DESC LIMIT %(games)s
"""


def acts_shown(as_of: Position, *, games: int, results: int) -> Iterator[tuple[str, str, datetime, dict[str, object]]]:
    """Kind, subject, moment and data of every act that a board still shows, in the log's order."""
    asked: dict[str, Any] = {
        "tx": as_of.tx,
        "id": as_of.id,
        "opened": GameOpened.kind,
        "games": games,
        "keno": kinds_of(GAMES),
        "house": kinds_of(LINKS),
        "hit": kinds_of(HITS),
        "hits": HIT_ROWS,
        "meters": kinds_of(METERS),
        "result": ResultPublished.kind,
        "results": results,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ACTS, asked)
        for _, _, kind, subject, at, data in cursor.fetchall():
            yield kind, subject, at, json.loads(data)


def numbers_settled(as_of: Position, *, games: int) -> list[list[int]]:
    """The numbers of the latest settled games."""
    with connection.cursor() as cursor:
        kinds = {"settled": GameSettled.kind, "again": GameResettled.kind}
        cursor.execute(_NUMBERS, {**kinds, "tx": as_of.tx, "id": as_of.id, "games": games})
        return [json.loads(row[0]) for row in cursor.fetchall()]


def acts_of_game(subject: str, kinds: list[str]) -> QuerySet[Act]:
    """The acts of these kinds about a game, and its first number."""
    wanted = Q(kind__in=kinds) | Q(kind=NumberDrawn.kind, data__place=1)
    return Act.objects.filter(wanted, subject=subject).order_by("tx", "id")
