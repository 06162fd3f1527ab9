"""Prizes unclaimed for twelve months go to return to players; a later claim still finds its money (11)."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from django.db import connection, transaction

from house.gaming_days import latest_gaming_day
from keno import accounts
from keno.models import KenoSettings
from keno.rules.unclaimed import last_day_to_move
from kernel.actors import system
from kernel.money import ZERO, Money
from ledger.post import Booking, post

BY: Final = system("keno-unclaimed")

# Refunds are no prizes and vouchers are exempt (11.3): neither moves.
_DUE: Final = """
    payment_id IS NULL AND void_id IS NULL AND replaced_id IS NULL AND unclaimed_on IS NULL AND kind <> 'refund'
    AND day >= %(since)s AND day < %(before)s
"""
# One that is being paid at this moment is left alone: it is paid, or there the next time.
_MOVE: Final = f"""
    WITH moved AS (
        UPDATE keno_prize p SET unclaimed_on = %(today)s
        FROM (SELECT ticket_id, game, kind FROM keno_prize WHERE {_DUE}
              ORDER BY ticket_id, game, kind FOR UPDATE SKIP LOCKED) due
        WHERE (p.ticket_id, p.game, p.kind) = (due.ticket_id, due.game, due.kind)
        RETURNING amount
    )
    SELECT count(*), coalesce(sum(amount), 0)::bigint FROM moved
"""  # noqa: S608  # assembled from constants above
_LEFT: Final = f"SELECT EXISTS (SELECT FROM keno_prize WHERE {_DUE})"  # noqa: S608


def sweep(*, now: datetime) -> Money:
    """Once a gaming day: move what has become unclaimed since the last look. Cheap when it was done, safe to repeat."""
    day = latest_gaming_day(now)
    settings = KenoSettings.current()
    swept = settings.unclaimed_swept
    if day is None or (swept is not None and swept >= day.date):
        return ZERO
    # What was won before the last look's year was moved then, or paid.
    since = date.min if swept is None else last_day_to_move(swept)
    moved = move_unclaimed(now=now, since=since)
    with connection.cursor() as cursor:
        cursor.execute(_LEFT, {"since": since, "before": last_day_to_move(day.date)})
        if not cursor.fetchone()[0]:
            KenoSettings.objects.filter(pk=settings.pk).update(unclaimed_swept=day.date)
    return moved


def move_unclaimed(*, now: datetime, since: date = date.min) -> Money:
    """Move what has become unclaimed, of wins from *since* on, on the books of the gaming day. Safe to repeat."""
    day = latest_gaming_day(now)
    if day is None:
        return ZERO
    values = {"today": day.date, "since": since, "before": last_day_to_move(day.date)}
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
