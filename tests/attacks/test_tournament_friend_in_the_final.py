"""Who runs a tournament wants his friend, out by a few chips, in the final: he writes the heat's scores again after
they stand, names the friend in the play-off or the final, closes the heats twice, gives him a score in the final, or as
administrator of the database changes the row.

What stops it: scores stand once two have written down the same; who is in the final follows from them by the approved
conditions, once, and nobody names anybody; only those in it are seated, scored and ranked; the rows are held by the
database, and the log recomputes them.
"""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from tests.attacks.appointed import agreed, change
from tests.attacks.insider import House
from tests.world.tournaments import poker_night
from tournaments.models import TournamentEntry

NIGHT = "tournaments/NIGHT"


def _lines(scores: dict[int, int]) -> dict[str, object]:
    return {"scores": [{"entry": entry, "score": score} for entry, score in scores.items()]}


def test_nobody_puts_a_friend_into_the_final(house: House) -> None:
    closes = timezone.now() + timedelta(seconds=12)
    into = {"of_each_heat": 1, "ties": "play-off"}
    night = poker_night(closes, tables=["LP-01"], heats=2, final=into)
    manager, supervisor, writer = house.at_console("manager"), house.insider("supervisor"), house.insider("writer")
    agreed(house, change(manager, "promotions.tournament", "tournament:NIGHT", night), by=house.insider("inspector"))
    for card in ("AM-1", "BM-1", "CM-1", "DM-1"):
        supervisor.post("players/", {"name": f"Player {card}", "card": card}).ok(201)
        writer.post(f"{NIGHT}/entries", {"card": card}).ok(201)
    time.sleep(max(0.0, (closes - timezone.now()).total_seconds()) + 0.2)
    seated = supervisor.post(f"{NIGHT}/seats", {"how": "lot"}).ok()["results"]
    first, friend, third, fourth = (each["id"] for each in seated)  # by heat and seat
    scores = {first: 90, friend: 80, third: 50, fourth: 50}
    supervisor.post(f"{NIGHT}/scores", _lines(scores)).ok()
    with house.unchanged():
        assert supervisor.post(f"{NIGHT}/close-heats", {}).refused("scores-not-confirmed")
    manager.call(f"{NIGHT}/scores", _lines(scores)).ok()
    with house.unchanged():
        assert supervisor.post(f"{NIGHT}/close-heats", {}).refused("play-off-first")
        assert supervisor.post(f"{NIGHT}/scores", _lines(scores | {friend: 95})).refused("scores-incomplete")
        assert supervisor.post(f"{NIGHT}/scores", _lines({friend: 9, third: 2, fourth: 1})).refused("scores-incomplete")
    for by in (supervisor.post, manager.call):
        by(f"{NIGHT}/scores", _lines({third: 2, fourth: 1})).ok()
    with house.unchanged():
        assert supervisor.post(f"{NIGHT}/close-heats", {"entries": [friend, third]}).status == 400
        assert writer.post(f"{NIGHT}/close-heats", {}).refused("no-permission")
    into = supervisor.post(f"{NIGHT}/close-heats", {}).ok()["results"]
    assert {each["id"] for each in into} == {first, third}
    with house.unchanged():
        assert supervisor.post(f"{NIGHT}/close-heats", {}).refused("heats-closed")
        for wrong in (scores, {first: 1, friend: 99, third: 2}, {friend: 99, third: 2}):
            assert supervisor.post(f"{NIGHT}/scores", _lines(wrong)).refused("scores-incomplete")
        for row in ({"score": 99}, {"in_final": True}, {"final_score": 99}):
            with pytest.raises(DatabaseError), transaction.atomic():
                TournamentEntry.objects.filter(pk=friend).update(**row)
    for by in (supervisor.post, manager.call):
        by(f"{NIGHT}/scores", _lines({first: 1, third: 2})).ok()
    ranked = supervisor.post(f"{NIGHT}/finish", {}).ok()["results"]
    assert [(each["id"], each["prize"]) for each in ranked] == [(third, "180.00"), (first, "0.00")]
