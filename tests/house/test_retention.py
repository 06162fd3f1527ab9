"""What is kept of people: how long, by whose word it goes, what the law keeps, and that the log stays whole."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.models import Session
from django.core.management import call_command
from django.db import Error, transaction

from house.approvals import approve, propose
from house.cash.matters import matter_sent, raise_matter
from house.models import CashLine, Player, Proposal, SuspiciousMatter, ThresholdReport
from house.models.cash import IDENTITY_ERASED
from house.plan_days import ensure_gaming_days
from house.players import cards, restrict
from house.retention import ERASURE, by_two, kept_today
from kernel.refusal import Forbidden
from kernel.retention import ERASED, Kept, latest_day
from kernel.rooms import offered
from ledger.models import Act
from tests.house.conftest import MakePerson
from tests.house.test_cash import MONA, refused
from tests.world.cash import ANNA, BEN, handed
from tests.world.people import someone
from tests.world.sessions import signed_in
from web.tasks import purge_request_keys

pytestmark = pytest.mark.django_db

NOW = datetime.now(UTC)
LONG_AGO = NOW - timedelta(days=8 * 366)
LATELY = NOW - timedelta(days=6 * 365)
LATEST = latest_day(7, today=NOW.date()) - timedelta(days=2)  # whatever the venue's clock says
SIMON = someone("supervisor", "simon")


@pytest.fixture(autouse=True)
def venue_is_open() -> None:
    ensure_gaming_days(now=NOW)


def paid(at: datetime, *, payment: int, identity: Any = ANNA) -> ThresholdReport:
    handed("25000.00", payment=payment, day=at.date(), at=at, identity=identity)
    return ThresholdReport.objects.latest("pk")


def sent(report: ThresholdReport, at: datetime) -> None:
    ThresholdReport.objects.filter(pk=report.pk).update(reported_at=at, reported_by=MONA.identity)


def erasure(subject: str = "cash", before: date = LATEST) -> Proposal:
    return propose(kind=ERASURE, subject=subject, new={"before": before.isoformat()}, why="Seven years.", by=SIMON)


def test_identities_go_after_seven_years_by_two_people_and_the_rest_stays() -> None:
    old, young = paid(LONG_AGO, payment=1), paid(LATELY, payment=2, identity=BEN)
    sent(old, LONG_AGO)
    proposal = erasure()
    with pytest.raises(Forbidden):
        approve(proposal_id=proposal.pk, by=SIMON)
    assert not CashLine.objects.filter(identity=IDENTITY_ERASED).exists()
    approve(proposal_id=proposal.pk, by=MONA)
    old.refresh_from_db()
    young.refresh_from_db()
    assert (old.identity, old.name_mark, str(old.cash)) == (IDENTITY_ERASED, "", "25000.00")
    assert young.receiver == BEN
    assert [line.identity and line.identity["name"] for line in CashLine.objects.order_by("pk")] == [ERASED, BEN.name]
    act = Act.objects.get(kind="personal-data.erased")
    assert (act.subject, act.data) == ("personal-data:cash", {"before": LATEST.isoformat(), "records": 2})
    assert "Anna" not in str(list(Act.objects.values_list("data", flat=True)))
    assert refused(erasure) == "nothing-to-erase"


def test_what_the_law_keeps_is_refused_and_what_was_never_sent_stays() -> None:
    waits = paid(LONG_AGO, payment=1)
    assert refused(lambda: erasure(before=LATEST + timedelta(days=4))) == "kept-by-law"
    assert refused(lambda: erasure("staff")) == "no-such-subject"
    assert refused(lambda: erasure("cash/P-1")) == "no-such-subject"
    assert not Proposal.objects.exists()
    approve(proposal_id=erasure().pk, by=MONA)  # its payment's line; the report is owed to the authority still
    waits.refresh_from_db()
    assert waits.receiver == ANNA


@pytest.mark.parametrize("model", [CashLine, ThresholdReport])
def test_the_database_keeps_an_identity_for_seven_years_and_takes_no_other(model: Any) -> None:
    sent(paid(LATELY, payment=1), LATELY)
    sent(paid(LONG_AGO, payment=2, identity=BEN), LONG_AGO)
    young, old = (model.objects.get(payment=payment) for payment in (1, 2))
    wrong: list[tuple[Any, dict[str, Any]]] = [
        (young, {"identity": IDENTITY_ERASED}), (old, {"identity": young.identity}),
        (old, {"identity": IDENTITY_ERASED | {"name": "Somebody Else"}}), (old, {"cash": young.cash * 2}),
    ]  # fmt: skip
    if model is ThresholdReport:
        wrong += [(old, {"name_mark": ""}), (old, {"name_mark": "0" * 64}), (old, {"sent_reference": "other"})]
    for row, change in wrong:
        with pytest.raises(Error), transaction.atomic():
            model.objects.filter(pk=row.pk).update(**change)
    assert model.objects.filter(pk=old.pk).update(identity=IDENTITY_ERASED) == 1
    with pytest.raises(Error), transaction.atomic():  # nobody is put in his place afterwards
        model.objects.filter(pk=old.pk).update(identity=young.identity)


def matter(at: datetime) -> SuspiciousMatter:
    with time_machine.travel(at, tick=False):
        ensure_gaming_days()
        made = raise_matter(what="Notes that smelled of smoke.", by=SIMON)
        matter_sent(matter_id=made.pk, reference="SMR-1", by=MONA)
    return SuspiciousMatter.objects.get(pk=made.pk)


def test_a_suspicious_matter_is_forgotten_with_its_salt_and_how_it_ended_stays() -> None:
    old, young = matter(LONG_AGO), matter(LATELY)
    for row, change in ((young, {"what": ERASED}), (old, {"what": "Nothing."}), (old, {"what": ERASED})):
        with pytest.raises(Error), transaction.atomic():
            SuspiciousMatter.objects.filter(pk=row.pk).update(**change)
    approve(proposal_id=erasure("matters").pk, by=MONA)
    old.refresh_from_db()
    assert (old.what, old.salt, old.sent_reference) == (ERASED, "", "SMR-1")
    assert SuspiciousMatter.objects.get(pk=young.pk).salt


def player(at: datetime, card: str, **more: Any) -> Player:
    with time_machine.travel(at, tick=False):
        ensure_gaming_days()
        made = cards.register_player(name="Pat Morgan", card=card, by=SIMON)
        if more.get("excluded"):
            restrict.restrict(player_number=made.number, kind="exclusion", reason="asked", by=SIMON)
        if not more.get("keeps_card"):
            cards.cancel_card(card=card, reason="gave it back", by=SIMON)
    return made


def test_a_player_without_a_card_is_forgotten_and_who_is_kept_out_is_not() -> None:
    gone, excluded = player(LONG_AGO, "C-1"), player(LONG_AGO, "C-2", excluded=True)
    holds, lately = player(LONG_AGO, "C-3", keeps_card=True), player(LATELY, "C-4")
    for other in (excluded, holds, lately):
        assert refused(lambda number=other.number: erasure(f"players/{number}")) == "nothing-to-erase"
    assert refused(lambda: erasure("players/P-NOBODY")) == "no-such-player"
    approve(proposal_id=erasure(f"players/{gone.number}").pk, by=MONA)
    names = dict(Player.objects.values_list("number", "name"))
    assert names == {gone.number: ERASED} | {each.number: "Pat Morgan" for each in (excluded, holds, lately)}


def test_a_player_who_was_paid_lately_is_kept_though_he_has_no_card() -> None:
    gone = player(LONG_AGO, "C-1")
    handed("5000.00", payment=1, day=LATELY.date(), at=LATELY, played_by=gone.pk)
    assert refused(lambda: erasure("players")) == "nothing-to-erase"


def test_ended_sessions_are_gone_within_the_hour() -> None:
    for key, expires in (("over", NOW - timedelta(minutes=1)), ("lasts", NOW + timedelta(hours=1))):
        Session.objects.create(session_key=key, session_data="", expire_date=expires)
    purge_request_keys()
    assert list(Session.objects.values_list("pk", flat=True)) == ["lasts"]


def test_the_page_the_command_and_the_regulators_table_say_the_same(person: MakePerson) -> None:
    paid(LONG_AGO, payment=1)
    out = StringIO()
    call_command("retention", stdout=out)
    supervisor = signed_in(person("sara", "supervisor"))
    page = supervisor.get("/approvals/propose/erasure/").content.decode()
    table = (Path(__file__).parents[2] / "docs/regulator.md").read_text()
    for kept in offered(Kept):
        assert kept.label in page
        assert kept.label in out.getvalue()
        assert f"| {kept.label} |" in table
    assert "2 held; 1 of them last needed before" in out.getvalue()
    assert [each.due for each in kept_today() if each.kept.name == "cash"] == [1]
    given = {"what": "cash", "player": "", "before": NOW.date().isoformat(), "why": "Seven years."}
    assert supervisor.post("/approvals/propose/erasure/", given).status_code == 422
    assert not Proposal.objects.exists()
    supervisor.post("/approvals/propose/erasure/", given | {"before": LATEST.isoformat()})
    assert Proposal.objects.get().subject == "cash"
    assert set(by_two()) == {"cash", "matters", "players", "claims"}


def test_a_day_of_february_that_other_years_do_not_have() -> None:
    assert latest_day(7, today=date(2028, 2, 29)) == date(2021, 2, 28)
