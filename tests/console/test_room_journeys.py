"""The rooms' pages in a real browser, at one width: heats and a final, the pit at a sign, a player at the desk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from house.models import Player
from promotions.tournament_conditions import CONDITIONS
from promotions.tournaments import enter_tournament
from tablegames.demo import build_demo
from tablegames.models import Seat, SignNotice
from tests.console.browser import Person
from tests.world.approvals import put_in_force
from tests.world.demo import demo_actor
from tests.world.tournaments import FINAL_SEATS, HEATS, TERMS, card_of
from tournaments.models import TournamentEntry

pytestmark = pytest.mark.django_db(transaction=True)
Arrive = Callable[..., Person]


@pytest.mark.long  # without a browser: test_tournament_pages.py
def test_heats_are_closed_and_a_final_is_seated_scored_and_won(person: Arrive) -> None:
    closes = timezone.now() - timedelta(minutes=1)
    into = {"of_each_heat": 1, "best_of_rest": 1, "ties": "lot", **FINAL_SEATS}
    put_in_force(CONDITIONS, "CUP", TERMS | HEATS | {"closes_at": closes.isoformat(), "final": into})
    for name in ("Ann", "Bo", "Cy", "Di"):
        enter_tournament(code="CUP", card=card_of(name), by=demo_actor("supervisor"), now=closes - timedelta(minutes=1))
    supervisor, manager = person("supervisor", height=1000), person("manager", height=1000)

    def seat() -> None:
        page = supervisor.go("/promo/tournaments/CUP/")
        page.locator('[data-open="seats"]').click()
        page.get_by_role("button", name="Draw the seats").click()
        page.get_by_text("seated.").wait_for()

    def score(*scores: str) -> None:
        for each in (supervisor, manager):
            page = each.go("/promo/tournaments/CUP/")
            page.locator('[data-open="score"]').first.click()
            for field, value in zip(page.locator('#score input[name^="score-"]').all(), scores, strict=True):
                field.fill(value)
            page.get_by_role("button", name="Write down").click()
            page.get_by_text("written down.").wait_for()

    seat()
    score("40", "30", "20", "10")
    page = supervisor.go("/promo/tournaments/CUP/")
    supervisor.picture("tournament-heats-1280-light", full=True)
    page.locator('[data-open="close-heats"]').click()
    page.locator("#close-heats").get_by_role("button", name="Close the heats").click()
    page.get_by_text("3 players in the final").wait_for()
    seat()
    supervisor.picture("tournament-final-1280-light", full=True)
    score("5", "9", "7")
    board = person(width=1280, height=800)
    board.go("/signage/tournaments/CUP").get_by_text("FT-1").first.wait_for()
    board.picture("board-final-1280")
    page = manager.go("/promo/tournaments/CUP/")
    page.locator('[data-open="finish"]').click()
    page.locator("#finish input:not([type=hidden])").fill("CUP")
    page.locator("#finish").get_by_role("button", name="Finish").click()
    page.get_by_text("shared out to the cent").wait_for()
    manager.picture("tournament-won-1280-light", full=True)
    assert TournamentEntry.objects.filter(place=1, in_final=True).count() == 1
    supervisor.go("/promo/tournaments/propose/")
    supervisor.picture("tournament-propose-1280-light", full=True)


@pytest.mark.long  # without a browser: test_sign_pages.py
def test_the_pit_raises_a_minimum_and_closes_a_table(person: Arrive) -> None:
    build_demo()
    supervisor = person("supervisor", height=900)
    page = supervisor.go("/tables/signs/CSP-01/")
    page.locator('[data-open="seat"]').click()
    page.locator("#seat").get_by_label("Box").fill("3")
    page.get_by_role("button", name="Seat him").click()
    page.locator('[data-open^="leave-"]').wait_for()
    page.locator('[data-open="limits"]').click()
    page.locator("#limits textarea, #limits input[name=limits]").first.fill("ante 10 200")
    page.locator("#limits input[name=at_once]").check()
    page.locator("#limits").get_by_role("button", name="Put the notice up").click()
    page.get_by_text("Who played before").wait_for()
    supervisor.picture("table-sign-pit-1280-light", full=True)
    assert SignNotice.objects.count() == 1
    assert page.locator('[data-open="close"]').count() == 0  # with somebody at it, a notice first
    page.locator('[data-open^="leave-"]').click()
    page.get_by_role("button", name="He has left").click()
    page.locator('[data-open="close"]').click()
    page.get_by_role("button", name="Close it").click()
    page.get_by_text("is closed").first.wait_for()
    assert Seat.objects.filter(left_at=None).count() == 0


@pytest.mark.long
def test_a_player_at_the_desk_and_his_letter(person: Arrive) -> None:
    supervisor = person("supervisor", height=900)
    page = supervisor.go("/players/register/")
    page.get_by_label("Name").fill("Pat Morgan")
    page.get_by_label("Card", exact=True).fill("C-77")
    page.locator("main form button.primary, main form button").last.click()
    page.get_by_text("Pat Morgan").first.wait_for()
    page.locator('[data-open="limit"]').click()
    page.locator("#limit").get_by_label("Amount").fill("250")
    page.locator("#limit button.primary, #limit button:not([type=button])").last.click()
    page.get_by_text("$250.00").first.wait_for()
    supervisor.picture("player-desk-1280-light", full=True)
    page.get_by_role("link", name="Statement in words").click()
    page.get_by_text("You may play with card C-77").wait_for()
    supervisor.picture("player-statement-1280-light", full=True)
    with page.expect_download() as letter:
        page.get_by_role("link", name="Letter for the player").click()
    assert letter.value.path().read_bytes().startswith(b"%PDF")
    assert Player.objects.filter(name="Pat Morgan").count() == 1
