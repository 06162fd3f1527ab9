"""The ids of messages: each is claimed once, ever, by its primary key. A twin waits there and finds it taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import chain
from typing import Final, NamedTuple

from django.db import IntegrityError, connection, transaction

from jackpot.controllers import Message, Why
from kernel.arrays import array, text_array

Group = tuple[int, int, str, Why | None]
"""A table, a version of its link's terms, the id of a message that stands alone because it is to be held, and on a
must-hit-by link why its wagers go to the next pool."""

_COPY: Final = "COPY jackpot_contribution (id, batch_id, wagers, at) FROM STDIN"
_ESCAPED: Final = "\\\t\n\r"
_ESCAPES: Final = str.maketrans({"\\": r"\\", "\t": r"\t", "\n": r"\n", "\r": r"\r"})


class Claimed(NamedTuple):
    """The messages of a group that are new."""

    batch: int
    messages: int
    wagers: int
    first: datetime
    """When the earliest was played,"""
    last: datetime
    """and the latest."""


def claim(groups: Mapping[Group, Sequence[Message]]) -> dict[Group, Claimed]:
    """Claim the ids that are new; for each group that had any: what came of it.

    Nearly always all of them are, and then they are copied in, which takes half of what it takes to ask of each.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence('jackpot_batch', 'id')) FROM generate_series(1, %s)", [len(groups)]
        )
        numbers = dict(zip((row[0] for row in cursor.fetchall()), groups, strict=True))
    batches = {message.id: number for number, key in numbers.items() for message in groups[key]}
    # In the order of the ids: two calls that share some wait for each other in one direction only.
    messages = sorted(chain.from_iterable(groups.values()))
    if _copy(messages, batches):
        return {key: _whole(number, groups[key]) for number, key in numbers.items()}
    return {numbers[claimed.batch]: claimed for claimed in _insert(messages, batches)}


def _whole(batch: int, group: Sequence[Message]) -> Claimed:
    times = [message.at for message in group]
    return Claimed(batch, len(group), sum([message.wagers for message in group]), min(times), max(times))


def _copy(messages: Sequence[Message], batches: Mapping[str, int]) -> bool:
    """All of them, or none: False where an id is taken."""
    times = {
        at: at.isoformat() for at in {message.at for message in messages}
    }  # many have the same, to write it is slow
    lines = [
        f"{name}\t{batches[message.id]}\t{message.wagers}\t{times[message.at]}\n"
        for name, message in zip(_escaped(messages), messages, strict=True)
    ]
    try:
        with (
            transaction.atomic(),
            connection.wrap_database_errors,
            connection.cursor() as cursor,
            cursor.copy(_COPY) as copy,
        ):
            copy.write("".join(lines))
    except IntegrityError:
        return False
    return True


def _escaped(messages: Sequence[Message]) -> list[str]:
    """Their ids as COPY reads them. Hardly any has anything in it that must be escaped."""
    names = [message.id for message in messages]
    together = "".join(names)
    if not any(sign in together for sign in _ESCAPED):
        return names
    return [name.translate(_ESCAPES) for name in names]


def _insert(messages: Sequence[Message], batches: Mapping[str, int]) -> list[Claimed]:
    """Those that are new."""
    with connection.cursor() as cursor:
        cursor.execute(
            """
            WITH claimed AS (
                INSERT INTO jackpot_contribution (id, batch_id, wagers, at)
                SELECT * FROM unnest(%s::text[], %s::bigint[], %s::int[], %s::timestamptz[]) AS m(id, batch, n, at)
                ORDER BY m.id COLLATE "C"
                ON CONFLICT (id) DO NOTHING
                RETURNING batch_id, wagers, at
            )
            SELECT batch_id, count(*), sum(wagers)::bigint, min(at), max(at)
            FROM claimed GROUP BY batch_id ORDER BY batch_id
            """,
            [
                text_array(message.id for message in messages),
                array(batches[message.id] for message in messages),
                array(message.wagers for message in messages),
                array(message.at.isoformat() for message in messages),
            ],
        )
        return [Claimed(*row) for row in cursor.fetchall()]
