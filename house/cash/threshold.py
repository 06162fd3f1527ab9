"""Threshold reports: cash of the reporting limit or more of one customer in one gaming day goes to the authority.

A payment of that much makes a report of its own. Payments below it that reach it together are one report, which grows
until it is sent. Who paid does not say that it was sent: another person does, with the authority's reference.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from django.db import transaction
from django.utils import timezone

from house.cash import steps
from house.cash.acts import ThresholdReportDue, ThresholdReported
from house.cash.customers import name_mark
from house.cash.identity import Identity
from house.cash.limits import CashLimits
from house.cash.queries import of_customers, report_numbered
from house.log import record_act
from house.models import CashLine, ThresholdReport
from house.permissions import REPORT_THRESHOLD
from house.rules.business_days import due_at
from house.venue import zone
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Refusal

REFERENCE_CHARACTERS_LIMIT: Final = 80


def cover(line: CashLine, *, customers: Collection[int], limits: CashLimits, by: Actor) -> ThresholdReport | None:
    """Put a payment, and those before it that no report covers, into a report. *customers*: who reach the limit.

    The caller holds them, and knows that who received it is on record.
    """
    if not customers or not line.cash:
        return None
    of_day = of_customers(customers, day=line.day, way=line.way)
    uncovered = [each for each in of_day.filter(report=None) if each.cash]
    report = None if line.cash >= limits.report_from else _unsent(customers, line)
    if report is None:
        report = _make(line, uncovered, shown=line.identity or _shown_before(customers, line), limits=limits)
    else:
        report.cash += Money.total(each.cash for each in uncovered)
        report.save(update_fields=["cash"])
    CashLine.objects.filter(pk__in=[each.pk for each in uncovered]).update(report=report)
    due = ThresholdReportDue(
        report=report.pk, cash=report.cash, payments=report.lines.count(), day=report.day, due_at=report.due_at
    )
    record_act(due, by=by)
    return report


def _unsent(customers: Collection[int], line: CashLine) -> ThresholdReport | None:
    """The latest of today that has not gone out; held, so that it does not go out meanwhile."""
    covering = of_customers(customers, day=line.day, way=line.way).exclude(report=None).values("report")
    unsent = ThresholdReport.objects.select_for_update().filter(pk__in=covering, reported_at=None)
    return unsent.order_by("-pk").first()


def _shown_before(customers: Collection[int], line: CashLine) -> dict[str, str]:
    of_day = of_customers(customers, day=line.day, way=line.way).exclude(identity=None)
    return of_day.order_by("-pk").values_list("identity", flat=True)[0] or {}


def _make(line: CashLine, covered: Sequence[CashLine], *, shown: dict[str, str], limits: CashLimits) -> ThresholdReport:
    return ThresholdReport.objects.create(
        room=line.room,
        what=line.what,
        payment=line.payment,
        reference=line.reference,
        way=line.way,
        cash=Money.total(each.cash for each in covered),
        identity=shown,
        name_mark=name_mark(Identity.read(shown).name),
        customer_id=line.customer_id,
        day=line.day,
        made_at=line.at,
        made_by=line.by,
        due_at=due_at(line.at, days=limits.report_days, holidays=limits.holidays, zone=zone()),
    )


@transaction.atomic
def report_sent(*, report_id: int, by: Actor, reference: str = "", room: str | None = None) -> ThresholdReport:
    """Note that a threshold report went to the authority, once, by another person than those who paid."""
    by.require(REPORT_THRESHOLD)
    report = report_numbered(report_id, by, room=room, lock=True)
    steps.refuse_report_sent(report, by)
    kept = reference.strip()
    if len(kept) > REFERENCE_CHARACTERS_LIMIT:
        raise Refusal("reference-too-long", "The authority’s reference has at most 80 characters.", field="reference")
    report.reported_at, report.reported_by, report.sent_reference = timezone.now(), by.identity, kept
    report.save(update_fields=["reported_at", "reported_by", "sent_reference"])
    sent = ThresholdReported(report=report.pk, room=report.room, payment=report.payment, reference=kept or None)
    record_act(sent, by=by)
    return report
