"""How games are run changes by two people, through the same proposals as everything else, and holds from the next."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from house.approvals import propose
from keno.models import Game, KenoSettings, games
from keno.tick import tick
from kernel.refusal import Forbidden, Refusal
from tests.plugins.quick_draws import A_NEW_HOUSE
from tests.world.approvals import decide
from tests.world.keno_games import OPENS, SECOND, open_first_game
from tests.world.people import SUPERVISOR
from tests.world.refusals import refused_with

pytestmark = pytest.mark.django_db

NOW: dict[str, Any] = {
    "interval_seconds": 180,
    "draw_after_seconds": 5,
    "pace_milliseconds": 500,
    "balls_confirmed": False,
}


def proposed(**changed: Any) -> Any:
    return propose(kind="keno.games", subject="venue", new=NOW | changed, why="Busier evenings.", by=SUPERVISOR)


def row() -> tuple[Any, ...]:
    now = KenoSettings.current()
    return now.interval, now.draw_after, now.pace, now.balls_confirmed


def test_a_second_person_puts_it_in_force() -> None:
    KenoSettings.objects.create()
    proposal = proposed(interval_seconds=240, draw_after_seconds=10, pace_milliseconds=1500, balls_confirmed=True)
    assert proposal.old == NOW
    assert row() == (timedelta(minutes=3), timedelta(seconds=5), timedelta(milliseconds=500), False)
    decide(proposal)
    assert row() == (timedelta(minutes=4), timedelta(seconds=10), timedelta(milliseconds=1500), True)


def test_the_game_on_sale_keeps_its_time_and_the_next_one_has_the_new() -> None:
    KenoSettings.objects.create()
    first = open_first_game()
    decide(proposed(interval_seconds=240))
    tick(OPENS + timedelta(minutes=3) - SECOND)
    assert Game.objects.get(pk=1).status == "open"
    tick(OPENS + timedelta(minutes=3))
    kept, following = Game.objects.get(pk=1), Game.objects.get(pk=2)
    assert (kept.status != "open", kept.closes_at) == (True, first.closes_at)
    assert (following.status, following.closes_at) == ("open", OPENS + timedelta(minutes=8))  # every four minutes


def test_nobody_decides_alone() -> None:
    from house.approvals import approve

    KenoSettings.objects.create()
    proposal = proposed(interval_seconds=240)
    refused_with(lambda: approve(proposal_id=proposal.pk, by=SUPERVISOR), Forbidden)
    assert row()[0] == timedelta(minutes=3)


@pytest.mark.parametrize(
    "changed",
    [
        {"interval_seconds": 15},  # five seconds and twenty halves
        {"pace_milliseconds": 8_750},
        {"draw_after_seconds": 170},
        {"draw_after_seconds": -1},
        {"pace_milliseconds": 60_001, "interval_seconds": 80_000},
    ],
)
def test_a_draw_fits_between_two_closes(changed: dict[str, int]) -> None:
    KenoSettings.objects.create()
    refused_with(lambda: proposed(**changed), Refusal, code="draw-does-not-fit", unchanged=row)


def test_the_tightest_that_fits() -> None:
    KenoSettings.objects.create()
    decide(proposed(interval_seconds=16))
    assert row()[0] == timedelta(seconds=16)


def test_a_new_house_draws_a_ball_every_two_and_a_half_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "PACE_AT_FIRST", A_NEW_HOUSE)
    now = KenoSettings.current()
    assert (now.pace, now.interval) == (timedelta(seconds=2.5), timedelta(minutes=3))
    assert now.draw_after + 20 * now.pace < now.interval / 2  # the board lives between two draws


@pytest.mark.parametrize("demo", [True, False])
def test_balls_are_read_back_in_a_real_house_and_not_in_the_demo(settings: Any, demo: bool) -> None:
    settings.DEMO = demo
    assert KenoSettings.current().balls_confirmed is not demo
