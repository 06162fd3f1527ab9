"""A player's usual ticket at the counter: kept with what is marked, found by the scanned card, sold and forgotten."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from house.players.cards import register_player
from keno.demo import build_demo
from keno.models import Favourite, Ticket
from tests.console.browser import Person
from tests.world.demo import demo_actor

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.long
def test_a_usual_ticket_is_kept_replayed_by_card_and_forgotten(person: Callable[..., Person]) -> None:
    build_demo()
    player = register_player(name="Quill Ashgrove", card="C-77", by=demo_actor("supervisor"))
    writer = person("writer")
    page = writer.go("/terminal/keno")
    page.get_by_label("Float in the drawer").fill("500.00")
    page.keyboard.press("Enter")
    page.get_by_text("Shift open with $500.00.").wait_for()
    page.locator("#terminal[data-ready]").wait_for(state="attached")
    for number in ("4", "8"):
        page.keyboard.press(number)
        page.keyboard.press("Space")
    page.keyboard.press("f")
    page.get_by_label("Player card").fill("c-77")
    page.get_by_label("Keep what is marked as").fill("Fridays")
    page.get_by_role("button", name="Keep it").click()
    page.get_by_role("button", name="Take Fridays").wait_for()
    writer.picture("keno-favourites-1280-light")
    page.keyboard.press("Escape")
    page.locator("#favourites").wait_for(state="hidden")
    page.keyboard.press("Escape")  # the marked ticket is cleared
    assert not Ticket.objects.exists()

    page.keyboard.type("keno:card:C-77\n")  # the card's QR code
    page.get_by_role("button", name="Take Fridays").click()
    page.get_by_text("Sell $1.00").wait_for()
    page.keyboard.press("Enter")
    page.locator(".paper.sold").wait_for()
    ticket = Ticket.objects.get()
    assert (ticket.groups, ticket.player_id) == ([[4, 8]], player.pk)

    page = writer.go("/terminal/keno/favourites/")
    page.get_by_label("Player card").fill("C-77")
    page.get_by_role("button", name="Look it up").click()
    page.get_by_text("Fridays").wait_for()
    writer.picture("keno-favourites-page-1280-light")
    assert "C-77" not in page.url
    page.get_by_role("button", name="Forget").click()
    page.get_by_text("None is kept").wait_for()
    assert not Favourite.objects.exists()
    assert writer.complaints == []
