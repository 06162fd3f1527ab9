"""A supervisor is called to a disputed pot."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from ledger.models import Act
from tests.console.pages import text

pytestmark = pytest.mark.django_db

ROUND = {
    "game": "hold-em",
    "deck": "52",
    "win": "high",
    "players": "1 20 AH KC\n2: $25 qs qh\n3 5 folded",
    "board": "AS KD 9H 4C 2D",
    "buck": "3",
    "maximum": "10",
}


@pytest.fixture
def supervisor(signed_in: Callable[[str], Client]) -> Client:
    return signed_in("supervisor")


def test_the_answer_is_in_words_with_its_clauses_and_nothing_is_kept(supervisor: Client) -> None:
    assert "See who gets what" in text(supervisor.get("/tables/poker/"))
    before = Act.objects.count()
    answer = supervisor.post("/tables/poker/", ROUND)
    assert answer.status_code == 200
    said = text(answer)
    assert "$43<small>.00</small>" in said
    assert "$5.00 of seat 2 was called by nobody and goes back (act-pk:14.2b)" in said
    assert "Seat 1 shows two pairs: A♠ A♥ K♦ K♣ 9♥" in said
    assert Act.objects.count() == before


def test_what_the_boxes_say_reaches_the_rules(supervisor: Client) -> None:
    wheel = {"players": "1 20 AH 5C\n2 20 JK KH", "board": "4S 3D 2H KC 9D", "buck": "1", "also": ["joker"]}
    assert "Seat 1 shows straight" in text(supervisor.post("/tables/poker/", ROUND | wheel))
    answer = text(supervisor.post("/tables/poker/", ROUND | wheel | {"also": ["joker", "ace_high", "only_blinds"]}))
    assert "Seat 1 shows high card" in answer
    assert "act-pk:14.2d" in answer
    nobody = {"players": "1 20 AH\n2 20 QS\n3 5 folded\n4 5 folded", "last_folded": "4", "win": "high-low"}
    assert "seat 4 folded last and wins (act-pk:16.8)" in text(supervisor.post("/tables/poker/", ROUND | nobody))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"players": "1 20 AH AH\n2 20 QS QH", "buck": "1"}, "AH is there twice"),
        ({"players": "one 20 AH KC"}, "is not a seat"),
        ({"players": "1 twenty AH KC"}, "is not an amount"),
        ({"players": "1"}, "write the seat, what was put in"),
        ({"board": "AS KD"}, "At the showdown hold-em has 5 communal cards"),
        ({"buck": "x"}, "is not a seat"),
        ({"buck": "99"}, "The buck is at a seat of the table"),
        ({"maximum": "ten"}, "is not an amount"),
        ({"deck": "33"}, "Select a valid choice"),
    ],
)
def test_what_cannot_be_is_said_in_words(supervisor: Client, change: dict[str, str], says: str) -> None:
    answer = supervisor.post("/tables/poker/", ROUND | change)
    assert answer.status_code == 422
    assert says in text(answer)
