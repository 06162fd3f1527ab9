"""What Keno has made today, beside the same hour a week ago: from the games' totals, never from their tickets."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any, Final

from django.db import connection

from kernel.money import MICROS_PER_DOLLAR, Money

WEEK: Final = timedelta(days=7)

# By the hour since the day's first close, so that the two days are beside each other whatever the clocks did.
_HOURS: Final = """
    SELECT floor(extract(epoch FROM settled_at - %(opens)s) / 3600)::int, count(*),
           sum((totals->>'stakes')::numeric * 1000000)::bigint, sum((totals->>'prizes')::numeric * 1000000)::bigint
    FROM keno_game
    WHERE gaming_day = %(day)s AND status = 'settled' AND settled_at <= %(upto)s
    GROUP BY 1 ORDER BY 1
"""


@dataclass(frozen=True, slots=True)
class SoFar:
    """Of a gaming day up to an hour: *turnover* is what was paid for its games, *win* what the house kept of it."""

    games: int
    turnover: Money
    prizes: Money
    course: tuple[float, ...]  # turnover in dollars, by the hour

    @property
    def win(self) -> Money:
        return self.turnover - self.prizes

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win.micros, self.turnover.micros) if self.turnover else None


def so_far(*, day: date, opens: datetime, upto: datetime) -> SoFar:
    with connection.cursor() as cursor:
        cursor.execute(_HOURS, {"day": day, "opens": opens, "upto": upto})
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    sold = {max(0, hour): stakes for hour, _, stakes, _ in rows}
    return SoFar(
        games=sum(row[1] for row in rows),
        turnover=Money(sum(row[2] for row in rows)),
        prizes=Money(sum(row[3] for row in rows)),
        course=tuple(sold.get(hour, 0) / MICROS_PER_DOLLAR for hour in range(max(sold, default=-1) + 1)),
    )
