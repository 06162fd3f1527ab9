"""From which amounts on the house asks, counts and reports, and until when: approved figures, with the law's as bounds.

The law of Australia (AML/CTF Act 2006): physical currency of $10,000 or more is reported within ten business days
(s 43); a suspicious matter within three, within 24 hours where it is about the financing of terrorism (s 41). The house
may be stricter, never laxer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from rest_framework.serializers import ListField

from house import approved
from house.approvals import Approvable, Record, Shape
from house.approvals.kept import approved_value
from house.permissions import DECIDE_HOUSE
from kernel.authority import Authority
from kernel.money import Money
from kernel.refusal import NotFound, Refusal
from web.fields import DayField, MoneyField, Text, WholeNumber

KIND: Final = "house.cash-limits"
CODE: Final = "venue"
SUBJECT: Final = f"cash-limits:{CODE}"

# No limit is set below it, so that a small payment to somebody unknown asks the database nothing.
SMALLEST: Final = Money.dollars(1_000)
REPORTED_BY_LAW: Final = Money.dollars(10_000)
REPORT_DAYS_BY_LAW: Final = 10
SUSPICION_DAYS_BY_LAW: Final = 3
TERRORISM_HOURS_BY_LAW: Final = 24
MAIN_ACCOUNT: Final = "MAIN"
_WATCHED_FROM: Final = Money.dollars(3_000)
_ACCOUNT: Final = re.compile(r"[A-Z][A-Z0-9-]{0,15}", re.ASCII)
_MINUTES_LIMIT: Final = 24 * 60


@dataclass(frozen=True, slots=True, kw_only=True)
class CashLimits:
    """What a new house begins with."""

    identity_from: Money = REPORTED_BY_LAW
    report_from: Money = REPORTED_BY_LAW
    cheque_number_from: Money = REPORTED_BY_LAW
    structuring_from: Money = _WATCHED_FROM
    structuring_payments: int = 2
    structuring_minutes: int = 60
    report_days: int = REPORT_DAYS_BY_LAW
    suspicion_days: int = SUSPICION_DAYS_BY_LAW
    terrorism_hours: int = TERRORISM_HOURS_BY_LAW
    holidays: tuple[date, ...] = ()
    cheque_accounts: tuple[str, ...] = (MAIN_ACCOUNT,)


def _made(*, holidays: list[date], cheque_accounts: list[str], **figures: Any) -> CashLimits:
    return CashLimits(holidays=tuple(holidays), cheque_accounts=tuple(cheque_accounts), **figures)


class CashLimitsValue(Record):
    """From which amounts the house asks who somebody is, and what it reports until when."""

    identity_from = MoneyField(help_text="Who gets this much in one gaming day shows who he is.")
    report_from = MoneyField(help_text="Cash of this much in one gaming day is reported.")
    cheque_number_from = MoneyField(help_text="A cheque of this much is paid only with its number.")
    structuring_from = MoneyField(help_text="Payments of this much and below the limit may be parts of one.")
    structuring_payments = WholeNumber(help_text="So many of them are a hint.")
    structuring_minutes = WholeNumber(help_text="Within so many minutes at one terminal, where nobody is known.")
    report_days = WholeNumber(help_text="Business days until a threshold report is due.")
    suspicion_days = WholeNumber(help_text="Business days until a suspicious matter is due.")
    terrorism_hours = WholeNumber(help_text="Hours until one about the financing of terrorism is due.")
    holidays = ListField(child=DayField(), max_length=400, help_text="No business days, besides weekends.")
    cheque_accounts = ListField(
        child=Text(max_length=16), max_length=20, help_text="The first one, where none is said."
    )
    makes = _made


SHAPE: Final = Shape[CashLimits](CashLimitsValue(), unreadable="limits-not-readable")


def cash_limits() -> CashLimits:
    """Those in force."""
    return approved.value(KIND, CODE, SHAPE) or CashLimits()


def reaches_report(cash: Money) -> bool:
    """Whether this much cash by itself is reported."""
    return cash >= SMALLEST and cash >= cash_limits().report_from


def asks_identity(amount: Money) -> bool:
    """Whether this much by itself goes only to somebody who shows who he is."""
    return amount >= SMALLEST and amount >= cash_limits().identity_from


# The change of them


def _check_code(code: str) -> None:
    if code != CODE:
        raise NotFound("no-such-subject", f"The venue has one set of limits: {SUBJECT}.", field="subject")


def _check(code: str, new: CashLimits | None) -> None:
    if new is None:
        return
    if not SMALLEST <= new.identity_from <= new.report_from <= REPORTED_BY_LAW:
        raise _wrong(
            f"Identity is asked for from ${SMALLEST} at least, and where cash is reported at the latest; that is from "
            f"${REPORTED_BY_LAW} by law, or earlier."
        )
    if not SMALLEST <= new.structuring_from < new.report_from:
        raise _wrong(f"Payments are watched from ${SMALLEST} at least, and below the reporting limit.")
    if new.cheque_number_from > REPORTED_BY_LAW or new.cheque_number_from.micros < 0:
        raise _wrong(f"A cheque of ${REPORTED_BY_LAW} has its number on record.")
    if not (2 <= new.structuring_payments <= 20 and 1 <= new.structuring_minutes <= _MINUTES_LIMIT):
        raise _wrong("A hint is two to twenty payments, within a day at most.")
    for days, most, what in (
        (new.report_days, REPORT_DAYS_BY_LAW, "business days for a threshold report"),
        (new.suspicion_days, SUSPICION_DAYS_BY_LAW, "business days for a suspicious matter"),
        (new.terrorism_hours, TERRORISM_HOURS_BY_LAW, "hours where it is about the financing of terrorism"),
    ):
        if not 1 <= days <= most:
            raise _wrong(f"The law allows 1 to {most} {what}.")
    accounts = new.cheque_accounts
    if not accounts or len(set(accounts)) != len(accounts) or not all(map(_ACCOUNT.fullmatch, accounts)):
        raise _wrong("Name each account that cheques are drawn on once, in capitals: MAIN.")


def _wrong(words: str) -> Refusal:
    return Refusal("cash-limits-invalid", words, field="new")


def _describe(code: str, new: CashLimits) -> str:
    return (
        f"Identity from ${new.identity_from}, threshold reports from ${new.report_from} within {new.report_days} "
        f"business days, cheques with their number from ${new.cheque_number_from}; payments from "
        f"${new.structuring_from} on are watched for structuring; suspicious matters within {new.suspicion_days} "
        f"business days, or {new.terrorism_hours} hours."
    )


CASH_LIMITS: Final[Approvable[CashLimits | None]] = approved_value(
    KIND,
    prefix="cash-limits",
    label="Cash limits",
    shape=SHAPE,
    authority=Authority.HOUSE,
    permission=DECIDE_HOUSE,
    check_code=_check_code,
    check=_check,
    describe=_describe,
)
