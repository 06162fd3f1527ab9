"""The page of a game whose balls were recorded wrongly: proposed there, decided by another, told to all (12.1)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.test import Client

from house.models import Proposal
from keno.choose_device import choose_device
from keno.close import close_game
from keno.invalidate import invalidate_game
from keno.models import Game, Resettlement, Ticket
from tests.console.test_keno_pages import sold, text
from tests.world.demo import demo_actor
from tests.world.keno_balls import enter_balls

pytestmark = [pytest.mark.django_db, pytest.mark.clause("act-keno:12.1-record")]
TYPED, CAME = list(range(1, 21)), [80, *range(2, 21)]
__all__ = ["sold"]


def _drawn_with_balls() -> int:
    supervisor = demo_actor("supervisor")
    choose_device(device="mechanical", by=supervisor)
    invalidate_game(number=Game.objects.get(status="open").number, by=supervisor)  # the next is drawn with balls
    number = Game.objects.get(status="open").number
    close_game(number=number, by=supervisor)
    enter_balls(number=number, balls=TYPED, by=supervisor)
    return number


def test_from_the_page_of_the_game_to_the_decision(sold: list[Ticket], signed_in: Callable[[str], Client]) -> None:
    number = _drawn_with_balls()
    supervisor, manager = signed_in("supervisor"), signed_in("manager")
    assert "Balls recorded wrongly" in text(supervisor.get(f"/keno/games/{number}/"))
    assert "Balls recorded wrongly" not in text(signed_in("auditor").get(f"/keno/games/{number}/"))
    balls = " ".join(map(str, CAME))
    answer = supervisor.post(f"/keno/games/{number}/resettle/", {"numbers": balls, "comment": ""}, follow=True)
    assert "Say what shows which balls came out." in text(answer)
    assert not Proposal.objects.filter(kind="keno.resettle").exists()
    supervisor.post(f"/keno/games/{number}/resettle/", {"numbers": balls, "comment": "Camera 4."}, follow=True)
    made = Proposal.objects.get(kind="keno.resettle")
    page = text(manager.get(f"/keno/games/{number}/"))
    assert f"Proposal {made.pk} to settle this game again waits" in page
    assert "Balls recorded wrongly" not in page
    manager.post(f"/approvals/{made.pk}/approve/", follow=True)
    assert Resettlement.objects.get().game_id == number
    page = text(manager.get(f"/keno/games/{number}/"))
    assert "Settled again" in page
    assert f"First settled on: {' '.join(map(str, TYPED))}" in page
    assert f"In the order they came: {balls}" in page
    assert "Keno games settled again" in text(manager.get("/keno/reports/resettled/"))
