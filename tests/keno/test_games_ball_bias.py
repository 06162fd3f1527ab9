"""Worn balls raise an alarm once; fair ones do not."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

import pytest

from house.models import Incident, Notice
from keno.ball_bias import counts_of_balls, watch_balls
from keno.close import close_game
from keno.models import Draw, Game, KenoSettings
from keno.open_games import keep_open
from keno.void import void_draw
from kernel.money import ZERO
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import OPENS, SUE, open_days, some_numbers

pytestmark = pytest.mark.django_db
NOW = OPENS + timedelta(minutes=3)


def past_draws(draws: list[list[int]], *, first: int = 1) -> None:
    games = [
        Game(
            number=number,
            status="settled",
            device="mechanical",
            gaming_day=date(2026, 11, 1),
            opens_at=OPENS - timedelta(days=9),
            closes_at=OPENS - timedelta(days=8),
            opened_at=OPENS,
            closed_at=OPENS,
            sealed_at=OPENS,
            ticket_root=bytes(32),
            ticket_count=0,
            sealed_stakes=ZERO,
            began_at=OPENS,
            drawn_at=OPENS,
            settled_at=OPENS,
            totals={},
        )
        for number in range(first, first + len(draws))
    ]
    Game.objects.bulk_create(games)
    Draw.objects.bulk_create(
        Draw(
            game=game,
            attempt=1,
            device="mechanical",
            numbers=numbers,
            began_at=OPENS - timedelta(days=8),
            finished_at=OPENS - timedelta(days=8),
            stakes=ZERO,
            balls_counted=80,
            counted_by="staff:sue",
            ball_set="A",
        )
        for game, numbers in zip(games, draws, strict=True)
    )


def drawn(chance: Random, *, heavy: int | None = None, often: float = 0.0) -> list[int]:
    numbers = chance.sample(range(1, 81), 20)
    if heavy is not None and heavy not in numbers and chance.random() < often:
        numbers[chance.randrange(20)] = heavy
    return numbers


@pytest.mark.clause("act-keno:2.1")
def test_a_worn_ball_is_an_incident_once() -> None:
    chance = Random(5)
    draws = [drawn(chance, heavy=17, often=0.15) for _ in range(1500)]
    past_draws(draws)
    seen = sum(17 in numbers for numbers in draws)
    assert counts_of_balls() == (1500, [sum(ball in numbers for numbers in draws) for ball in range(1, 81)])
    assert [ball.number for ball in watch_balls(by=SUE)] == [17]
    watch_balls(by=SUE)
    incident = Incident.objects.get()
    assert (incident.kind, incident.subject) == ("keno-ball-bias", "keno-ball:17")
    assert incident.what.startswith(
        f"Ball 17 was drawn {seen} times in 1500 draws; chance would have it about 375 times."
    )
    assert Notice.objects.get().to == "inspector"


def test_fair_balls_raise_no_alarm() -> None:
    chance = Random(6)
    past_draws([drawn(chance) for _ in range(1000)])
    assert watch_balls(by=SUE) == []
    assert not Incident.objects.exists()


def test_settling_looks_at_the_balls_and_a_new_set_begins_afresh() -> None:
    chance = Random(7)
    past_draws([drawn(chance, heavy=3, often=0.5) for _ in range(600)])
    KenoSettings.objects.create(device="mechanical")
    open_days()
    game = keep_open(now=OPENS)
    assert game is not None
    close_game(number=game.number, by=SUE, now=NOW)
    enter_balls(number=game.number, balls=some_numbers(20), by=SUE, now=NOW)
    assert Incident.objects.get().subject == "keno-ball:3"
    close_game(number=game.number + 1, by=SUE, now=NOW)
    void_draw(number=game.number + 1, by=SUE, cause="ball-damaged", now=NOW)
    assert counts_of_balls() == (0, [0] * 80)
