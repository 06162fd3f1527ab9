"""Commission by time in the poker room: paid in advance at the approved rate, never given back (act-pk:14.3)."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from house.gaming_days import gaming_day_at
from house.log import record_act
from kernel.actors import Actor
from ledger.post import Booking, post
from tablegames import accounts, in_force, permissions
from tablegames.acts import TimeCharged
from tablegames.models import TimeCharge
from tablegames.rules import poker_room
from tablegames.seats import lock_table, seated
from tablegames.verify import TIME_CHARGE


@transaction.atomic
def charge_time(*, table: str, seat: int, periods: int, by: Actor) -> TimeCharge:
    """A player pays for his next periods: from the end of what he has paid, or from now."""
    by.require(permissions.SIGNS)
    found = lock_table(table)
    row = seated(found, seat)
    now = timezone.now()
    paid = TimeCharge.objects.filter(seat=row).order_by("-until").first()
    starts_at = now if paid is None else max(now, paid.until)
    amount, until = poker_room.charge(in_force.terms_at(found, at=now), periods=periods, starts_at=starts_at)
    charge = TimeCharge.objects.create(
        seat=row, periods=periods, amount=amount, paid_at=now, from_at=starts_at, until=until, by=by.identity
    )
    post(
        booking=Booking(
            debit=accounts.FLOAT,
            credit=accounts.COMMISSION,
            amount=amount,
            kind=TIME_CHARGE,
            reference=f"time-charge/{charge.pk}",
        ),
        by=by,
        day=gaming_day_at(now).date,
    )
    record_act(
        TimeCharged(
            table=found.code,
            charge=charge.pk,
            seat=row.pk,
            box=row.box,
            periods=periods,
            amount=amount,
            at=now,
            from_at=starts_at,
            until=until,
        ),
        by=by,
    )
    return charge
