"""A manager proposes something at the console and approves it through a device that he holds, and the other way."""

from __future__ import annotations

from tests.attacks.appointed import change
from tests.attacks.insider import House

HOURS = {day: ["10:00", "04:00"] for day in ("mon", "tue", "wed", "thu", "fri", "sat", "sun")}


def test_his_device_is_himself(house: House) -> None:
    manager = house.at_console("manager")
    device = house.insider("manager", holder="manager")
    at_console = change(manager, "house.opening-hours", "venue", HOURS).ok(201)
    body = {"kind": "house.opening-hours", "subject": "venue", "new": HOURS | {"mon": None}, "why": "Mondays are slow."}
    by_device = device.post("approvals/", body).ok(201)
    assert at_console["proposed_by"] == by_device["proposed_by"] == "staff:manager"
    with house.unchanged():
        for number in (at_console["id"], by_device["id"]):
            for decision in ("approve", "reject"):
                assert device.post(f"approvals/{number}/{decision}").refused("own-proposal")
                assert manager.call(f"approvals/{number}/{decision}").refused("own-proposal")


def test_two_devices_of_one_manager_are_one_person(house: House) -> None:
    first, second = (house.insider("manager", holder="manager") for _ in range(2))
    body = {"kind": "house.opening-hours", "subject": "venue", "new": HOURS, "why": "Winter."}
    number = first.post("approvals/", body).ok(201)["id"]
    with house.unchanged():
        assert second.post(f"approvals/{number}/approve").refused("own-proposal")
