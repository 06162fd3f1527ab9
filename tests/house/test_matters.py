"""Suspicious matters: anybody raises one, few see it, nobody whom it concerns; due soon, closed by one who reports it
or by two who do not."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.db import Error, transaction

from house.cash.files import matters_file
from house.cash.matters import agree_to_dismissal, digest, dismiss_matter, matter_sent, raise_matter
from house.cash.overdue import note_overdue
from house.cash.queries import matter_numbered, matters_seen_by
from house.cash.steps import matter_steps
from house.models import Incident, SuspiciousMatter
from house.plan_days import ensure_gaming_days
from kernel.refusal import NotFound, Refusal
from ledger.models import Act
from tests.house.conftest import MakePerson
from tests.house.test_cash import refused
from tests.world.cash import ANNA, handed
from tests.world.people import someone
from tests.world.players import registered

pytestmark = pytest.mark.django_db

WRITER, MONA, PAULA = someone("writer"), someone("manager", "mona"), someone("manager", "paula")
WHEN = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)  # Friday, 23:00 in Sydney
SAID = "Three people hand their vouchers to one man."


@pytest.fixture(autouse=True)
def friday(clock: Any) -> None:
    clock.move_to(WHEN)
    ensure_gaming_days()


def raised(**more: Any) -> SuspiciousMatter:
    return raise_matter(**{"what": SAID, "by": WRITER, **more})


def test_it_is_due_after_three_business_days_or_a_day(clock: Any) -> None:
    assert raised().due_at == datetime(2026, 11, 25, 13, 0, tzinfo=UTC)  # the end of Wednesday in Sydney
    assert raised(terrorism=True).due_at == WHEN + timedelta(hours=24)


def test_few_see_it_and_the_log_says_nothing_of_it() -> None:
    (player,) = registered("C-1")
    before = Act.objects.order_by("-id").first()
    matter = raised(player="c-1", reference="T1")
    for by in (WRITER, *(someone(role) for role in ("supervisor", "inspector", "administrator", "auditor", "dealer"))):
        assert not matters_seen_by(by).exists()
        assert refused(matter_numbered, matter.pk, by) == "no-permission"
        assert refused(matters_file, by=by, format="csv") == "no-permission"
    assert matter_numbered(matter.pk, MONA).player == player
    written = Act.objects.filter(id__gt=before.pk if before else 0)
    act = written.get()
    assert (act.kind, act.actor, act.data) == (
        "cash.confidential", "system:cash", {"record": matter.pk, "sha256": digest(matter)},
    )  # fmt: skip
    assert not Incident.objects.exists()
    assert "suspic" not in str((act.kind, act.subject, act.data)).lower()


def test_of_a_payment_a_player_staff_or_in_words(person: MakePerson) -> None:
    person("sue", "supervisor")
    registered("C-1")
    line = handed("4000.00", payment=1, identity=ANNA)
    assert raised(reference="T1").line == line
    assert raised(line_id=line.pk).customer_id == line.customer_id
    assert raised(reference="T999").line is None
    assert raised(staff=[" Sue ", "staff:sue"]).concerns == ["staff:sue"]
    assert refused(raised, player="C-404") == "player-unknown"
    assert refused(raised, staff=["nobody"]) == "no-such-person"
    assert refused(raised, what="  ") == "nothing-said"
    assert refused(raised, by=someone("auditor")) == "no-permission"


def test_whom_it_concerns_does_not_see_it_whatever_his_power(person: MakePerson) -> None:
    person("paula", "manager")
    (player,) = registered("C-1")
    line = handed("4000.00", payment=1, identity=ANNA)
    about_paula, about_anna, about_player = raised(staff=["paula"]), raised(line_id=line.pk), raised(player="C-1")
    anna = replace(PAULA, identity="staff:anna", name="Anna MARSH")
    holder = replace(PAULA, identity="staff:holder", name=player.name)
    for by, hidden in ((PAULA, about_paula), (anna, about_anna), (holder, about_player)):
        assert hidden not in matters_seen_by(by)
        assert matters_seen_by(by).count() == 2
        for call in (
            matter_numbered,
            lambda n, by: matter_sent(matter_id=n, reference="SMR-1", by=by),
            lambda n, by: dismiss_matter(matter_id=n, why="It is nothing.", by=by),
            lambda n, by: matters_file(by=by, format="json", matter_id=n),
        ):
            with pytest.raises(NotFound):
                call(hidden.pk, by)
        told = json.loads(matters_file(by=by, format="json").content)["reports"]
        assert hidden.pk not in [each["report"] for each in told]
    assert matters_seen_by(MONA).count() == 3


def test_one_reports_it_once() -> None:
    matter = raised()
    assert matter_steps(matter, MONA) == {"send", "dismiss", "download"}
    assert refused(matter_sent, matter_id=matter.pk, reference=" ", by=MONA) == "reference-missing"
    sent = matter_sent(matter_id=matter.pk, reference="SMR-7", by=MONA)
    assert (sent.sent_by, sent.is_open) == ("staff:mona", False)
    assert matter_steps(sent, MONA) == {"download"}
    assert refused(matter_sent, matter_id=matter.pk, reference="SMR-8", by=PAULA) == "matter-closed"
    with pytest.raises(Error), transaction.atomic():
        SuspiciousMatter.objects.update(sent_reference="SMR-9")


def test_two_agree_that_it_is_not_suspicious() -> None:
    matter = raised()
    assert refused(agree_to_dismissal, matter_id=matter.pk, by=PAULA) == "nothing-to-agree"
    assert refused(dismiss_matter, matter_id=matter.pk, why="", by=MONA) == "reason-missing"
    assert dismiss_matter(matter_id=matter.pk, why="They are his sons.", by=MONA).is_open
    assert refused(dismiss_matter, matter_id=matter.pk, why="Again.", by=MONA) == "dismissed-already"
    assert refused(agree_to_dismissal, matter_id=matter.pk, by=MONA) == "two-people-needed"
    matter.refresh_from_db()
    assert matter_steps(matter, MONA) == {"send", "download"}
    assert matter_steps(matter, PAULA) == {"send", "agree", "download"}
    with pytest.raises(Error), transaction.atomic():
        SuspiciousMatter.objects.update(agreed_by="staff:mona", agreed_at=WHEN)
    assert not agree_to_dismissal(matter_id=matter.pk, by=PAULA).is_open
    assert refused(matter_sent, matter_id=matter.pk, reference="SMR-1", by=MONA) == "matter-closed"
    assert Act.objects.filter(kind="cash.confidential").count() == 3


def test_a_late_one_is_an_incident_that_does_not_say_what_it_is(clock: Any) -> None:
    matter = raised(what="Anna Marsh, card C-1")
    clock.move_to(matter.due_at)
    assert (note_overdue(matter.due_at), note_overdue(matter.due_at)) == (1, 0)
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("report-overdue", "")
    assert "uspic" not in incident.what
    handed("12000.00", payment=1, identity=ANNA, at=matter.due_at, day=date(2026, 11, 25))
    clock.move_to(matter.due_at + timedelta(days=30))
    note_overdue(matter.due_at + timedelta(days=30))
    first, second = Incident.objects.order_by("pk")
    assert (first.kind, first.what, first.subject) == (second.kind, second.what, second.subject)


def test_a_file_for_the_authority_leaves_no_trace_of_what_it_was() -> None:
    matter = raised()
    paper = matters_file(by=MONA, format="json", matter_id=matter.pk)
    assert SAID.encode() in paper.content
    act = Act.objects.filter(kind="cash.confidential").latest("id")
    assert (act.actor, act.data["record"]) == ("system:cash", matter.pk)
    without = replace(MONA, permissions=MONA.permissions - {"cash.report-files"})
    with pytest.raises(Refusal):
        matters_file(by=without, format="csv")
