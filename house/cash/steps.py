"""What may be done next about cash, and by whom."""

from __future__ import annotations

from house.cash.customers import name_mark
from house.models import SuspiciousMatter, ThresholdReport
from house.permissions import MATTERS, REPORT_FILES, REPORT_THRESHOLD
from house.persons import is_another
from house.steps import Check, Steps, allowed
from kernel.actors import Actor
from kernel.codes import Permission
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden
from kernel.rooms import above


def refuse_report_sent(report: ThresholdReport, by: Actor) -> None:
    by.require(REPORT_THRESHOLD)
    if report.reported_at is not None:
        code = "already-reported" if report.room == "jackpot" else "reported-already"  # as each room's callers know it
        raise Conflict(code, f"Threshold report {report.pk} went out already.")
    if not is_another(by, REPORT_THRESHOLD, report.made_by, *report.lines.values_list("by", flat=True)):
        raise Forbidden("two-people-needed", "Who paid it does not say that it was reported: another person does.")


def report_steps(report: ThresholdReport, by: Actor) -> Steps:
    checks: dict[str, Check] = {
        "send": lambda: refuse_report_sent(report, by),
        "download": lambda: by.require(REPORT_FILES),
    }
    return allowed(checks)


def refuse_paying_alone(amount: Money, *, power: Permission, authorised_by: str | None, by: Actor) -> None:
    """Above the amount that the power names one person authorises a payment, and another makes it."""
    if authorised_by is not None and not is_another(by, power, authorised_by):
        raise Forbidden("two-people-needed", "Who authorised the payment cannot make it: another person has to.")
    limit = above(power)
    if authorised_by is None and amount > limit:
        raise Forbidden(
            "supervisor-needed", f"${amount} is above ${limit}: a supervisor has to authorise this payment first."
        )


# Suspicious matters


def concerns(matter: SuspiciousMatter, by: Actor) -> bool:
    return by.identity in matter.concerns or name_mark(by.name) in matter.name_marks


def refuse_matter(matter: SuspiciousMatter, by: Actor) -> None:
    by.require(MATTERS)
    if not matter.is_open:
        raise Conflict("matter-closed", f"Matter {matter.pk} is closed already.")


def refuse_dismissal(matter: SuspiciousMatter, by: Actor) -> None:
    refuse_matter(matter, by)
    if matter.dismissed_by is not None:
        raise Conflict("dismissed-already", "Somebody has said so already: another person agrees, or reports it.")


def refuse_agreement(matter: SuspiciousMatter, by: Actor) -> None:
    refuse_matter(matter, by)
    if matter.dismissed_by is None:
        raise Conflict("nothing-to-agree", "Nobody has said yet that it is not suspicious.")
    if not is_another(by, MATTERS, matter.dismissed_by):
        raise Forbidden("two-people-needed", "Another person agrees that it is not suspicious, or reports it.")


def matter_steps(matter: SuspiciousMatter, by: Actor) -> Steps:
    checks: dict[str, Check] = {
        "send": lambda: refuse_matter(matter, by),
        "dismiss": lambda: refuse_dismissal(matter, by),
        "agree": lambda: refuse_agreement(matter, by),
        "download": lambda: by.require(REPORT_FILES),
    }
    return allowed(checks)
