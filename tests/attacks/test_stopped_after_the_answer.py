"""One person who knows the numbers invalidates the game, or has it drawn with balls instead.

What stops it: from the asking on both are proposals that a second person and the inspector decide; until then the game
goes on, and the worker draws it. Not stopped: before the asking one person may do both, when nobody knows a number.
"""

from __future__ import annotations

import pytest

from keno.models import Draw, Game
from tests.attacks.insider import House
from tests.attacks.stop import asked_game, stopped_by


@pytest.mark.parametrize(
    ("step", "body", "kind"),
    [
        ("invalidate", {"cause": "fire"}, "keno.invalidate-game"),
        ("void", {"device": "mechanical"}, "keno.redraw-device"),
    ],
)
def test_it_is_proposed_and_nothing_else_happens(house: House, step: str, body: dict[str, str], kind: str) -> None:
    number = asked_game(house)
    supervisor = house.insider("supervisor")
    rows = (Game.objects.filter(pk=number).values().get(), Draw.objects.filter(game=number).values().get())
    with house.unchanged(but={"approval.proposed"}):
        stopped_by(supervisor, number, step, **body)
        assert (Game.objects.filter(pk=number).values().get(), Draw.objects.filter(game=number).values().get()) == rows
    waiting = supervisor.get("approvals/?status=proposed").ok()["results"]
    assert kind in [each["kind"] for each in waiting]
    assert supervisor.post(f"keno/games/{number}/draw").ok()["status"] == "settled"


def test_before_the_asking_nobody_knows_a_number_and_one_person_may(house: House) -> None:
    supervisor = house.insider("supervisor")
    number = supervisor.get("keno/games/current").ok()["number"]
    supervisor.post(f"keno/games/{number}/close").ok()
    done = supervisor.post(f"keno/games/{number}/invalidate", {"cause": "fire", "reason": "Fire."}).ok(200)
    assert done["status"] == "invalidated"
