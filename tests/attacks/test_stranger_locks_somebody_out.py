"""A stranger, or a colleague at the next desk, types wrong passwords in the manager's name until the manager cannot
sign in any more: before a big payment, say."""

from __future__ import annotations

from house.models import SecondStep
from tests.attacks.insider import House, Person


def test_the_manager_still_signs_in_at_his_own_browser(house: House) -> None:
    manager = Person(house.server).sign_in("manager")
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
        manager.sign_in("manager")
        assert manager.get("/staff/").status == 200
