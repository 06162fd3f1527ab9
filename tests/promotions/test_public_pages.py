"""What everybody sees: the terms in force, earlier ones, the paper, and nothing of anybody who entered."""

from __future__ import annotations

from datetime import timedelta
from hashlib import sha256

import pytest
from django.test import Client
from pytest_django import Settings

from house.models import Proposal
from promotions.amend import amend_promotion
from promotions.demo import build_demo
from promotions.enter import enter
from promotions.models import Entry, Promotion, Submission
from promotions.pages import public
from promotions.people import Contact
from promotions.run import close
from promotions.seal import seal
from promotions.submit import submit_promotion
from tests.world import promotions as at
from tests.world.approvals import decide
from tests.world.people import actor
from tests.world.promotions import NOW

pytestmark = pytest.mark.django_db


def page(path: str = "SPRING/") -> str:
    response = Client().get(f"/promotions/{path}")
    assert response.status_code == 200, response.content
    return " ".join(response.content.decode().split())  # lines break where white space does not show


@pytest.mark.clause("nsw-promo-2025:17.6", "nsw-promo-2025:17.10", "nsw-promo-2019:15.6", "nsw-promo-2019:15.11")
@pytest.mark.parametrize("edition", ["2019", "2025"])
def test_the_terms_are_readily_available_with_every_particular_and_the_right_to_complain(edition: str) -> None:
    at.running(edition=edition)
    text = page()
    for said in at.terms().values():
        if isinstance(said, str) and "T" not in said[:11] and said != "none":
            assert said in text
    assert "Two thousand dollars" in text
    assert "right to lodge a complaint with an inspector" in text
    assert f"edition of {edition}" in text
    assert "Spring draw" in page("")


def test_a_draft_is_nobodys_business_and_a_submitted_one_is_shown() -> None:
    at.drafted()
    assert Client().get("/promotions/SPRING/").status_code == 404
    assert "Spring draw" not in page("")
    submit_promotion(code="SPRING", by=at.manager(), now=NOW - timedelta(days=2))
    assert "Starts soon" in page()
    assert Client().get("/promotions/NONE/").status_code == 404


@pytest.mark.clause("nsw-promo-2025:17.6", "nsw-promo-2025:17.12.1")
def test_players_see_the_version_in_force_and_can_look_at_those_before() -> None:
    at.running()
    amend_promotion(code="SPRING", changes={"awarded_where": "Level 2"}, why="Works.", by=at.manager())
    assert "Level 2" not in page()  # until another person has approved it
    decide(Proposal.objects.get())
    assert "Level 2" in page()
    assert "Main stage" not in page()
    before = page("SPRING/?version=1")
    assert "Main stage" in before
    assert "not in force any more" in before
    for odd in ("0", "3", "x", "-1", "99999999"):
        assert Client().get(f"/promotions/SPRING/?version={odd}").status_code == 404


@pytest.mark.clause("nsw-promo-2019:15.9.1")
def test_2019_an_amendment_that_waits_for_approval_is_not_shown() -> None:
    at.running(edition="2019")
    amend_promotion(code="SPRING", changes={"awarded_where": "Level 2"}, why="Works.", by=at.manager())
    assert "Main stage" in page()
    assert "Level 2" not in page()
    assert Client().get("/promotions/SPRING/?version=2").status_code == 404


def test_the_paper_is_the_one_the_regulator_has() -> None:
    at.running()
    response = Client().get("/promotions/SPRING/terms.pdf")
    assert response["Content-Type"] == "application/pdf"
    assert sha256(response.content).hexdigest() == Submission.objects.get().sha256


def test_the_root_is_published_before_the_draw_and_no_person_ever() -> None:
    at.running()
    writer = actor("device:W-1", "writer")
    enter(code="SPRING", card="C-1001", contact=Contact("Anna Marsh", "1 High Street", "0400 1", "a@b.org"), by=writer)
    at.due()
    close(code="SPRING")
    sealed = seal(code="SPRING")
    text = page()
    assert sealed.root.hex() in text
    for word in ("Anna", "High Street", "0400", "a@b.org", "C-1001", str(Entry.objects.get().salt)):
        assert word not in text


def test_results_are_shown_when_there_are_any(monkeypatch: pytest.MonkeyPatch) -> None:
    at.running()
    published = {
        "commitment": "ab" * 32,
        "void": [{"attempt": 1, "why": "A power cut."}],
        "result": {
            "prizes": [{"name": "Two thousand dollars", "value": "2000.00", "number": 17}],
            "alternates": [4, 9],
        },
    }
    monkeypatch.setattr(public, "results_of", lambda promotion: published)
    text = page()
    assert "ab" * 32 in text
    assert "$2,000.00" in text
    assert "No. 17 of the sealed list" in text
    assert "A power cut." in text
    assert "Alternates: 4, 9." in text


def test_what_people_write_is_shown_as_text_and_no_script_runs() -> None:
    at.running(nature="<script>alert(1)</script>", text="Line one\n<b>two</b>")
    response = Client().get("/promotions/SPRING/")
    assert b"<script>alert" not in response.content
    assert b"<b>two" not in response.content
    assert "default-src 'none'" in response["Content-Security-Policy"]


def test_the_demo_has_one_promotion_under_each_edition(settings: Settings) -> None:
    settings.DEMO = True
    made = build_demo()
    assert {(each.code, each.edition, each.status) for each in made} == {
        ("SPRING-CAR", "2025", "running"),
        ("LUNAR", "2019", "running"),
    }
    assert build_demo() == made  # and nothing is made twice
    assert Promotion.objects.count() == 2
    assert Entry.objects.count() == 120
    for promotion in Promotion.objects.all():
        assert promotion.title in page("")
        page(f"{promotion.code}/")
