"""The log of acts: what people and workers did that moved no money, in the same sealed order as the money."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, datetime
from typing import Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection

from kernel.actors import Actor
from kernel.acts import Act
from kernel.refusal import Busy
from kernel.rooms import declared_acts

_INSERT: Final = """
    INSERT INTO ledger_act (at, day, kind, subject, actor, data)
    SELECT m.at,
           coalesce(%s::date, (SELECT day FROM ledger_act ORDER BY id DESC LIMIT 1), (m.at AT TIME ZONE 'UTC')::date),
           %s, %s, %s, %s::jsonb
    FROM (SELECT coalesce(%s::timestamptz, statement_timestamp()) AS at) m
    RETURNING id
"""
# By the order of the log: few rows are later than a transaction that still runs.
_OVERTAKEN: Final = """
    SELECT EXISTS (
        SELECT FROM ledger_act
        WHERE tx > pg_current_xact_id_if_assigned()::text::bigint AND subject = ANY(%s)
    )
"""


def write_act(act: Act, *, by: Actor, at: datetime | None = None, day: date | None = None) -> int:
    """Append one act in the caller's transaction: it happened exactly if the act did. Answers its row's number.

    The rooms write through ``house.log``, which knows the gaming day.
    """
    if declared_acts().get(act.kind) is not type(act):
        raise ValueError(f"no room declares the act {act.kind}")
    return write(kind=act.kind, subject=act.subject, by=by, data=act.data(), at=at, day=day)


def write(
    *,
    kind: str,
    subject: str,
    by: Actor,
    data: Mapping[str, object],
    at: datetime | None = None,
    day: date | None = None,
) -> int:
    """The row of an act. Without a day it is the one the log is in: what the ledger says itself belongs to no other."""
    with connection.cursor() as cursor:
        written = json.dumps(dict(data), cls=DjangoJSONEncoder)
        cursor.execute(_INSERT, [day, kind, subject, by.identity, written, at])
        return int(cursor.fetchone()[0])


def refuse_overtaken(*subjects: str) -> None:
    """Refuse to go on where a transaction that began after this one has written about these things, and has ended.

    The log has transactions in the order in which they got their number. A call has one with its request key, before it
    holds what it changes: who came later and held it first would stand behind what followed on him. Asked once the
    locks are held; whoever tries again begins after both.
    """
    with connection.cursor() as cursor:
        cursor.execute(_OVERTAKEN, [list(subjects)])
        if cursor.fetchone()[0]:
            raise Busy("busy", "Somebody else has just changed the same thing. Nothing was done; try again.")
