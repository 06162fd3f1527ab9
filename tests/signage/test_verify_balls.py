"""/verify/ for a game drawn with balls: no seed, but the ticket was among those sealed before the first ball."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from keno import particulars
from keno.close import close_game
from keno.models import KenoSettings, Ticket
from keno.open_games import keep_open
from keno.particulars import new_serial
from signage import proofs
from tests.signage.test_whole import verdict
from tests.world.browser import Screen
from tests.world.keno_balls import enter_balls
from tests.world.keno_games import OPENS, SUE, open_days, put_ticket, some_numbers

pytestmark = pytest.mark.django_db(transaction=True)
BALLS = list(range(3, 63, 3))


@pytest.fixture
def tickets() -> list[Ticket]:
    """Three in game 1, which is closed and waits for its balls."""
    KenoSettings.objects.create(device="mechanical")
    open_days()
    keep_open(now=OPENS)
    sold = [
        put_ticket(first_game=1, groups=[some_numbers(4, seed)], plays=[(4, 100)], serial=new_serial())
        for seed in range(3)
    ]
    close_game(number=1, by=SUE, now=OPENS)
    return sold


def enter(*balls: int) -> None:
    enter_balls(number=1, balls=balls, by=SUE, now=OPENS)


def steps(page: Any, of: str = "") -> list[str]:
    return list(page.locator(f".steps > li{of}").evaluate_all("items => items.map((item) => item.dataset.step)"))


def test_a_ticket_is_shown_among_those_sealed_before_the_first_ball(
    screen: Callable[..., Screen], tickets: list[Ticket]
) -> None:
    one, other, _ = tickets
    page = screen(f"/verify/?game=1#serial={one.serial}").page
    assert "drawn with balls" in verdict(page, "good")  # from the close on its place can be checked
    enter(*BALLS[:1])
    page = screen(f"/verify/?game=1#serial={one.serial}").page
    assert "drawn with balls" in verdict(page, "good")
    enter(*BALLS[1:])
    with_code = f"/verify/?game=1#serial={other.serial}&code={particulars.code_of(other)}"
    for address, words in (
        (f"/verify/?game=1#serial={one.serial}", "This ticket took part in this draw"),
        (f"/verify/#serial={one.serial}", "This ticket took part in this draw"),
        (with_code, "exactly as written"),
    ):
        page = screen(address).page
        said = verdict(page, "good")
        assert "there is no seed to check" in said
        of_prize = ["prize"] if "code=" in address else []
        assert steps(page) == ["form", "published ticket root", "entry", *of_prize]
        entry = str(page.locator("[data-step=entry]").text_content())
        assert words in entry
        assert "sealed before the first ball" in entry
        assert page.locator(".balls li").all_inner_texts() == [str(ball) for ball in BALLS]
    # Without a ticket nothing is computed, and nothing is said to be right.
    page = screen("/verify/?game=1").page
    assert "There is no seed to check" in verdict(page, "attention")
    assert steps(page) == []


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"leaf": "ab" * 32}, ["entry"]),
        pytest.param({"index": 0, "path": []}, ["entry"], marks=pytest.mark.long),
        pytest.param({"ticket_count": 4}, ["form"], marks=pytest.mark.long),
    ],
)
def test_a_forged_place_among_them_is_shown_as_forged(
    screen: Callable[..., Screen],
    tickets: list[Ticket],
    monkeypatch: pytest.MonkeyPatch,
    changed: dict[str, Any],
    wrong: list[str],
) -> None:
    enter(*BALLS)
    honest = proofs.memberships

    def forged(**asked: Any) -> Any:
        told: Any = honest(**asked)
        told["games"][0]["entry"] |= changed
        return told

    monkeypatch.setattr(proofs, "memberships", forged)
    page = screen(f"/verify/#serial={tickets[0].serial}").page
    assert "This does not hold" in verdict(page, "stopped")
    assert steps(page, ".is-stopped") == wrong


def test_another_root_than_the_one_published_with_the_first_ball_is_shown_as_forged(
    screen: Callable[..., Screen], tickets: list[Ticket], monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(*BALLS)
    honest = proofs.memberships

    def forged(**asked: Any) -> Any:
        told: Any = honest(**asked)
        told["games"][0]["ticket_root"] = "cd" * 32
        return told

    monkeypatch.setattr(proofs, "memberships", forged)
    page = screen(f"/verify/#serial={tickets[0].serial}").page
    assert "This does not hold" in verdict(page, "stopped")
    assert steps(page, ".is-stopped") == ["published ticket root"]
