"""Two people let a role do more than it should, and somebody uses the writer's terminal as the second person he needs:
nobody knows who stands before it."""

from __future__ import annotations

from house.models import Grant
from tests.attacks.appointed import change
from tests.attacks.insider import House

HOURS = {day: ["10:00", "04:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}
GIVEN = (
    "approvals.view",
    "approvals.propose",
    "approvals.decide.house",
    "keno.pay-large",
    "players.view",
    "players.names",
)


def test_a_machine_on_the_floor_decides_nothing(house: House) -> None:
    for role in ("writer", "table", "signage"):
        Grant.objects.bulk_create(Grant(role_id=role, permission_id=each) for each in GIVEN)
    manager = house.at_console("manager")
    number = change(manager, "house.opening-hours", "venue", HOURS).ok(201)["id"]
    body = {"kind": "house.opening-hours", "subject": "venue", "new": HOURS | {"mon": None}, "why": "Mondays are slow."}
    for role in ("writer", "table", "signage"):
        terminal = house.insider(role)
        assert set(GIVEN) <= set(terminal.get("me").ok()["permissions"])
        with house.unchanged():
            for path in (f"approvals/{number}/approve", f"approvals/{number}/reject"):
                assert terminal.post(path).refused("in-person")
            assert terminal.post("approvals/", body).refused("in-person")
            assert terminal.post("keno/tickets/7K2MX0Q4RT9B/authorise-payment").refused("in-person")
            assert terminal.get("players/").refused("in-person")
    assert manager.get(f"/approvals/{number}/").status == 200  # it still waits, for a person
