"""From a draft to a running promotion: the checklist, the regulator's notice, the 24 hours, the version in force."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from hashlib import sha256
from typing import Any

import pytest
from django.db import DatabaseError, transaction

from kernel.refusal import Conflict, Forbidden
from ledger.models import Act
from promotions.draft import checklist, draft_promotion, edit_promotion, redraft_promotion
from promotions.locks import database_time
from promotions.models import Prize, Promotion, Reason, Submission, TermsVersion
from promotions.run import cancel_promotion, close, start, start_promotion
from promotions.submit import submit_promotion
from promotions.tick import tick
from promotions.versions import on_show
from tests.world import promotions as at
from tests.world.people import actor
from tests.world.promotions import NOW, in_force, refused

pytestmark = pytest.mark.django_db

BOTH = pytest.mark.parametrize("edition", ["2019", "2025"])
CLAUSES = {
    "2019": {"submission": "nsw-promo-2019:15.9", "7.1": "nsw-promo-2019:15.7.1"},
    "2025": {"submission": "nsw-promo-2025:17.12", "7.1": "nsw-promo-2025:17.7.1"},
}


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.7.1-11", "nsw-promo-2019:15.7")
def test_an_incomplete_draft_is_kept_checked_and_cannot_be_submitted(edition: str) -> None:
    draft_promotion(code="SPRING", edition_code=edition, title="Spring", by=at.writer(), terms={"place": "Here"})
    assert len(checklist(code="SPRING", by=at.manager())) == 17
    refusal = refused(
        lambda: submit_promotion(code="SPRING", by=at.manager()),
        code="terms-incomplete",
        clause=CLAUSES[edition]["7.1"],
        field="terms.manner",
    )
    assert len(refusal.extra["missing"]) == 17
    edit_promotion(code="SPRING", by=at.writer(), terms=at.terms(NOW))
    assert checklist(code="SPRING", by=at.manager()) == []


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5")
def test_a_prohibited_prize_does_not_even_enter_a_draft(edition: str) -> None:
    at.drafted(edition=edition)
    wine = [at.prize(liquor_litres="0.750", quantity=27)]
    refused(
        lambda: edit_promotion(code="SPRING", by=at.manager(), terms={"prizes": wine}),
        code="prohibited-prize",
    )
    refused(
        lambda: draft_promotion(
            code="OTHER", edition_code=edition, title="Other", by=at.manager(), terms=at.terms(prizes=wine)
        ),
        code="prohibited-prize",
    )


def test_a_draft_takes_changes_and_gives_up_particulars() -> None:
    at.drafted(text="Bring a friend.")
    edit_promotion(code="SPRING", by=at.manager(), terms={"text": None, "place": "Level 2"}, title="Spring, again")
    version = TermsVersion.objects.get()
    assert "text" not in version.data
    assert (version.data["place"], Promotion.objects.get().title) == ("Level 2", "Spring, again")
    strange: list[object] = [{"plaice": "Here"}, [], {"prizes": {}}, {"prizes": [{"prise": 1}]}]
    for odd in strange:
        refused(partial(edit_promotion, code="SPRING", by=at.manager(), terms=odd), code="terms-unreadable")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"code": "spring"}, "code-not-allowed"),
        ({"edition_code": "2020"}, "no-such-edition"),
        ({"title": " "}, "title-missing"),
    ],
)
def test_a_draft_needs_a_code_an_edition_and_a_title(given: dict[str, Any], code: str) -> None:
    named: dict[str, Any] = {"code": "SPRING", "edition_code": "2025", "title": "Spring", "by": at.manager()} | given
    refused(lambda: draft_promotion(**named), code=code)


def test_codes_are_taken_once_and_rights_are_asked_for() -> None:
    at.drafted()
    refused(at.drafted, Conflict, code="code-taken")
    writer = actor("device:W-1", "writer")
    refused(lambda: edit_promotion(code="SPRING", by=writer, terms={}), Forbidden)
    refused(lambda: submit_promotion(code="SPRING", by=actor("staff:sue", "supervisor")), Forbidden)


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.12", "nsw-promo-2019:15.9")
def test_submission_is_a_notice_with_the_terms_on_paper(edition: str) -> None:
    at.drafted(edition=edition)
    sent = submit_promotion(code="SPRING", by=at.manager(), reference="N-77", now=NOW - timedelta(hours=24))
    assert (sent.reason, sent.how, sent.reference) == (Reason.BEFORE_START, "email", "N-77")
    assert (
        sent.to
        == {"2019": "the Independent Liquor and Gaming Authority", "2025": "the NSW Independent Casino Commission"}[
            edition
        ]
    )
    pdf = bytes(sent.pdf)
    assert pdf.startswith(b"%PDF-")
    assert sent.sha256 == sha256(pdf).hexdigest()
    act = Act.objects.get(kind="promotion.submitted")
    assert (act.subject, act.data["sha256"], act.data["terms"]) == ("promotion:SPRING", sent.sha256, at.terms())
    promotion = Promotion.objects.get()
    assert (promotion.status, promotion.submitted_at) == ("submitted", NOW - timedelta(hours=24))
    assert (promotion.starts_at, promotion.closes_at) == (NOW, NOW + timedelta(days=7))
    assert [(prize.place, prize.kind, str(prize.value)) for prize in Prize.objects.all()] == [(1, "money", "2000.00")]
    # Nobody rewrites what the regulator has, prizes included.
    for change in (
        lambda: TermsVersion.objects.update(data={}),
        lambda: Submission.objects.update(sha256="0" * 64),
        lambda: Prize.objects.update(quantity=9),
        lambda: Prize.objects.all().delete(),
    ):
        with pytest.raises(DatabaseError), transaction.atomic():
            change()


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.12", "nsw-promo-2019:15.9")
def test_less_than_24_hours_before_the_start_is_too_late_to_submit(edition: str) -> None:
    at.drafted(edition=edition)
    late = NOW - timedelta(hours=24) + timedelta(seconds=1)
    refused(
        lambda: submit_promotion(code="SPRING", by=at.manager(), now=late),
        code="submitted-too-late",
        clause=CLAUSES[edition]["submission"],
        field="terms.starts_at",
    )
    submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(hours=24))


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.12", "nsw-promo-2019:15.9")
def test_the_start_is_refused_before_24_hours_have_passed_since_the_submission(edition: str) -> None:
    at.drafted(edition=edition)
    submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(hours=24))
    # The terms promise a start; an earlier one, or one with less notice, is refused by code and by the database.
    refused(
        lambda: start_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(seconds=1)),
        Conflict,
        code="submitted-too-recently",
        clause=CLAUSES[edition]["submission"],
    )
    with pytest.raises(DatabaseError, match="promotions_promotion_24_hours"), transaction.atomic():
        Promotion.objects.update(status="running", started_at=NOW - timedelta(seconds=1))
    started = start_promotion(code="SPRING", by=at.manager(), now=NOW)
    assert (started.status, started.started_at) == ("running", NOW)
    version = TermsVersion.objects.get()
    assert version.in_force_from == NOW
    assert in_force(started) == on_show(started) == version


def test_the_start_waits_for_its_time_and_for_the_submission() -> None:
    at.drafted()
    refused(lambda: start(code="SPRING", now=NOW), Conflict, code="promotion-draft", clause="nsw-promo-2025:17.12")
    submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(days=3))
    refused(lambda: start(code="SPRING", now=NOW - timedelta(days=1)), Conflict, code="not-its-time")


@pytest.mark.clause("nsw-promo-2025:17.12")
def test_terms_taken_back_are_a_new_version_and_the_24_hours_begin_again() -> None:
    at.drafted()
    submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(days=3))
    redraft_promotion(code="SPRING", by=at.manager())
    promotion = Promotion.objects.get()
    assert promotion.status == "draft"
    assert [version.number for version in promotion.versions.all()] == [1, 2]
    later = NOW + timedelta(days=1)
    edit_promotion(code="SPRING", by=at.writer(), terms={"place": "Level 3"})
    refused(
        lambda: submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(hours=1)),
        code="submitted-too-late",
    )
    edit_promotion(code="SPRING", by=at.writer(), terms=at.terms(later, place="Level 3"))
    submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(hours=1))
    refused(lambda: start(code="SPRING", now=NOW + timedelta(hours=22)), Conflict, code="submitted-too-recently")
    start(code="SPRING", now=later)
    assert in_force(promotion).number == 2
    assert [row.version.number for row in Submission.objects.order_by("id")] == [1, 2]


def test_a_promotion_that_has_not_started_can_be_given_up_and_a_running_one_cannot() -> None:
    at.drafted("A")
    refused(lambda: cancel_promotion(code="A", why=" ", by=at.manager()), code="reason-missing")
    cancel_promotion(code="A", why="The sponsor left.", by=at.manager())
    assert Promotion.objects.get(code="A").status == "cancelled"
    refused(lambda: edit_promotion(code="A", by=at.manager(), terms={}), Conflict, code="promotion-cancelled")
    at.running("B")
    refused(
        lambda: cancel_promotion(code="B", why="Bored.", by=at.manager()),
        Conflict,
        code="promotion-running",
        clause="nsw-promo-2025:17.11",
    )


def test_it_closes_at_the_time_its_terms_state_and_not_before() -> None:
    at.running()
    refused(lambda: close(code="SPRING"), Conflict, code="not-its-time", clause="nsw-promo-2025:17.7.6")
    moment = at.due()
    close(code="SPRING")
    promotion = Promotion.objects.get()
    assert promotion.status == "closed"
    assert promotion.closed_at is not None
    assert promotion.closed_at >= moment
    assert Act.objects.get(kind="promotion.closed").data["entries"] == 0


def test_the_clock_starts_closes_and_seals_what_is_due() -> None:
    begin = database_time() - timedelta(minutes=1)
    at.drafted(begin=begin)
    submit_promotion(code="SPRING", by=at.manager(), now=begin - timedelta(days=1))
    tick(begin + timedelta(seconds=1))
    assert Promotion.objects.get().status == "running"
    tick(begin + timedelta(seconds=2))
    moment = at.due()
    tick(moment)
    assert Promotion.objects.get().status == "closed"  # the draw is an hour away: entries can still be withdrawn
    tick(moment + timedelta(minutes=46))
    promotion = Promotion.objects.get()
    assert promotion.status == "sealed"
    assert promotion.lists.get().count == 0


def test_the_database_knows_the_life_of_a_promotion() -> None:
    at.running()
    for status in ("draft", "submitted", "sealed", "drawn", "finished"):
        with pytest.raises(DatabaseError), transaction.atomic():
            Promotion.objects.update(status=status)
    with pytest.raises(DatabaseError), transaction.atomic():
        Promotion.objects.update(edition="2019")
    with pytest.raises(DatabaseError), transaction.atomic():
        Promotion.objects.all().delete()


@pytest.mark.parametrize("long", ["word " * 4_000, "x" * 20_000, "line\n" * 2_000, "<b>&amp;</b> “年” " * 900])
def test_terms_of_any_length_and_script_come_on_paper(long: str) -> None:
    at.drafted(text=long)
    sent = submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(days=2))
    assert bytes(sent.pdf).startswith(b"%PDF-")


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.12", "nsw-promo-2019:15.9")
def test_one_writes_the_terms_and_another_submits_them(edition: str) -> None:
    at.drafted(edition=edition)
    edit_promotion(code="SPRING", by=at.manager(), terms={"place": "Level 2"})
    early = NOW - timedelta(days=2)
    refused(lambda: submit_promotion(code="SPRING", by=at.manager(), now=early), Forbidden, code="same-person")
    assert not Submission.objects.exists()
    assert Promotion.objects.get().status == "draft"
    submit_promotion(code="SPRING", by=at.manager("max"), now=early)


@BOTH
@pytest.mark.clause("nsw-promo-2025:17.5", "nsw-promo-2019:15.5")
@pytest.mark.parametrize(
    "name", ["Replica handgun", "A vape", "A case of wine", "200 cigarettes", "Sex Pistols tribute", "A day at the spa"]
)
def test_what_is_won_besides_money_is_looked_at_by_a_second_person(edition: str, name: str) -> None:
    """Words are a hint; whether it is declared is what a person confirms who did not write it."""
    goods = at.prize(name=name, kind="goods", payment=["handed-over"], details={"description": "One of it."})
    at.drafted(edition=edition, prizes=[goods])
    asked: dict[str, Any] = {"code": "SPRING", "by": at.manager(), "now": NOW - timedelta(days=2)}
    refusal = refused(lambda: submit_promotion(**asked), code="goods-not-confirmed", field="goods_confirmed")
    assert bool(refusal.extra["hints"]) == (name != "A day at the spa")
    assert not Submission.objects.exists()
    submit_promotion(**asked, goods_confirmed=True)
    assert Promotion.objects.get().status == "submitted"
