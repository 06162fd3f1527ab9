"""Payments below the limit that look like one cut into several: an incident, once a day for each customer or terminal.

A hint for people who know the customer, never a verdict. The incident names numbers, not names.
"""

from __future__ import annotations

from collections.abc import Collection
from contextlib import suppress
from datetime import timedelta
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from house.cash.limits import CashLimits
from house.cash.queries import of_customers
from house.incident_kinds import POSSIBLE_STRUCTURING
from house.incidents import open_incident
from house.models import CashLine, Structuring
from house.rules.structuring import looks_structured
from kernel.actors import system
from kernel.money import Money
from web.words import count, day, money

_SYSTEM: Final = system("cash")


def look_at_customers(line: CashLine, customers: Collection[int], *, limits: CashLimits) -> None:
    if not limits.structuring_from <= line.cash < limits.report_from:
        return
    for customer in customers:
        lines = of_customers([customer], day=line.day, way=line.way)
        _look(line, lines, about=f"customer:{customer}", said=f"Customer {customer}", limits=limits)


def look_at_terminal(line: CashLine, *, limits: CashLimits) -> None:
    """Several to nobody known, at one terminal or by one person within a short time."""
    since = line.at - timedelta(minutes=limits.structuring_minutes)
    unknown = CashLine.objects.filter(customer=None, day=line.day, way=line.way, at__gte=since)
    _look(line, unknown.filter(by=line.by), about=f"at:{line.by}", said=f"Unknown people at {line.by}", limits=limits)
    if line.device and line.by != f"device:{line.device}":
        there = unknown.filter(device=line.device)
        _look(line, there, about=f"at:device:{line.device}", said=f"Unknown people at {line.device}", limits=limits)


def _look(line: CashLine, lines: QuerySet[CashLine], *, about: str, said: str, limits: CashLimits) -> None:
    near = [each for each in lines.values_list("cash", flat=True) if each >= limits.structuring_from]
    if not looks_structured(
        near, below=limits.report_from, each_from=limits.structuring_from, at_least=limits.structuring_payments
    ):
        return
    if Structuring.objects.filter(day=line.day, way=line.way, about=about).exists():
        return
    below = [each for each in near if each < limits.report_from]
    what = (
        f"{said}: {count(len(below), 'payment')} in cash, each below {money(limits.report_from)}, come to "
        f"{money(Money.total(below))} on the gaming day of {day(line.day)}."
    )
    with suppress(IntegrityError), transaction.atomic():  # noticed at another desk at this very moment
        incident = open_incident(kind=POSSIBLE_STRUCTURING, what=what, by=_SYSTEM, subject=about)
        Structuring.objects.create(day=line.day, way=line.way, about=about, incident=incident, found_at=line.at)
