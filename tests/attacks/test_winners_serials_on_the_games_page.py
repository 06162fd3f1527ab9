"""A writer reads the serials of the largest prizes from the page of a game, to look for the papers that pay them."""

from __future__ import annotations

from keno.models import Ticket
from tests.attacks.counter import winner
from tests.attacks.insider import House


def test_the_page_of_a_game_shows_a_writer_no_winners(house: House) -> None:
    won = winner(house, house.insider("writer"))
    game = Ticket.objects.get(serial=won["serial"]).first_game
    shown = [house.at_console(role).get(f"/keno/games/{game}/") for role in ("writer", "dealer", "supervisor")]
    assert [page.status for page in shown] == [200, 200, 200]
    for page in shown[:2]:
        assert "Largest prizes" not in page.body
        assert won["serial"] not in page.body
    assert "Largest prizes" in shown[2].body
    assert won["serial"] in shown[2].body
