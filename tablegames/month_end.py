"""The end of a month: the regulator is told of each over- or underpayment above $1,000 in one go (nsw-csp:14.19)."""

from __future__ import annotations

from calendar import monthrange
from datetime import date

from django.db import transaction

from house.incident_kinds import REGULATOR
from house.incidents import record_notice
from house.log import record_act
from house.models import Notice
from house.permissions import NOTIFY_INCIDENTS
from kernel.actors import Actor
from kernel.refusal import Conflict, Refusal
from tablegames.acts import MonthReported
from tablegames.models import PaymentError
from tablegames.reports import to_be_reported


def days_of(month: date) -> tuple[date, date]:
    """The first and the last day of the month that this day is in."""
    return month.replace(day=1), month.replace(day=monthrange(month.year, month.month)[1])


@transaction.atomic
def tell_regulator(*, month: date, how: str, by: Actor, reference: str = "") -> list[PaymentError]:
    """Record that the month's report went to the regulator: the notice of each one in it is settled."""
    by.require(NOTIFY_INCIDENTS)
    if not how.strip():
        raise Refusal("notice-incomplete", "Say how the report was sent.", field="how")
    first, last = days_of(month)
    owed = {
        notice.incident_id
        for notice in Notice.objects.select_for_update().filter(
            to=REGULATOR, told_at=None, incident__in=to_be_reported(first, last).values("incident_id")
        )
    }
    told = [error for error in to_be_reported(first, last) if error.incident_id in owed]
    if not told:
        raise Conflict("nothing-to-report", f"Nothing above $1,000 of {first:%B %Y} is left to be reported.")
    for error in told:
        record_notice(incident_id=error.incident_id, to=REGULATOR, how=how, by=by, reference=reference)
    reported = MonthReported(
        month=f"{first:%Y-%m}",
        payment_errors=tuple(error.pk for error in told),
        how=how.strip(),
        reference=reference.strip(),
    )
    record_act(reported, by=by)
    return told
