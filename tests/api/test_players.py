"""Player protection over the API: register, limit, restrict, wager."""

from __future__ import annotations

from typing import Any

import pytest

from house.plan_days import ensure_gaming_days
from tests.world.calls import MakeCaller, everything, problem

pytestmark = pytest.mark.django_db


@pytest.fixture
def player(caller: MakeCaller) -> dict[str, Any]:
    ensure_gaming_days()
    answer = caller("supervisor").post("players/", {"name": "Pat Morgan", "card": "C-1"})
    assert answer.status_code == 201
    return dict(answer.json())


def test_a_player_from_card_to_limit(caller: MakeCaller, player: dict[str, Any]) -> None:
    supervisor, table, writer = caller("supervisor"), caller("table"), caller("writer")
    number = player["number"]
    assert player["cards"][0]["number"] == "C-1"
    limit = {"kind": "loss", "period": "day", "amount": "60.00"}
    (standing,) = writer.post(f"players/{number}/limits", limit).json()["limits"]
    assert (standing["amount"], standing["used"], standing["next_from"]) == ("60.00", "0.00", None)
    wagers = [{"name": "ante", "amount": "40.00"}, {"name": "bet", "amount": "80.00"}]
    answer = table.post("cards/C-1/wagers", {"table": "CSP-01", "wagers": wagers}).json()
    assert answer == {
        "wagers": [
            {"name": "ante", "amount": "40.00", "stands": "40.00", "returned": "0.00"},
            {"name": "bet", "amount": "80.00", "stands": "20.00", "returned": "60.00"},
        ],
        "valid": False,
        "clause": "nsw-csp:14.21",
    }
    (standing,) = table.post("cards/C-1/returns", {"table": "CSP-01", "amount": "25.00"}).json()["limits"]
    assert standing["used"] == "35.00"
    whole = supervisor.get(f"players/{number}").json()
    assert (whole["limits"][0]["used"], whole["restrictions"]) == ("35.00", [])
    assert supervisor.get("players/?card=C-1").json()["results"][0]["number"] == number
    assert supervisor.get("players/?card=C-2").json()["results"] == []


def test_restricted_and_let_back(caller: MakeCaller, player: dict[str, Any]) -> None:
    supervisor, manager = caller("supervisor"), caller("manager")
    made = supervisor.post(
        f"players/{player['number']}/restrictions", {"kind": "exclusion", "reason": "asked for it"}
    ).json()
    before = everything()
    wagers = {"table": "CSP-01", "wagers": [{"name": "ante", "amount": "5.00"}]}
    document = problem(supervisor.post("cards/C-1/wagers", wagers), 422, "player-exclusion")
    assert document["clause"] == "act-keno:14.3"
    problem(supervisor.post("cards/C-1/deposits", {"amount": "5.00", "method": "cash"}), 422, "player-exclusion")
    problem(supervisor.post(f"restrictions/{made['id']}/lift"), 403, "same-person")
    after = everything()
    before.pop("RequestKey"), after.pop("RequestKey")
    assert after == before
    assert manager.post(f"restrictions/{made['id']}/lift").json()["lifted_at"] is None
    problem(manager.post(f"restrictions/{made['id']}/lift"), 403, "same-person")
    problem(supervisor.post("cards/C-1/wagers", wagers), 422, "player-exclusion")
    assert caller("supervisor").post(f"restrictions/{made['id']}/lift").json()["lifted_at"]
    assert supervisor.post("cards/C-1/wagers", wagers).json()["valid"] is True


def test_chips_and_deposits(caller: MakeCaller, player: dict[str, Any]) -> None:
    table, writer = caller("table"), caller("writer")
    for kind, amount in (("bought", "200.00"), ("remaining", "150.00")):
        answer = table.post("cards/C-1/chips", {"table": "CSP-01", "kind": kind, "amount": amount})
        assert answer.status_code == 201
    writer.post(f"players/{player['number']}/limits", {"kind": "loss", "period": "day", "amount": "60.00"})
    assert caller("inspector").get(f"players/{player['number']}").json()["limits"][0]["used"] == "50.00"
    assert writer.post("cards/C-1/deposits", {"amount": "5.00", "method": "cash"}).json() == {
        "amount": "5.00",
        "room": None,
    }


@pytest.mark.parametrize(
    ("role", "path"),
    [
        ("writer", "players/"),
        ("inspector", "players/P-X/restrictions"),
        ("table", "players/P-X/limits"),
        ("signage", "cards/C-1/wagers"),
        ("table", "cards/C-1/deposits"),
        ("writer", "cards/C-1/cancel"),
    ],
)
def test_not_everybody_may(caller: MakeCaller, role: str, path: str) -> None:
    problem(caller(role).post(path, {}), 403, "no-permission")
    if role == "writer":
        problem(caller(role).get("players/"), 403, "no-permission")


def test_strangers_are_not_found(caller: MakeCaller, player: dict[str, Any]) -> None:
    manager = caller("manager")
    problem(manager.get("players/P-NOBODY"), 404, "no-such-player")
    problem(
        manager.post("players/P-NOBODY/limits", {"kind": "loss", "period": "day", "amount": None}),
        404,
        "no-such-player",
    )
    problem(manager.post("cards/C-9/chips", {"table": "T", "kind": "bought", "amount": "1.00"}), 422, "card-unknown")
    problem(manager.post("players/", {"name": "Lee", "card": "C-1"}), 409, "card-taken")
