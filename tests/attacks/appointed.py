"""How an insider comes by what he abuses: roles and devices, each given by two people, over HTTP."""

from __future__ import annotations

from typing import Any

from tests.attacks.felt import CAMERA, ROYAL, WHO
from tests.attacks.insider import Answer, Caller, House, Person


def change(by: Person, kind: str, subject: str, new: Any) -> Answer:
    return by.call("approvals/", {"kind": kind, "subject": subject, "new": new, "why": "It is needed."})


def agreed(house: House, proposed: Answer, by: Caller | Person | None = None) -> Any:
    """Another manager, who has no part in it, approves."""
    number = proposed.ok(201)["id"]
    if isinstance(by, Person):
        return by.call(f"approvals/{number}/approve").ok()
    return (by or house.insider("manager")).post(f"approvals/{number}/approve").ok()


def with_roles(house: House, username: str, *roles: str) -> None:
    """Two people give somebody these roles."""
    administrator = house.at_console("administrator")
    done = agreed(house, change(administrator, "house.staff-roles", username, sorted(roles)))
    assert done["status"] == "effective"


def royal(house: House, table: Caller) -> list[int]:
    """A royal flush at CSP-01, claimed: the hits, in the order in which they are paid."""
    started = table.post("jackpot/tables/CSP-01/rounds", {"wagers": [{"box": 3}]}).ok(201)
    hands = [{"box": 3, "cards": ROYAL}]
    ended = table.post(f"jackpot/rounds/{started['round']}/finish", {"hands": hands}).ok()
    return [each["id"] for each in ended["hits"]]


VERIFIED = {"cards": ROYAL, "surveillance": CAMERA}
PAID = {"method": "cheque", "reference": "000123", "identity": WHO}
