"""The log of acts: what people and workers did that moved no money, in the same sealed order as the money."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, date, datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection

from house.actors import Actor
from house.gaming_days import latest_gaming_day


def write(
    *,
    kind: str,
    subject: str,
    by: Actor,
    data: Mapping[str, Any],
    at: datetime | None = None,
    day: date | None = None,
) -> None:
    """Append one act in the caller's transaction. Everybody writes through ``house.acts.record``."""
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO ledger_act (at, day, kind, subject, actor, data)
               VALUES (coalesce(%s, statement_timestamp()), %s, %s, %s, %s, %s::jsonb)""",
            [at, day or _day_of(at), kind, subject, by.identity, json.dumps(dict(data), cls=DjangoJSONEncoder)],
        )


def _day_of(at: datetime | None) -> date:
    """The gaming day the act belongs to; before the house has had one, the calendar's."""
    moment = at or datetime.now(UTC)
    day = latest_gaming_day(moment)
    return day.date if day else moment.date()
