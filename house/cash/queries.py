"""What is read about cash. Nobody reads what is about himself, and suspicious matters only who has the power to."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import date, datetime
from typing import Final

from django.db.models import F, JSONField, Q, QuerySet, Value

from house.cash.customers import name_mark
from house.cash.kinds import CashKind
from house.models import CashLine, Structuring, SuspiciousMatter, ThresholdReport
from house.permissions import MATTERS, PERSONAL, REPORTS
from kernel.actors import Actor
from kernel.refusal import NotFound
from kernel.rooms import offered

ID_LIMIT: Final = 2**63 - 1


def kind_of(line: CashLine | ThresholdReport) -> CashKind:
    return next(kind for kind in offered(CashKind) if (kind.room, kind.what) == (line.room, line.what))


def of_customers(customers: Collection[int], *, day: date, way: str) -> QuerySet[CashLine]:
    """Everything of these customers in one gaming day, under whichever mark."""
    received = Q(customer__in=customers) | Q(customer__same_as__in=customers)
    played = Q(played_by__in=customers) | Q(played_by__same_as__in=customers)
    return CashLine.objects.filter(received | played, day=day, way=way)


# Threshold reports

STATES: Final[dict[str, Callable[[datetime], Q]]] = {
    "due": lambda now: Q(reported_at=None),
    "overdue": lambda now: Q(reported_at=None, due_at__lte=now),
    "sent": lambda now: Q(reported_at__isnull=False),
}


def reports_seen_by(
    actor: Actor,
    *,
    room: str | None = None,
    state: str | None = None,
    day: date | None = None,
    now: datetime | None = None,
) -> QuerySet[ThresholdReport]:
    """All of them, but for those that may be about himself. Who received it is shown with a right of its own."""
    if not actor.may(REPORTS):
        return ThresholdReport.objects.none()
    shown = F("identity") if actor.may(PERSONAL) else Value({}, JSONField())
    found = ThresholdReport.objects.exclude(name_mark=name_mark(actor.name)).annotate(shown_identity=shown)
    if room is not None:
        found = found.filter(room=room)
    if day is not None:
        found = found.filter(day=day)
    if state is not None:
        assert now is not None
        found = found.filter(STATES[state](now))
    return found


def report_numbered(number: int, by: Actor, *, room: str | None = None, lock: bool = False) -> ThresholdReport:
    seen = reports_seen_by(by, room=room).filter(pk=min(number, ID_LIMIT))
    report = (seen.select_for_update() if lock else seen).first()
    if report is None:
        raise NotFound("no-such-report", f"There is no threshold report {number}.")
    return report


# What looks like one payment cut into several


def hints(*, day: date | None = None) -> QuerySet[Structuring]:
    found = Structuring.objects.select_related("incident")
    return found if day is None else found.filter(day=day)


def lines_of(hint: Structuring) -> QuerySet[CashLine]:
    """The payments that it is about, in the order in which they were made."""
    kind, _, who = hint.about.partition(":")
    if kind == "customer":
        return of_customers([int(who)], day=hint.day, way=hint.way).order_by("pk")
    unknown = CashLine.objects.filter(customer=None, day=hint.day, way=hint.way)
    return unknown.filter(Q(by=who) | Q(device=who.removeprefix("device:"))).order_by("pk")


# Suspicious matters


def matters_seen_by(actor: Actor) -> QuerySet[SuspiciousMatter]:
    """None for who has not the power, and none that concerns him: that it exists is already too much."""
    if not actor.may(MATTERS):
        return SuspiciousMatter.objects.none()
    others = SuspiciousMatter.objects.exclude(concerns__contains=[actor.identity])
    return others.exclude(name_marks__contains=[name_mark(actor.name)])


OPEN_MATTER: Final = Q(sent_at=None, agreed_at=None)


def matter_numbered(number: int, by: Actor, *, lock: bool = False) -> SuspiciousMatter:
    by.require(MATTERS)
    seen = matters_seen_by(by).filter(pk=min(number, ID_LIMIT))
    if lock:
        seen = seen.select_for_update()
    matter = seen.first()
    if matter is None:
        raise NotFound("no-such-matter", f"There is no suspicious matter {number}.")
    return matter
