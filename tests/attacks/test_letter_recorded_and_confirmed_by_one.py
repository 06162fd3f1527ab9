"""A manager records a letter and confirms it himself: at the console, with a second token, as the proposer."""

from __future__ import annotations

from house.models import Letter
from tests.attacks.insider import House
from tests.attacks.letters import letter, proposed


def test_one_person_is_not_two(house: House) -> None:
    one = house.insider("manager", holder="manager")
    other_token = house.insider("manager", holder="manager")
    console = house.at_console("manager")
    number = proposed(house.insider("supervisor"))
    paper = one.post(f"approvals/{number}/letter", letter()).ok(201)
    with house.unchanged():
        for again in (one, other_token):
            answer = again.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]})
            assert answer.refused("same-person")
        page = console.post(f"/approvals/{number}/letter/confirm/", {"sha256": paper["sha256"]})
        assert page.status == 403
    assert Letter.objects.get().status == "recorded"


def test_the_proposer_may_record_a_letter_and_never_confirms_one(house: House) -> None:
    proposer, other, third = (house.insider("manager") for _ in range(3))
    number = proposed(proposer)
    paper = other.post(f"approvals/{number}/letter", letter()).ok(201)
    with house.unchanged():
        assert proposer.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).refused("own-proposal")
    assert third.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).ok()["by_letter"]


def test_without_the_right_nobody_records_or_confirms(house: House) -> None:
    number = proposed(house.insider("supervisor"))
    paper = house.insider("manager").post(f"approvals/{number}/letter", letter()).ok(201)
    insiders = [house.insider(role) for role in ("supervisor", "writer", "table", "inspector")]
    with house.unchanged():
        for insider in insiders:
            answer = insider.post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]})
            assert answer.status == 403
            assert insider.post(f"approvals/{number}/letter", letter(reference="Other")).status == 403
