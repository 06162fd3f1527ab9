"""The alarm for worn balls: a regulator's classic is the ball that the regulars notice first (2.1).

Looked at with the first settlement of a gaming day (whatever the number of looks, false alarms stay at 1%), over all
mechanical draws of the set of balls that was drawn from last, since a damaged ball of it was replaced (12.4a). A
suspect ball is an incident, once until somebody has closed it.
"""

from __future__ import annotations

from django.db import connection

from chance.worn_balls import Ball, suspects
from house.incidents import open_incident
from house.models import Incident, IncidentStatus
from keno.incident_kinds import BALL_DAMAGED, WORN_BALL
from keno.rules.selection import NUMBERS
from kernel.actors import Actor

_COUNTS = """
    SELECT (SELECT count(*) FROM draws), n, coalesce(seen, 0)
    FROM generate_series(1, %(balls)s) AS n
    LEFT JOIN (SELECT n, count(*) AS seen FROM draws, unnest(numbers) AS n GROUP BY n) c USING (n)
    ORDER BY n
"""
_DRAWS = """
    WITH draws AS MATERIALIZED (
        SELECT numbers FROM keno_draw
        WHERE device = 'mechanical' AND finished_at IS NOT NULL AND voided_at IS NULL
          AND (%(since)s::timestamptz IS NULL OR began_at > %(since)s)
          AND ball_set = (
              SELECT ball_set FROM keno_draw WHERE device = 'mechanical' AND finished_at IS NOT NULL
              ORDER BY id DESC LIMIT 1
          )
    )
"""


def counts_of_balls() -> tuple[int, list[int]]:
    """Draws with the present set, and how often each ball of it came."""
    replaced = Incident.objects.filter(kind=BALL_DAMAGED).order_by("-happened_at").first()
    with connection.cursor() as cursor:
        cursor.execute(_DRAWS + _COUNTS, {"balls": NUMBERS, "since": replaced.happened_at if replaced else None})
        rows = cursor.fetchall()
    return rows[0][0], [seen for _, _, seen in rows]


def watch_balls(*, by: Actor) -> list[Ball]:
    """Report every suspect ball that is not reported yet. In the caller's transaction."""
    draws, counts = counts_of_balls()
    found = suspects(counts, draws)
    for ball in found:
        subject = f"keno-ball:{ball.number}"
        if not Incident.objects.filter(kind=WORN_BALL, subject=subject, status=IncidentStatus.OPEN).exists():
            what = (
                f"Ball {ball.number} was drawn {ball.seen} times in {draws} draws; chance would have it about "
                f"{round(ball.expected)} times. Take it out and weigh it."
            )
            open_incident(kind=WORN_BALL, what=what, by=by, subject=subject)
    return found
