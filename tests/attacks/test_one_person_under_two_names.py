"""Somebody becomes two: he is hired again under a name that reads like his own, comes back after he was let go and goes
on with what he had, or has his roles changed between proposing and deciding."""

from __future__ import annotations

from house.models import Proposal, Staff
from tests.attacks.appointed import agreed, change, with_roles
from tests.attacks.insider import House

SECOND_SELVES = (
    "Manager",
    "MANAGER",
    "manager ",
    " manager",
    "m\N{CYRILLIC SMALL LETTER A}nager",
    "manager\u200b",
    "mana\u00adger",
)
AMOUNT = ("keno.amount", "amount:supervised-above", "9000.00")


def test_nobody_is_hired_as_somebodys_double(house: House) -> None:
    administrator = house.at_console("administrator")
    with house.unchanged():
        for username in SECOND_SELVES:
            page = administrator.post("/staff/hire/", {"username": username, "name": "Mo", "roles": "writer"})
            assert page.status in (409, 422), username
    assert Staff.objects.filter(username__icontains="nager").exclude(signs_in=False).count() == 1


def test_who_comes_back_comes_back_with_nothing(house: House) -> None:
    administrator, manager = house.at_console("administrator"), house.at_console("manager")
    kept = house.insider("manager", holder="manager")
    number = change(manager, *AMOUNT).ok(201)["id"]
    assert administrator.post("/staff/manager/deactivate/", {"comment": "He left."}).status == 302
    assert administrator.post("/staff/manager/reactivate/", {"comment": "He is back."}).status in (302, 409, 422)
    with house.unchanged():
        assert kept.get("me").refused("token-unknown")
        assert manager.get("/approvals/").status == 302  # the old session is over
        assert kept.post(f"approvals/{number}/approve").status == 401
    assert Proposal.objects.get(pk=number).status == "proposed"


def test_who_proposed_decides_nothing_of_it_in_another_role(house: House) -> None:
    with_roles(house, "supervisor", "manager", "supervisor")
    supervisor = house.at_console("supervisor")
    number = change(supervisor, *AMOUNT).ok(201)["id"]
    with_roles(house, "supervisor", "manager")
    with house.unchanged():
        assert supervisor.call(f"approvals/{number}/approve").refused("own-proposal")
    assert (
        agreed(house, change(supervisor, "keno.amount", "amount:supervised-above", "8000.00"))["status"] == "effective"
    )
