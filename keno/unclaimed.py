"""Prizes unclaimed for twelve months go to return to players; a later claim still finds its money (11)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from django.db import connection, transaction

from house.actors import system
from house.gaming_days import latest_gaming_day
from keno import accounts
from ledger.money import ZERO, Money
from ledger.post import Booking, post

BY: Final = system("keno-unclaimed")

# Refunds are no prizes and vouchers are exempt (11.3): neither moves.
_DUE: Final = "payment_id IS NULL AND unclaimed_on IS NULL AND kind <> 'refund' AND day < %(before)s"
_MOVE: Final = f"""
    WITH moved AS (
        UPDATE keno_prize SET unclaimed_on = %(today)s
        WHERE id IN (SELECT id FROM keno_prize WHERE {_DUE} ORDER BY id FOR UPDATE SKIP LOCKED)
        RETURNING amount
    )
    SELECT count(*), coalesce(sum(amount), 0)::bigint FROM moved
"""  # noqa: S608  # assembled from constants above


def last_day_to_move(today: date) -> date:
    """Wins of days before this one were recorded more than twelve months ago."""
    try:
        return today.replace(year=today.year - 1)
    except ValueError:  # 29 February: what was won on the 28th a year ago is a day older than a year
        return date(today.year - 1, 3, 1)


def move_unclaimed(*, now: datetime) -> Money:
    """Move what has become unclaimed, on the books of the gaming day. Cheap when there is nothing; safe to repeat."""
    day = latest_gaming_day(now)
    if day is None:
        return ZERO
    values = {"today": day.date, "before": last_day_to_move(day.date)}
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT EXISTS (SELECT FROM keno_prize WHERE {_DUE})", values)  # noqa: S608
        if not cursor.fetchone()[0]:
            return ZERO
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_MOVE, values)
            count, micros = cursor.fetchone()
        if not count:
            return ZERO
        booking = Booking(
            debit=accounts.PRIZES_OWING,
            credit=accounts.UNCLAIMED,
            amount=Money(int(micros)),
            kind="keno.unclaimed",
            reference=f"{day.date.isoformat()}/{now.isoformat()}",
            memo={"prizes": count},
        )
        post(booking=booking, by=BY, day=day.date, at=now)
    return booking.amount
