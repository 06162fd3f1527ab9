"""``feed.json``: everything a display needs now. The log folded up to ``as_of``, and the meters of the same moment.

Read in one snapshot of the database. A display that goes on with ``/signage/stream?after=<as_of>`` misses nothing.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from django.db import connection, transaction

from house.venue import venue
from ledger.checkpoints import fingerprints, note
from signage import meters, queries, tail
from signage.events import CHECKPOINT, METER, Position, public, written
from signage.look import look
from signage.state import GAMES_SHOWN, RESULTS_SHOWN, Board, apply, empty

VERSION: Final = 1
GAMES_COUNTED: Final = 100  # behind hot and cold
NUMBERS_SHOWN: Final = 5


def feed() -> bytes:
    """The document, with the log's latest head. The same bytes as long as nothing has happened."""
    outermost = not connection.in_atomic_block
    with transaction.atomic():
        if outermost:
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        as_of = tail.published_upto(tail.boundary())
        board = board_at(as_of)
        for code, displayed in meters.displayed().items():
            apply(board, METER, {"link": code, "displayed": displayed})
        if head := note():
            apply(board, CHECKPOINT, {"note": head})
        place, chosen, keys = venue(), look(), dict(fingerprints())
        statistics = _statistics(as_of)
    document = {
        "version": VERSION,
        "as_of": str(as_of),
        "venue": {"code": place.code, "time_zone": place.time_zone, **chosen},
        **board,
        "statistics": statistics,
        "keys": keys,
    }
    return written(document).encode()


def board_at(as_of: Position) -> Board:
    board = empty()
    for kind, subject, at, data in queries.acts_shown(as_of, games=GAMES_SHOWN, results=RESULTS_SHOWN):
        apply(board, kind, public(kind, subject, at, data))
    return board


def _statistics(as_of: Position) -> dict[str, object]:
    """How often each number came in the last games: what players look for, though it foretells nothing."""
    games = queries.numbers_settled(as_of, games=GAMES_COUNTED)
    count = Counter(number for game in games for number in game)
    often = sorted(range(1, 81), key=lambda number: (-count[number], number))
    if not games:
        return {"games": 0, "hot": [], "cold": []}
    seldom = sorted(range(1, 81), key=lambda number: (count[number], number))
    return {
        "games": len(games),
        "hot": [{"number": number, "times": count[number]} for number in often[:NUMBERS_SHOWN]],
        "cold": [{"number": number, "times": count[number]} for number in seldom[:NUMBERS_SHOWN]],
    }
