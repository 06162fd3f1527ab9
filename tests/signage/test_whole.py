"""A real game of Keno, from its tickets to the player's browser: nothing here is made up by the test."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client

from chance import proof
from keno import particulars
from keno.models import Draw, Ticket
from keno.serials import new_serial
from signage.proofs import game_proof
from tests.browser import Screen
from tests.keno.games_world import open_first_game, put_ticket, run, some_numbers
from tests.signage.feeds import load

pytestmark = pytest.mark.django_db(transaction=True)


def play_one_game() -> tuple[int, list[Ticket]]:
    game = open_first_game()
    tickets = [
        put_ticket(first_game=game.number, groups=[some_numbers(6, seed)], plays=[(6, 100)], serial=new_serial())
        for seed in range(5)
    ]
    run(game.closes_at, game.closes_at + timedelta(seconds=20))
    return game.number, tickets


def test_the_board_and_the_check_of_a_real_game(screen: Callable[..., Screen], client: Client) -> None:
    number, tickets = play_one_game()
    draw = Draw.objects.get(game_id=number)
    shown = next(game for game in load()["keno"]["games"] if game["number"] == number)
    assert (shown["status"], shown["drawn"]) == ("settled", draw.numbers)
    told = game_proof(number)
    assert proof.holds(proof.check(told["proof"], published_commitment=told["promised"]["commitment"]))
    for ticket in tickets:
        page = screen(f"/verify/?game={number}#serial={ticket.serial}&code={particulars.code_of(ticket)}").page
        page.locator("#result[data-verdict=good]").wait_for()
        assert "Your ticket took part in this draw" in page.locator("[data-step=entry]").inner_text()
    asked = {"game": number, "serial": tickets[0].serial, "security_code": particulars.code_of(tickets[1])}
    refused = client.post("/verify/ticket.json", asked, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (404, "no-such-ticket")


@pytest.mark.parametrize("serial", ["\x00", "\ud800", "9" * 500])
def test_serials_that_cannot_be(client: Client, serial: str) -> None:
    number, _ = play_one_game()
    asked = {"game": number, "serial": serial, "security_code": serial}
    assert client.post("/verify/ticket.json", asked, content_type="application/json").status_code == 400
