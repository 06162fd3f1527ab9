"""``feed.json``: everything a display needs now. The log folded up to ``as_of``, and the meters of the same moment.

Read in one snapshot of the database. A display that goes on with ``/signage/stream?after=<as_of>`` misses nothing.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any, Final

from django.db import connection, transaction

from house.venue import venue
from signage import meters, tail
from signage.events import PUBLISHED, public, written
from signage.look import look
from signage.positions import Position
from signage.state import GAMES, RESULTS, Board, apply, empty

VERSION: Final = 1
COUNTED: Final = 100  # games behind hot and cold
SHOWN: Final = 5
HITS: Final = 300  # acts about hits that are looked back on

_HIT_KINDS: Final = [kind for kind in PUBLISHED if kind.startswith("jackpot.hit")]
_KENO_KINDS: Final = [kind for kind in PUBLISHED if kind.startswith("keno.")]
_MYSTERY_KINDS: Final = [kind for kind in PUBLISHED if kind.startswith("jackpot.mystery")]
_HOUSE_KINDS: Final = [
    kind for kind in PUBLISHED if kind.startswith("jackpot.") and kind not in (*_HIT_KINDS, *_MYSTERY_KINDS)
]
# What there is (pools, tables) from the beginning; what happens, as far back as a board shows it.
_ACTS: Final = """
    WITH shown AS (
        SELECT tx, id FROM ledger_act WHERE kind = 'keno.opened' AND (tx, id) <= (%(tx)s, %(id)s)
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
    (SELECT DISTINCT ON (subject, kind) tx, id, kind, subject, at, data FROM ledger_act
     WHERE kind = ANY(%(mystery)s) AND (tx, id) <= (%(tx)s, %(id)s) ORDER BY subject, kind, id DESC)
    UNION ALL
    (SELECT tx, id, kind, subject, at, data FROM ledger_act
     WHERE kind = 'promotion.result' AND (tx, id) <= (%(tx)s, %(id)s) ORDER BY id DESC LIMIT %(results)s)
    ORDER BY tx, id
"""
_NUMBERS: Final = """
    SELECT data -> 'numbers' FROM ledger_act
    WHERE kind = 'keno.settled' AND (tx, id) <= (%s, %s) ORDER BY id DESC LIMIT %s
"""


def feed() -> bytes:
    """The document. The same bytes as long as nothing has happened."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        as_of = tail.published_upto(tail.boundary())
        board = board_at(as_of)
        for code, displayed in meters.displayed().items():
            apply(board, "jackpot.meter", {"link": code, "displayed": displayed})
        place, chosen = venue(), look()
        statistics = _statistics(as_of)
    document = {
        "version": VERSION,
        "as_of": str(as_of),
        "venue": {"code": place.code, "time_zone": place.time_zone, **chosen},
        **board,
        "statistics": statistics,
    }
    return written(document).encode()


def board_at(as_of: Position) -> Board:
    board = empty()
    asked: dict[str, Any] = {
        "tx": as_of.tx,
        "id": as_of.id,
        "games": GAMES,
        "hits": HITS,
        "results": RESULTS,
        "keno": _KENO_KINDS,
        "house": _HOUSE_KINDS,
        "hit": _HIT_KINDS,
        "mystery": _MYSTERY_KINDS,
    }
    with connection.cursor() as cursor:
        cursor.execute(_ACTS, asked)
        for _, _, kind, subject, at, data in cursor.fetchall():
            apply(board, kind, public(kind, subject, at, json.loads(data)))
    return board


def _statistics(as_of: Position) -> dict[str, Any]:
    """How often each number came in the last games: what players look for, though it foretells nothing."""
    with connection.cursor() as cursor:
        cursor.execute(_NUMBERS, [as_of.tx, as_of.id, COUNTED])
        games = [json.loads(row[0]) for row in cursor.fetchall()]
    count = Counter(number for game in games for number in game)
    often = sorted(range(1, 81), key=lambda number: (-count[number], number))
    if not games:
        return {"games": 0, "hot": [], "cold": []}
    seldom = sorted(range(1, 81), key=lambda number: (count[number], number))
    return {
        "games": len(games),
        "hot": [{"number": number, "times": count[number]} for number in often[:SHOWN]],
        "cold": [{"number": number, "times": count[number]} for number in seldom[:SHOWN]],
    }
