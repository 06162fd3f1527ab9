"""Somebody has asked to be kept out, and the desk has excluded him. On a bad night he asks a friend there to let him
back: a supervisor who did not exclude him, and who needs nobody else for it.

What stops it: who says that a restriction is to end has ended nothing; another person says so, too, and neither is who
made it. A device counts as who holds it. Not stopped: two of the desk together, in the log.
"""

from __future__ import annotations

from typing import Any

import pytest

from house.models import PlayLine, Restriction
from house.plan_days import ensure_gaming_days
from ledger.models import Act
from tests.attacks.promotions import Insiders
from tests.world.calls import problem

pytestmark = pytest.mark.django_db
WAGERS: dict[str, Any] = {"table": "CSP-01", "wagers": [{"name": "ante", "amount": "5.00"}]}


@pytest.mark.parametrize("kind", ["exclusion", "employee"])
def test_one_friend_lets_nobody_back(kind: str) -> None:
    ensure_gaming_days()
    insiders = Insiders()
    manager, friend, at_console = insiders.manager, insiders.supervisor, insiders.at_console("supervisor")
    number = manager.post("players/", {"name": "Nick Young", "card": "C-1"}).json()["number"]
    body = {"kind": kind, "reason": "He asked."}
    made = manager.post(f"players/{number}/restrictions", body).json()["id"]
    said = friend.post(f"restrictions/{made}/lift").json()
    assert (said["lifting_said_by"], said["lifted_at"]) == (insiders.people["supervisor"].identity, None)
    for again in (friend, at_console, manager):
        problem(again.post(f"restrictions/{made}/lift"), 403, "same-person")
        problem(again.post("cards/C-1/wagers", WAGERS), 422, f"player-{kind}")
    assert Restriction.objects.get().lifted_at is None
    assert not PlayLine.objects.exists()
    assert not Act.objects.filter(kind="player.restriction-lifted").exists()
    assert insiders.other_manager.post(f"restrictions/{made}/lift").json()["lifted_at"]
    assert friend.post("cards/C-1/wagers", WAGERS).json()["valid"] is True
