"""How an insider comes by what he abuses: roles and devices, each given by two people, over HTTP."""

from __future__ import annotations

from typing import Any

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
