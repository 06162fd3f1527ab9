"""A stranger, or a colleague at the next desk, types wrong passwords in the manager's name until the manager cannot
sign in any more: before a big payment, say."""

from __future__ import annotations

from house import demo
from house.models import SecondStep
from tests.attacks.insider import House, Person


def test_the_manager_still_signs_in_at_his_own_browser(house: House) -> None:
    manager = house.at_console("manager")
    manager.post("/sign-out/")
    with house.unchanged(but=["incident.reported", "staff.signed-in"]):
        stranger = Person(house.server)
        answers = [
            stranger.post("/sign-in/", {"username": "manager", "password": f"guess {n}"}).status for n in range(12)
        ]
        assert answers[:4] == [401, 401, 401, 429]
        assert answers.count(401) <= 4
        # From the very address of the attacker, who has only that address and not the browser.
        SecondStep.objects.update(last_t=-1)
        who = next(each for each in demo.credentials() if each.username == "manager")
        first = manager.post("/sign-in/", {"username": "manager", "password": who.password})
        assert first.status == 302, first
        second = manager.post("/sign-in/second-step/", {"code": who.code})
        assert second.status == 302
        assert manager.get("/staff/").status == 200
