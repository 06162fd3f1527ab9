"""How fast a table brings wagers in, against what its boxes can play (boxes × the rounds a minute of approved terms).

Wagers take time. What a table brings in is added up as the least time in which it can have been played, whichever way
it came; that time passes by itself. A controller may have been off the network for a day and send everything at once,
so the sum may be a day, never more: beyond it nobody can have wagered that much. What is more than an hour ahead of the
clock is counted, but somebody is told.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from house import incidents
from house.models import Incident, IncidentStatus
from jackpot.incident_kinds import UNREASONABLE_CONTRIBUTIONS
from jackpot.models import Table
from jackpot.rules.pool import Parameters
from kernel.actors import Actor
from kernel.prepared import execute
from kernel.refusal import Conflict

AHEAD_LIMIT: Final = timedelta(hours=24)
AHEAD_NOTED: Final = timedelta(hours=1)

# Adds the time and answers until when it lasts; no row where that is too far ahead. Two callers wait here in turn.
_ADD: Final = """
    INSERT INTO jackpot_pace AS pace (table_id, played_until)
    SELECT %(table)s, %(at)s::timestamptz + %(takes)s::interval WHERE %(takes)s::interval <= %(most)s::interval
    ON CONFLICT (table_id) DO UPDATE SET played_until = greatest(pace.played_until, %(at)s) + %(takes)s
    WHERE greatest(pace.played_until, %(at)s) + %(takes)s <= %(at)s + %(most)s
    RETURNING played_until
"""


def keeps(table: Table, parameters: Parameters, *, wagers: int, at: datetime, by: Actor) -> bool:
    """Whether the table can have played so much; if so, it is added to what it has brought in."""
    rounds = parameters.rounds_per_minute_limit
    if rounds is None or not wagers:
        return True
    takes = timedelta(minutes=1) * wagers / (table.boxes * rounds)
    added = execute(_ADD, {"table": table.pk, "at": at, "takes": takes, "most": AHEAD_LIMIT})
    if added and added[0][0] - at > AHEAD_NOTED:
        note(table, "More wagers came in than its boxes can have played in the last hour. They were counted.", by=by)
    return bool(added)


def playable(table: Table, parameters: Parameters, *, during: timedelta) -> int | None:
    """How many wagers its boxes can have made in that time: in every round of it, and in one that had begun before.
    None where no terms limit them."""
    rounds = parameters.rounds_per_minute_limit
    if rounds is None:
        return None
    whole = max(during, timedelta()) * rounds // timedelta(minutes=1)
    return table.boxes * (whole + 1)


def must_keep(table: Table, parameters: Parameters, *, wagers: int, at: datetime, by: Actor) -> None:
    if not keeps(table, parameters, wagers=wagers, at=at, by=by):
        what = "More wagers came in than its boxes can play in a day. No further round was started."
        raise Conflict(
            "faster-than-play",
            f"{table.code} has had more wagers than its boxes can play in a day: a supervisor has to look at it.",
        ).noting(lambda: note(table, what, by=by))


def note(table: Table, what: str, *, by: Actor) -> None:
    """An incident, once: while it is open, more of the same adds nothing."""
    subject = f"table:{table.code}"
    known = Incident.objects.filter(kind=UNREASONABLE_CONTRIBUTIONS, subject=subject, status=IncidentStatus.OPEN)
    if not known.exists():
        incidents.open_incident(kind=UNREASONABLE_CONTRIBUTIONS, what=f"{table.code}: {what}", by=by, subject=subject)
