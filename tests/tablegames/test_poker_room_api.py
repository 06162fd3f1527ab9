"""A showdown over HTTP: nothing that a person writes breaks it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.world.calls import Caller, make_device, problem

pytestmark = pytest.mark.django_db

CALL = "tablegames/poker/showdown"
PLAYERS: list[dict[str, Any]] = [
    {"seat": 1, "cards": ["AH", "KC"], "bet": "20.00", "folded": False},
    {"seat": 2, "cards": "QS QH", "bet": "25.00"},
    {"seat": 3, "bet": "5.00", "folded": True},
]
ROUND: dict[str, Any] = {
    "game": "hold-em",
    "deck": 52,
    "joker": False,
    "ace_low": True,
    "win": "high",
    "board": ["AS", "KD", "9H", "4C", "2D"],
    "players": PLAYERS,
    "buck": 3,
    "only_blinds": False,
    "commission_maximum": "10.00",
}


@pytest.fixture
def supervisor() -> Caller:
    return Caller(make_device("supervisor")[1])


def changed(n: int, **change: object) -> dict[str, Any]:
    return {"players": [player | (change if at == n else {}) for at, player in enumerate(PLAYERS)]}


@pytest.mark.parametrize(
    ("change", "code", "clause", "field"),
    [
        (changed(0, cards=["AH", "KX"]), "card-not-in-deck", "act-pk:2.2", "players[0].cards[1]"),
        (changed(0, cards=["AH", "AS"]), "card-twice", "act-pk:2.2", "players[0].cards[1]"),
        (changed(0, cards=["AH", "JK"]), "card-not-in-deck", "act-pk:2.3", "players[0].cards[1]"),
        (changed(2, cards=["??"]), "card-not-in-deck", "act-pk:2.2", "players[2].cards[0]"),
        (changed(1, bet="0.00"), "nothing-put-in", "act-pk:9.2", "players[1].bet"),
        ({"deck": 36}, "card-not-in-deck", "act-pk:2.2", "board[3]"),
        ({"deck": 50}, "no-such-deck", "act-pk:2.2", "deck"),
        (changed(1, seat=1), "seats-wrong", "act-pk:15.2", "players"),
        ({"board": []}, "board-wrong", "act-pk:3.2", "board"),
        ({"board": "AS KD 9H 4C 2D 3D"}, "board-wrong", "act-pk:3.2", "board"),
        ({"deck": 0}, "no-such-deck", "act-pk:2.2", "deck"),
        ({"deck": -4}, "no-such-deck", "act-pk:2.2", "deck"),
    ],
)
def test_what_cannot_be_is_refused_with_its_clause(
    supervisor: Caller, change: dict[str, Any], code: str, clause: str, field: str
) -> None:
    refused = problem(supervisor.post(CALL, ROUND | change, key=""), 422, code)
    assert (refused["clause"], refused["field"]) == (clause, field)


@pytest.mark.parametrize(
    "change",
    [
        {"game": "razz"},
        {"game": None},
        {"win": "lowest"},
        {"deck": "52"},
        {"joker": "no"},
        {"players": []},
        {"players": PLAYERS[:1]},
        {"players": None},
        {"players": [1, 2]},
        {"board": 5},
        {"board": [["AS"]]},
        {"buck": 0},
        {"buck": 1.5},
        {"pots": []},
        {"commission_maximum": "-1.00"},
        {"players": PLAYERS * 11},
        changed(0, bet="20"),
        changed(0, bet="20.005"),
        changed(0, bet="-20.00"),
        changed(0, bet=20),
        changed(0, seat=24),
        changed(0, cards=None),
        changed(0, name="Ann"),
    ],
)
def test_what_cannot_be_read_is_malformed(supervisor: Caller, change: dict[str, Any]) -> None:
    assert supervisor.post(CALL, ROUND | change, key="").status_code == 400


def test_the_greatest_bets_that_can_be_written(supervisor: Caller) -> None:
    """Nothing is lost and nothing breaks where the sum has more figures than an amount may be written with."""
    most = "999999999999.99"
    players = [player | {"bet": most} for player in PLAYERS]
    body = supervisor.post(CALL, ROUND | {"players": players, "commission_maximum": None}, key="").json()
    assert (body["commission"], body["paid"]) == ("149999999999.00", {"1": "2850000000000.97"})
