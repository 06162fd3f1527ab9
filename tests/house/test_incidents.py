from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
import time_machine

from config.checks import faults
from house.incident_kinds import HOURS_48, IMMEDIATELY, MONTH_END, IncidentKind, due_at, kinds, payment_error
from house.incidents import GRACE, close_incident, overdue, record_notice, report_incident
from house.models import Incident, Notice, NoticeAttempt
from house.plan_days import ensure_gaming_days
from kernel.actors import Actor
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, NotFound
from tests.house.conftest import Clock, Log, MakeActor
from tests.world.offers import offer
from tests.world.refusals import refused

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 11, 16, 10, 4, tzinfo=UTC)  # Monday, 21:04 in Sydney
SYDNEY = ZoneInfo("Australia/Sydney")


@pytest.fixture
def clock() -> Iterator[Clock]:
    with time_machine.travel(NOW, tick=False) as clock:
        yield clock


def owed(incident: Incident) -> dict[str, datetime | None]:
    return dict(incident.notices.order_by("to").values_list("to", "due_at"))


def test_report(clock: Clock, actor: MakeActor, log: Log) -> None:
    ensure_gaming_days()
    log.acts.clear()
    happened = NOW - timedelta(minutes=2)
    incident = report_incident(
        kind="equipment-malfunction",
        what=" The meter froze ",
        happened_at=happened,
        subject="table:CSP-01",
        by=actor("writer"),
    )
    incident.refresh_from_db()
    assert (incident.kind, incident.clause, incident.what) == (
        "equipment-malfunction",
        "nsw-csp:14.15",
        "The meter froze",
    )
    assert (incident.happened_at, incident.reported_at, incident.reported_by) == (happened, NOW, "staff:writer")
    assert (str(incident.gaming_day), incident.subject, incident.status) == ("2026-11-16", "table:CSP-01", "open")
    assert log.acts == [("incident.reported", f"incident:{incident.pk}", "staff:writer")]


@pytest.mark.parametrize(
    ("kind", "to", "due"),
    [
        pytest.param(
            "equipment-malfunction", ["inspector"], NOW, marks=pytest.mark.clause("nsw-csp:14.15"), id="malfunction"
        ),
        pytest.param(
            "foreign-or-missing-card",
            ["inspector", "surveillance"],
            NOW,
            marks=pytest.mark.clause("nsw-csp:14.9"),
            id="card",
        ),
        pytest.param(
            "payment-error-above-1000",
            ["regulator"],
            datetime(2026, 11, 30, 13, tzinfo=UTC),  # midnight in Sydney
            marks=pytest.mark.clause("nsw-csp:14.19"),
            id="payment",
        ),
        pytest.param("payment-error", [], None, marks=pytest.mark.clause("nsw-csp:14.16"), id="small payment"),
        pytest.param(
            "payment-error-suspected", [], None, marks=pytest.mark.clause("nsw-csp:14.17"), id="suspected payment"
        ),
        pytest.param(
            "promotion-compromised-2019",
            ["inspector"],
            NOW,
            marks=pytest.mark.clause("nsw-promo-2019:15.12"),
            id="promotion 2019",
        ),
        pytest.param(
            "promotion-compromised-2025",
            ["inspector"],
            NOW + timedelta(hours=48),
            marks=pytest.mark.clause("nsw-promo-2025:17.11"),
            id="promotion 2025",
        ),
    ],
)
def test_who_must_be_told_by_when(
    clock: Clock, supervisor: Actor, kind: str, to: list[str], due: datetime | None
) -> None:
    incident = report_incident(kind=kind, what="It happened", by=supervisor)
    assert owed(incident) == dict.fromkeys(to, due)


@pytest.mark.parametrize(
    ("known", "due"),
    [
        # The month is the venue's: 1 December 00:30 in Sydney is still November in UTC.
        ("2026-11-30T13:30", "2026-12-31T13:00"),
        ("2026-11-30T12:59", "2026-11-30T13:00"),
        ("2026-12-15T00:00", "2026-12-31T13:00"),
        # Daylight saving begins and ends between report and month end.
        ("2026-10-01T00:00", "2026-10-31T13:00"),
        ("2026-04-01T00:00", "2026-04-30T14:00"),
    ],
)
@pytest.mark.clause("nsw-csp:14.19")
def test_month_end_is_the_venues(known: str, due: str) -> None:
    known_at = datetime.fromisoformat(known + "+00:00")
    # Known in a later month than it happened: reported with the month in which the house became aware of it.
    happened = known_at - timedelta(days=40)
    assert due_at(MONTH_END, happened_at=happened, known_at=known_at, zone=SYDNEY) == datetime.fromisoformat(
        due + "+00:00"
    )


def test_forty_eight_hours_are_hours_whatever_the_clock_does() -> None:
    before_the_change = datetime(2026, 10, 3, 20, 0, tzinfo=SYDNEY)
    due = due_at(HOURS_48, happened_at=before_the_change, known_at=NOW, zone=SYDNEY)
    assert due == datetime(2026, 10, 5, 10, tzinfo=UTC)
    assert due.astimezone(SYDNEY).hour == 21


@pytest.mark.clause("nsw-csp:14.19")
@pytest.mark.parametrize(
    ("difference", "kind"),
    [
        ("1000.00", "payment-error"),
        ("1000.01", "payment-error-above-1000"),
        ("-1000.00", "payment-error"),
        ("-1000.01", "payment-error-above-1000"),
        ("0.05", "payment-error"),
    ],
)
def test_payment_errors_above_a_thousand_dollars_go_to_the_regulator(difference: str, kind: str) -> None:
    assert payment_error(Money.parse(difference)) == kind


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"kind": "meteor"}, "no-such-kind"),
        ({"what": "  "}, "nothing-said"),
        ({"subject": "x" * 121}, "subject-too-long"),
        ({"happened_at": NOW + timedelta(minutes=2)}, "not-happened-yet"),
        ({"happened_at": NOW.replace(tzinfo=None)}, "time-without-zone"),
    ],
)
def test_report_refusals(clock: Clock, supervisor: Actor, log: Log, given: dict[str, Any], code: str) -> None:
    wanted: dict[str, Any] = {"kind": "other", "what": "x", "by": supervisor} | given
    refused(lambda: report_incident(**wanted), code)
    assert not Incident.objects.exists()
    assert not log.acts


def test_rights(clock: Clock, actor: MakeActor, supervisor: Actor) -> None:
    auditor = actor("auditor")
    incident = report_incident(kind="other", what="x", by=supervisor)
    refused(lambda: report_incident(kind="other", what="x", by=auditor), "no-permission", Forbidden)
    refused(
        lambda: record_notice(incident_id=incident.pk, to="inspector", how="x", by=auditor), "no-permission", Forbidden
    )
    refused(lambda: close_incident(incident_id=incident.pk, outcome="x", by=auditor), "no-permission", Forbidden)


def test_an_incident_closes_when_everybody_has_been_told(clock: Clock, supervisor: Actor, log: Log) -> None:
    incident = report_incident(kind="foreign-or-missing-card", what="A sixth queen", by=supervisor)

    def close(outcome: str = "New cards") -> Incident:
        return close_incident(incident_id=incident.pk, outcome=outcome, by=supervisor)

    with pytest.raises(Conflict) as no:
        close()
    assert (no.value.code, no.value.clause) == ("notice-owed", "nsw-csp:14.9")
    assert no.value.detail == "It cannot be closed yet: surveillance and inspector must be told first."
    record_notice(incident_id=incident.pk, to="surveillance", how="telephone", by=supervisor)
    refused(close, "notice-owed", Conflict)
    record_notice(
        incident_id=incident.pk, to="inspector", how="telephone", reached=False, notes="No answer", by=supervisor
    )
    refused(close, "notice-owed", Conflict)  # an attempt is no notice
    told = NOW - timedelta(seconds=0)
    record_notice(incident_id=incident.pk, to="inspector", how="in person", at=told, reference="IR 7", by=supervisor)
    refused(lambda: close(" "), "outcome-missing")
    closed = close()
    assert (closed.status, closed.closed_by, closed.closed_at, closed.outcome) == (
        "closed",
        "staff:supervisor",
        NOW,
        "New cards",
    )
    refused(close, "incident-closed", Conflict)
    refused(lambda: close_incident(incident_id=0, outcome="x", by=supervisor), "no-such-incident", NotFound)
    assert list(NoticeAttempt.objects.values_list("notice__to", "how", "reached", "reference", "notes")) == [
        ("surveillance", "telephone", True, "", ""),
        ("inspector", "telephone", False, "", "No answer"),
        ("inspector", "in person", True, "IR 7", ""),
    ]
    assert log.kinds == [
        "incident.reported",
        "incident.told",
        "incident.not-reached",
        "incident.told",
        "incident.closed",
    ]


@pytest.mark.clause("nsw-csp:14.18")
def test_what_was_tried_with_a_patron_is_kept(clock: Clock, supervisor: Actor) -> None:
    incident = report_incident(kind=payment_error(Money.parse("-80.00")), what="Paid 20 for 100", by=supervisor)
    for how, reached in (("identified by player card", True), ("telephone", False), ("reimbursed $80.00", True)):
        record_notice(incident_id=incident.pk, to="patron", how=how, reached=reached, by=supervisor)
    [notice] = incident.notices.all()
    assert (notice.to, notice.due_at, notice.told_at) == ("patron", None, NOW)
    assert [attempt.how for attempt in notice.attempts.all()] == [
        "identified by player card",
        "telephone",
        "reimbursed $80.00",
    ]
    assert not overdue(now=NOW + timedelta(days=365)).exists()  # nobody is bound to reach him by a time
    close_incident(incident_id=incident.pk, outcome="Reimbursed", by=supervisor)


def test_the_first_telling_counts(clock: Clock, supervisor: Actor) -> None:
    incident = report_incident(
        kind="equipment-malfunction", what="x", happened_at=NOW - timedelta(hours=1), by=supervisor
    )
    for minutes in (10, 30, 20):
        record_notice(
            incident_id=incident.pk, to="inspector", how="telephone", at=NOW - timedelta(minutes=minutes), by=supervisor
        )
    assert Notice.objects.get().told_at == NOW - timedelta(minutes=30)


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"to": ""}, "notice-incomplete"),
        ({"how": " "}, "notice-incomplete"),
        ({"reference": "x" * 121}, "notice-incomplete"),
        ({"at": NOW + timedelta(minutes=2)}, "not-happened-yet"),
        ({"at": NOW - timedelta(seconds=1)}, "told-before"),
    ],
)
def test_notice_refusals(clock: Clock, supervisor: Actor, given: dict[str, Any], code: str) -> None:
    incident = report_incident(kind="equipment-malfunction", what="x", by=supervisor)
    wanted: dict[str, Any] = {
        "incident_id": incident.pk,
        "to": "inspector",
        "how": "telephone",
        "by": supervisor,
    } | given
    refused(lambda: record_notice(**wanted), code)
    assert not NoticeAttempt.objects.exists()
    assert Notice.objects.get().told_at is None


def test_overdue_is_what_should_have_been_told_five_minutes_ago(clock: Clock, supervisor: Actor) -> None:
    for kind in ("promotion-compromised-2025", "equipment-malfunction", "payment-error-above-1000"):
        report_incident(kind=kind, what="x", by=supervisor)

    def late(after: timedelta) -> list[str]:
        return [notice.incident.kind for notice in overdue(now=NOW + after)]

    moment = timedelta(microseconds=1)
    assert late(GRACE) == []
    assert late(GRACE + moment) == ["equipment-malfunction"]
    assert late(timedelta(hours=48) + GRACE) == ["equipment-malfunction"]
    assert late(timedelta(hours=48) + GRACE + moment) == ["equipment-malfunction", "promotion-compromised-2025"]
    assert len(late(timedelta(days=15))) == 3
    first = Incident.objects.get(kind="equipment-malfunction")
    record_notice(incident_id=first.pk, to="inspector", how="telephone", by=supervisor)
    assert late(timedelta(hours=1)) == []
    assert timedelta(minutes=5) == GRACE


def test_rooms_add_their_own_kinds(monkeypatch: pytest.MonkeyPatch) -> None:
    meteor = IncidentKind("meteor", "A meteor", notices=[("inspector", IMMEDIATELY)])
    assert meteor == "meteor"
    offer(monkeypatch, meteor)
    assert kinds()["meteor"].notices == (("inspector", IMMEDIATELY),)
    assert faults() == []
    offer(monkeypatch, IncidentKind("meteor", "Another"))
    assert faults() == ["IncidentKind meteor is declared twice"]
