"""What is read of table games, by calls and pages alike."""

from __future__ import annotations

from datetime import date

from django.db.models import Q, QuerySet

from kernel.refusal import NotFound
from tablegames.models import Check, GamingTable, PaymentError


def tables() -> QuerySet[GamingTable]:
    return GamingTable.objects.all()


def checks(*, day: date | None = None) -> QuerySet[Check]:
    return Check.objects.select_related("table").prefetch_related("errors").filter(_where(day=day))


def find_check(check_id: int) -> Check:
    check = checks().filter(pk=check_id).first()
    if check is None:
        raise NotFound("no-such-check", f"There is no check {check_id}.")
    return check


def payment_errors(
    *, status: str | None = None, direction: str | None = None, day: date | None = None
) -> QuerySet[PaymentError]:
    asked = _where(status=status, direction=direction, day=day)
    return PaymentError.objects.select_related("table").prefetch_related("steps").filter(asked)


def find_error(error_id: int) -> PaymentError:
    found = payment_errors().select_related("incident").prefetch_related("incident__notices")
    error = found.filter(pk=error_id).first()
    if error is None:
        raise NotFound("no-such-payment-error", f"There is no over- or underpayment {error_id}.")
    return error


def errors_of(check: Check) -> list[PaymentError]:
    """What the check found wrong, wager by wager; none where it was paid as owed."""
    return list(PaymentError.objects.filter(check_of=check).order_by("id"))


def _where(**asked: str | date | None) -> Q:
    """What was asked for, of the columns that were."""
    return Q(**{column: value for column, value in asked.items() if value is not None})
