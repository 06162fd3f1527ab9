"""What people read about table games: tables over gaming days, as JSON, CSV and PDF (web/reports.py)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time
from typing import Final

from django.db.models import Q, QuerySet

from house.incident_kinds import REGULATOR
from house.models import Notice
from house.rules.gaming_day import instant
from house.venue import zone
from kernel.money import Money
from kernel.refusal import Malformed
from tablegames.models import Check, PaymentError
from web.reports import Make, Report, report

THRESHOLD: Final = Money.dollars(1000)


def checks(first: date, last: date) -> Report:
    """Every hand that was checked."""
    found = Check.objects.filter(day__range=(first, last)).select_related("table").order_by("id")
    return report(
        "Table games: hands checked",
        ("Check", "Gaming day", "Table", "Game", "Player", "Owed", "Paid", "Difference", "Checked by"),
        [
            (
                check.pk,
                check.day,
                str(check.table or ""),
                check.game,
                check.player_card,
                Money.total(Money.parse(line["pays"]) for line in check.owed),
                Money.total(Money.parse(each["pays"]) for each in check.paid.values()),
                check.difference,
                check.by,
            )
            for check in found
        ],
    )


_COLUMNS: Final = (
    "No.", "Gaming day", "Table", "For", "Over or under", "Amount", "Rectified", "Outstanding", "Intent", "Status",
    "Tried", "Outcome",
)  # fmt: skip


def _row(error: PaymentError) -> tuple[object, ...]:
    return (
        error.pk,
        error.day,
        str(error.table or ""),
        error.cause,
        error.direction,
        error.amount,
        error.rectified,
        error.amount - error.rectified,
        error.intent,
        error.status,
        ", ".join(f"{step.kind}{'' if step.succeeded else ' (failed)'}" for step in error.steps.all()),
        error.outcome,
    )


def payment_errors(first: date, last: date) -> Report:
    """Over- and underpayments found on these gaming days, with what was tried (nsw-csp:14.18)."""
    found = PaymentError.objects.filter(day__range=(first, last)).select_related("table").prefetch_related("steps")
    return report(
        "Table games: over- and underpayments",
        _COLUMNS,
        [_row(error) for error in found.order_by("id")],
        add=("Amount", "Rectified", "Outstanding"),
    )


def known_between(first: date, last: date) -> Q:
    """Found within these days of the calendar on the venue's clock: a month's report covers what the house became
    aware of in it (nsw-csp:14.19)."""
    if first.year < 2000 or last.year > 2200:
        raise Malformed("days-impossible", "The house keeps records of this century and the next.", field="first")
    clock = zone()
    begins: datetime = instant(first, time(0), clock)
    ends: datetime = instant(date.fromordinal(last.toordinal() + 1), time(0), clock)
    return Q(found_at__gte=begins, found_at__lt=ends)


def to_be_reported(first: date, last: date) -> QuerySet[PaymentError]:
    """Strictly more than $1,000, as ``house.incident_kinds.payment_error`` has it."""
    return PaymentError.objects.filter(known_between(first, last), amount__gt=THRESHOLD).order_by("id")


def month_end(first: date, last: date) -> Report:
    """Each over- or underpayment above $1,000 that the regulator must be informed of at the end of the month."""
    found = to_be_reported(first, last).select_related("table", "incident").prefetch_related("steps")
    told = {
        notice.incident_id: notice
        for notice in Notice.objects.filter(incident__in=[error.incident_id for error in found], to=REGULATOR)
    }
    clock = zone()
    rows = []
    for error in found:
        notice = told.get(error.incident_id)
        due = notice.due_at.astimezone(clock) if notice and notice.due_at else None
        when = notice.told_at.astimezone(clock) if notice and notice.told_at else None
        rows.append((*_row(error), due, when))
    return report(
        "Table games: over- and underpayments above $1,000, for the regulator",
        (*_COLUMNS, "Due", "Told"),
        rows,
        add=("Amount", "Rectified", "Outstanding"),
    )


REPORTS: Final[Mapping[str, Make]] = {
    "checks": checks,
    "payment-errors": payment_errors,
    "month-end": month_end,
}
