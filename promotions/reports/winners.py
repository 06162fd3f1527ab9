"""Winners, winners not told in time, and the record of denied claims (17.9.1, 15.10.1).

Denied claims above $100 are told with name, address and reasons, to who may see names; who asked is on record.
"""

from __future__ import annotations

from datetime import date

from django.db import transaction

from house.log import record_act
from kernel.actors import Actor
from promotions.acts.prizes import DeniedClaimsReported
from promotions.models import Claim, Win
from promotions.notify import overdue
from promotions.permissions import PERSONAL
from promotions.reports.terms import at, span
from promotions.rules.editions import DENIED_KEPT_ABOVE
from web.reports import Report, report


def winners(first: date, last: date) -> Report:
    """Everybody who won on one of these days, and what became of the prize. Entries, no names."""
    begin, end = span(first, last)
    won = Win.objects.filter(won_at__gte=begin, won_at__lt=end).select_related("promotion", "prize", "pick", "payment")
    rows = [
        (
            win.promotion.code,
            at(win.won_at),
            win.pick.prize,
            win.prize.name,
            win.value,
            win.pick.number,
            win.get_status_display(),
            at(win.told_at),
            payment.amount if (payment := getattr(win, "payment", None)) is not None else "",
        )
        for win in won.order_by("won_at", "id")
    ]
    columns = ("Promotion", "Won", "Prize", "Name", "Value", "Entry", "State", "Told", "Paid")
    return report("Promotions: winners", columns, rows)


def overdue_notifications(first: date, last: date) -> Report:
    """Winners who should have been told on one of these days and have not been (17.8, 15.8)."""
    begin, end = span(first, last)
    rows = [
        (win.promotion.code, win.prize.name, win.value, win.pick.number, at(win.notify_by), win.notifications.count())
        for win in overdue().filter(notify_by__gte=begin, notify_by__lt=end)
    ]
    columns = ("Promotion", "Prize", "Value", "Entry", "To be told by", "Attempts")
    return report("Promotions: winners not told in time", columns, rows)


@transaction.atomic
def denied_claims(*, first: date, last: date, by: Actor) -> Report:
    """Claims for strictly more than $100 that were denied on one of these days."""
    by.require(PERSONAL)
    begin, end = span(first, last)
    denied = Claim.objects.filter(
        status="denied", value__gt=DENIED_KEPT_ABOVE, decided_at__gte=begin, decided_at__lt=end
    ).select_related("promotion")
    rows = [
        (
            claim.pk,
            claim.promotion.code,
            at(claim.decided_at),
            claim.what,
            claim.value,
            claim.name,
            claim.address,
            claim.reasons,
            f"{at(claim.told_at)} by {claim.told_how}" if claim.told_at else "",
        )
        for claim in denied.order_by("decided_at", "id")
    ]
    record_act(DeniedClaimsReported(first=first, last=last, rows=len(rows)), by=by)
    columns = ("Claim", "Promotion", "Denied", "Prize", "Value", "Name", "Address", "Reasons", "Told")
    return report("Promotions: denied claims above $100.00", columns, rows)
