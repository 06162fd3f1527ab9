"""A manager is given the inspector's role beside his own, and then approves for the regulator what he wants."""

from __future__ import annotations

from house.models import Staff
from tests.attacks.insider import House
from tests.attacks.letters import letter, proposed


def test_who_works_for_the_house_is_not_its_regulator(house: House) -> None:
    administrator, other = house.at_console("administrator"), house.insider("manager")
    number = proposed(house.insider("supervisor"))
    form = {"roles": ["inspector", "manager"], "why": "He knows the rules.", "effective_from": ""}
    if administrator.post("/staff/manager/roles/", form).status == 302:
        roles = other.get("approvals/?kind=house.staff-roles").ok()["results"]
        for waiting in roles:
            other.post(f"approvals/{waiting['id']}/approve")
    marcus = house.at_console("manager")
    with house.unchanged():
        for decision in ("approve", "reject"):
            assert marcus.post(f"/approvals/{number}/{decision}/").status == 403
    paper = other.post(f"approvals/{number}/letter", letter()).ok(201)
    house.insider("manager").post(f"approvals/{number}/letter/confirm", {"sha256": paper["sha256"]}).ok()
    with house.unchanged():
        for answer in ("countersign", "dispute"):
            assert marcus.post(f"/approvals/{number}/answer/{answer}/", {"comment": "Ours."}).status == 403
    assert Staff.objects.filter(username="manager", is_active=True).exists()
