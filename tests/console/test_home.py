"""Home by role: who works at a terminal lands there; a manager sees today beside the same hour a week ago."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from house.gaming_days import latest_gaming_day
from keno.models import Game
from keno.queries.today import so_far
from kernel.money import ZERO
from tests.world.frame import without_the_frame

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("role", "where"),
    [
        ("writer", "/terminal/keno"),
        ("dealer", "/terminal/table"),
        ("supervisor", "/"),
        ("manager", "/"),
        ("auditor", "/"),
    ],
)
def test_where_one_lands(role: str, where: str, signed_in: Callable[[str], Client]) -> None:
    assert signed_in(role).get("/arrive/").headers["Location"] == where


def _settled(number: int, *, days_ago: int, minutes_ago: int, stakes: str, prizes: str) -> None:
    now = timezone.now()
    day = latest_gaming_day(now)
    assert day is not None
    at = now - timedelta(days=days_ago, minutes=minutes_ago)
    Game.objects.create(
        number=number,
        status="settled",
        device="rng",
        gaming_day=day.date - timedelta(days=days_ago),
        opens_at=at - timedelta(minutes=3),
        closes_at=at,
        **dict.fromkeys(("opened_at", "closed_at", "sealed_at", "began_at", "drawn_at", "settled_at"), at),
        ticket_root=bytes(32),
        ticket_count=1,
        sealed_stakes=ZERO,
        totals={"stakes": stakes, "prizes": prizes},
    )


def test_today_beside_the_same_hour_a_week_ago(signed_in: Callable[[str], Client]) -> None:
    manager = signed_in("manager")
    assert "Today in Keno" in manager.get("/").content.decode()
    _settled(900_001, days_ago=0, minutes_ago=2, stakes="100.00", prizes="70.00")
    _settled(900_002, days_ago=0, minutes_ago=1, stakes="100.00", prizes="80.00")
    _settled(900_003, days_ago=7, minutes_ago=1, stakes="50.00", prizes="60.00")
    _settled(900_004, days_ago=7, minutes_ago=-5, stakes="999.00", prizes="0.00")  # not at this hour yet
    with without_the_frame():
        shown = manager.get("/").content.decode()
    for said in (
        "$200<small>.00</small>",
        "$50.00 at this hour last week",
        "25.0%",
        "−$10.00 at this hour last week",
        "−20.0% at this hour last week",
        "1 at this hour last week",
    ):
        assert said in shown, said
    with without_the_frame():
        assert "Today in Keno" not in signed_in("writer").get("/").content.decode()


def test_a_day_without_a_game_has_no_hold() -> None:
    now = timezone.now()
    nothing = so_far(day=now.date() - timedelta(days=400), opens=now, upto=now)
    assert (nothing.games, nothing.hold, nothing.course) == (0, None, ())


def test_today_is_read_from_the_games_and_never_from_tickets(
    signed_in: Callable[[str], Client], django_assert_max_num_queries: Callable[..., object]
) -> None:
    now = timezone.now()
    with django_assert_max_num_queries(1) as asked:  # type: ignore[attr-defined]
        so_far(day=now.date(), opens=now, upto=now)
    assert "keno_game" in asked.captured_queries[0]["sql"]
    assert "ticket" not in asked.captured_queries[0]["sql"]
