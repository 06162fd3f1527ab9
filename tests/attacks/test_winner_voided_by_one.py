"""A manager wants a prize not to be paid, and has a token besides his password: he proposes by the one, and decides by
the other. What stops it: who proposed does not decide, whatever device he uses; until another has, nothing moves."""

from __future__ import annotations

from house.models import Staff
from tests.attacks.counter import pay, winner
from tests.attacks.insider import House


def test_one_person_voids_no_winner(house: House) -> None:
    writer, supervisor = house.insider("writer"), house.insider("supervisor")
    manager = house.insider("manager", holder=Staff.objects.get(username="manager").username)
    sold = winner(house, writer)
    with house.unchanged(but={"approval.proposed", "keno.prize-held", "incident.reported", "staff.signed-in"}):
        asked = {"game": sold["first_game"], "why": "He was rude."}
        made = manager.post(f"keno/tickets/{sold['serial']}/void-win", asked)
        assert made.status == 202
        assert manager.post(f"approvals/{made.body['id']}/approve").refused("own-proposal")
        console = house.at_console("manager")
        assert console.call(f"approvals/{made.body['id']}/approve").refused("own-proposal")
        assert supervisor.post(f"approvals/{made.body['id']}/approve").refused("no-permission")
        assert manager.post(f"keno/tickets/{sold['serial']}/release", {"why": "Fine."}).refused("needs-second-person")
    supervisor.post(f"keno/tickets/{sold['serial']}/release", {"why": "He was not."}).ok()
    assert pay(writer, sold).ok()["paid"] == "60.00"
