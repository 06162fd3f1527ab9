"""A supervisor whose friend wagered a dollar on Super Sevens names three sevens that were not his first three cards,
5,000 to one, and has the check of the hand say that this was owed.

What stops it: of a hand that was split the three are cards of its hands (act-bj:17.10), counted once in the shoe; of
one that was not they are read from it and nowhere else; without a hand the wager is void (17.5).
"""

from __future__ import annotations

from typing import Any

import pytest

from tablegames.models import Check
from tests.world.calls import Caller, make_device, problem

pytestmark = pytest.mark.django_db
SPLIT: dict[str, Any] = {
    "game": "blackjack",
    "wagers": {"hand-1": "10.00", "hand-2": "10.00", "super-sevens": "1.00"},
    "cards": {"hand-1": "7S 5D 9H", "hand-2": "7D TD", "dealer": "TC 8D", "super-sevens": "7S 7D 5D"},
}


def test_three_other_sevens_are_nobodys_first_three() -> None:
    supervisor = Caller(make_device("supervisor")[1])

    def named(three: str) -> dict[str, Any]:
        return SPLIT | {"cards": SPLIT["cards"] | {"super-sevens": three}}

    honest = supervisor.post("tablegames/evaluate", SPLIT, key="").json()
    assert [line["pays"] for line in honest["owed"] if line["wager"] == "super-sevens"] == ["50.00"]
    paid = {"hand-1": "10.00", "hand-2": "0.00", "super-sevens": "5000.00"}
    for three in ("7S 7S 7S", "7S 7D 7H", "7D 7D 7D", "7S 7D TD"):
        problem(supervisor.post("tablegames/evaluate", named(three), key=""), 422, "not-the-first-three")
        problem(supervisor.post("tablegames/settle", named(three) | {"paid": paid}), 422, "not-the-first-three")
    whole = {"game": "blackjack", "wagers": {"hand": "10.00", "super-sevens": "1.00"},
             "cards": {"hand": "TS 9D", "dealer": "TC 8D", "super-sevens": "7S 7S 7S"}}  # fmt: skip
    problem(supervisor.post("tablegames/evaluate", whole, key=""), 422, "cards-not-wanted")
    alone = {"game": "blackjack", "wagers": {"super-sevens": "1.00"}, "cards": {"super-sevens": "7S 7S 7S"}}
    (void,) = supervisor.post("tablegames/evaluate", alone, key="").json()["owed"]
    assert (void["result"], void["pays"], void["returns"]) == ("void", "0.00", "1.00")
    assert not Check.objects.exists()
