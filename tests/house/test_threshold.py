"""Threshold reports: as they were made, due and late, sent once by another than who paid, in a file; and the limits."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import Error, IntegrityError, transaction

from house.approvals import propose
from house.cash.files import reports_file
from house.cash.limits import SHAPE, SUBJECT, CashLimits, cash_limits
from house.cash.overdue import note_overdue
from house.cash.queries import kind_of, report_numbered, reports_seen_by
from house.cash.steps import report_steps
from house.cash.threshold import report_sent
from house.models import CashLine, Incident, ThresholdReport
from house.plan_days import ensure_gaming_days
from kernel.money import Money
from kernel.refusal import Conflict, Forbidden, NotFound
from ledger.models import Act
from tests.house.test_cash import MONA, refused, reports
from tests.world.approvals import decide
from tests.world.cash import ANNA, BEN, DAY, PAYER, WHEN, handed
from tests.world.people import someone

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def venue_is_open() -> None:
    ensure_gaming_days(now=WHEN)


def report(room: str = "keno", what: str = "ticket", payment: int = 1, **more: Any) -> ThresholdReport:
    handed("25000.00", payment=payment, of=f"{room} {what}", **{"identity": ANNA, **more})
    return ThresholdReport.objects.latest("pk")


def test_a_report_stays_as_it_was_made() -> None:
    made = report()
    assert (made.receiver, made.made_by, kind_of(made).label) == (ANNA, PAYER.identity, "Keno ticket")
    wrong: list[dict[str, Any]] = [
        {"cash": Money.dollars(1)}, {"identity": {}}, {"reported_at": WHEN}, {"due_at": WHEN},
        {"reported_at": WHEN, "reported_by": PAYER.identity},
    ]  # fmt: skip
    for changes in wrong:
        with pytest.raises(Error), transaction.atomic():
            ThresholdReport.objects.filter(pk=made.pk).update(**changes)
    with pytest.raises(Error), transaction.atomic():
        ThresholdReport.objects.filter(pk=made.pk).delete()
    with pytest.raises(Error), transaction.atomic():
        CashLine.objects.update(cash=Money.dollars(1))
    with pytest.raises(IntegrityError), transaction.atomic():
        handed("1.00", payment=1, identity=ANNA)


def test_it_is_due_after_ten_business_days_and_late_once(clock: Any) -> None:
    clock.move_to(WHEN)
    made = report()
    assert made.due_at == datetime(2026, 11, 30, 13, 0, tzinfo=UTC)  # midnight in Sydney
    assert note_overdue(made.due_at - timedelta(seconds=1)) == 0
    clock.move_to(made.due_at)
    assert [each.pk for each in reports_seen_by(MONA, state="overdue", now=made.due_at)] == [made.pk]
    assert (note_overdue(made.due_at), note_overdue(made.due_at)) == (1, 0)
    incident = Incident.objects.get(kind="report-overdue")
    assert "Anna" not in incident.what
    assert str(made.pk) not in incident.what + incident.subject


def test_it_is_sent_once_by_another_than_who_paid() -> None:
    manager = someone("manager", "paula")
    payer = replace(manager, identity="staff:peter")
    made = report(by=payer)
    for by, number, room, error, code in (
        (someone("writer"), made.pk, None, Forbidden, "no-permission"),
        (someone("auditor"), made.pk, None, Forbidden, "no-permission"),
        (manager, made.pk + 99, None, NotFound, "no-such-report"),
        (manager, 2**70, None, NotFound, "no-such-report"),
        (manager, made.pk, "jackpot", NotFound, "no-such-report"),
        (payer, made.pk, None, Forbidden, "two-people-needed"),
    ):
        with pytest.raises(error) as why:
            report_sent(report_id=number, room=room, by=by)
        assert why.value.code == code
    acts = Act.objects.filter(kind="cash.threshold-reported")
    assert not acts.exists()
    assert report_steps(made, manager) == {"send", "download"}
    assert report_steps(made, payer) == {"download"}
    sent = report_sent(report_id=made.pk, reference=" TTR-1 ", by=manager)
    assert (sent.reported_by, sent.sent_reference) == ("staff:paula", "TTR-1")
    assert report_steps(sent, manager) == {"download"}
    assert acts.get().data == {"report": made.pk, "room": "keno", "payment": 1, "reference": "TTR-1"}
    with pytest.raises(Conflict) as again:
        report_sent(report_id=made.pk, by=manager)
    assert again.value.code == "reported-already"
    # What comes after it went out is a report of its own.
    handed("50.00", payment=2, identity=ANNA)
    assert reports() == [("25000.00", 1), ("50.00", 1)]


def test_who_paid_any_part_of_it_does_not_send_it() -> None:
    paula = someone("manager", "paula")
    handed("6000.00", payment=1, identity=ANNA, by=replace(PAYER, identity=paula.identity))
    handed("6000.00", payment=2, identity=ANNA)
    assert refused(report_sent, report_id=ThresholdReport.objects.get().pk, by=paula) == "two-people-needed"


def test_nobody_sees_or_sends_a_report_about_himself() -> None:
    made = report()
    herself = replace(someone("manager", "anna"), name="MARSH, Anna")
    assert not reports_seen_by(herself).exists()
    for call in (report_numbered, lambda number, by: report_sent(report_id=number, by=by)):
        with pytest.raises(NotFound):
            call(made.pk, herself)
    with pytest.raises(NotFound):
        reports_file(by=herself, format="csv", report_id=made.pk)
    with pytest.raises(Conflict, match="nothing to send"):
        reports_file(by=herself, format="csv")


def test_who_received_it_is_shown_with_a_right_of_its_own() -> None:
    made = report()
    for by, seen in ((MONA, ANNA.as_json()), (someone("auditor"), {}), (someone("supervisor"), {})):
        shown: Any = reports_seen_by(by).get()
        assert shown.shown_identity == seen
    assert not reports_seen_by(someone("writer")).exists()
    assert list(reports_seen_by(MONA, room="jackpot")) == []
    assert list(reports_seen_by(MONA, day=DAY)) == [made]


def test_a_file_for_the_authority_leaves_an_act_without_names() -> None:
    made = report()
    handed("20.00", payment=2, identity=ANNA)
    second = report(payment=3, identity=replace(BEN, name="=1+1"))
    assert refused(reports_file, by=someone("auditor"), format="csv") == "no-permission"
    paper = reports_file(by=MONA, format="csv", report_id=made.pk)
    rows = [line.split(",") for line in paper.content.decode().splitlines()]
    assert (paper.media_type, len(rows)) == ("text/csv", 3)
    assert rows[1][rows[0].index("name")] == "Anna Marsh"
    assert [row[rows[0].index("payment_cash")] for row in rows[1:]] == ["25000.00", "20.00"]
    batch = reports_file(by=MONA, format="json")
    assert batch.content.count(b'"kind": "threshold"') == 2
    assert b"'=1+1" in reports_file(by=MONA, format="csv", report_id=second.pk).content
    acts = Act.objects.filter(kind="cash.reports-downloaded").order_by("id")
    assert [each.data["reports"] for each in acts] == [[made.pk], [made.pk, second.pk], [second.pk]]
    assert "Anna" not in str([each.data for each in acts])
    assert all(each.actor == MONA.identity for each in acts)


# The limits


def test_the_limits_are_the_houses_and_never_laxer_than_the_law() -> None:
    assert cash_limits() == CashLimits()
    written = SHAPE.write(CashLimits())
    assert SHAPE.read(written) == CashLimits()
    wrong: list[dict[str, Any]] = [
        {"identity_from": "10000.01"}, {"report_from": "10000.01"}, {"identity_from": "999.99"},
        {"report_from": "5000.00"}, {"structuring_from": "10000.00"}, {"structuring_from": "999.99"},
        {"report_days": 11}, {"suspicion_days": 4}, {"terrorism_hours": 25}, {"report_days": 0},
        {"structuring_payments": 1}, {"structuring_minutes": 0}, {"cheque_accounts": []}, {"cheque_accounts": ["a b"]},
        {"cheque_number_from": "10000.01"},
    ]  # fmt: skip
    given: dict[str, Any] = {"kind": "house.cash-limits", "subject": SUBJECT, "why": "Stricter.", "by": MONA}
    for changes in wrong:
        assert refused(propose, new=written | changes, **given) == "cash-limits-invalid", changes
    assert refused(propose, new=written, **given | {"subject": "cash-limits:other"}) == "no-such-subject"
    new = written | {"identity_from": "5000.00", "holidays": ["2026-12-25"]}
    decide(propose(new=new, **given), house=someone("manager", "paula"))
    assert cash_limits().identity_from == Money.dollars(5_000)
    assert refused(handed, "5000.00", payment=1) == "identity-needed"
