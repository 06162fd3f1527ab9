"""Draws by purpose and gaming day: how many were asked about, how long they waited, void and unwitnessed ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.db import connection

from draws.acts import AnswerReplaced
from draws.watch import PATIENCE_SECONDS
from ledger.acts import AttemptVoid
from web.reports import Make, Report, report

# A wait ends with the answer, by the witness's clock, or with what an inspector put in its place; else it goes on.
_ASKED: Final = """
    SELECT day.date, question.purpose, count(*), count(*) FILTER (WHERE waited > %(patience)s),
           max(waited), count(*) FILTER (WHERE ended IS NULL)
      FROM house_gamingday day
      JOIN ledger_question question
        ON question.asked_at >= day.opens_at
       AND question.asked_at < coalesce(
               (SELECT min(next.opens_at) FROM house_gamingday next WHERE next.opens_at > day.opens_at), 'infinity')
      LEFT JOIN draws_replacement replaced
        ON replaced.purpose = question.purpose AND replaced.occasion = question.occasion
       AND replaced.attempt = question.attempt
     CROSS JOIN LATERAL (SELECT least(question.answered_at, extract(epoch FROM replaced.at)) AS ended) end_of
     CROSS JOIN LATERAL (SELECT coalesce(ended, extract(epoch FROM now())) AS until) until_when
     CROSS JOIN LATERAL (
           SELECT greatest(until - extract(epoch FROM question.asked_at), 0)::bigint AS waited) wait
     WHERE day.date BETWEEN %(first)s AND %(last)s
     GROUP BY 1, 2
"""
_COUNTED: Final = """
    SELECT day, data->>'purpose', count(*) FROM ledger_act
     WHERE kind = %(kind)s AND day BETWEEN %(first)s AND %(last)s GROUP BY 1, 2
"""


@dataclass(slots=True)
class _Day:
    asked: int = 0
    waited: int = 0
    longest: int = 0
    open: int = 0
    void: int = 0
    unwitnessed: int = 0


def waits_and_voids(first: date, last: date) -> Report:
    """Questions to the witness, waits, voids and attempts without a witness, day by day."""
    days: dict[tuple[date, str], _Day] = {}
    span = {"first": first, "last": last}
    with connection.cursor() as cursor:
        cursor.execute(_ASKED, {**span, "patience": PATIENCE_SECONDS})
        for day, purpose, asked, waited, longest, still in cursor.fetchall():
            days[day, purpose] = _Day(asked, waited, longest, still)
        for kind in (AttemptVoid.kind, AnswerReplaced.kind):
            cursor.execute(_COUNTED, {**span, "kind": kind})
            for day, purpose, count in cursor.fetchall():
                of = days.setdefault((day, purpose), _Day())
                if kind == AttemptVoid.kind:
                    of.void = count
                else:
                    of.unwitnessed = count
    return report(
        f"Draws: waits, voids, unwitnessed, {first} to {last}",
        (
            "Gaming day", "Purpose", "Asked", f"Waited over {PATIENCE_SECONDS} s", "Longest wait, s", "Still open",
            "Void", "Unwitnessed",
        ),
        [
            (day, purpose, of.asked, of.waited, of.longest, of.open, of.void, of.unwitnessed)
            for (day, purpose), of in sorted(days.items())
        ],
        add=("Asked", f"Waited over {PATIENCE_SECONDS} s", "Still open", "Void", "Unwitnessed"),
    )  # fmt: skip


REPORTS: Final[Mapping[str, Make]] = {"waits": waits_and_voids}
