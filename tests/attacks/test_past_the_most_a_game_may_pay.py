"""Somebody wants a game to owe more than the house lets it: by a second terminal, a runner's order taken while there
was room, a player's favourite, or many games at once, bought while an earlier game is on sale.

What stops it: every one of them is a sale, and a sale is counted in its own transaction; games to come begin with what
plays on in them. A refused one leaves nothing, and the control page tells of it.
"""

from __future__ import annotations

from keno import approved
from keno.models import Game, Ticket
from kernel.authority import Authority
from tests.attacks.cards import register
from tests.attacks.counter import by_balls, draw_balls, sell
from tests.attacks.insider import House
from tests.world.approvals import put_in_force

FIVE = {"numbers": [1, 2, 3, 4, 5], "stake": "1.00"}


def test_no_way_to_sell_is_past_it(house: House) -> None:
    writer, other = house.insider("writer"), house.insider("writer")
    put_in_force(approved.full_name(approved.AMOUNT), approved.MOST_A_GAME, "1000.00", authority=Authority.HOUSE)
    supervisor = by_balls(house)  # from here on games open with that limit
    register(house, "RX-9")
    order = supervisor.post("keno/orders", FIVE | {"note": "Table 9"}).ok(201)["id"]  # while there is room
    first = sell(writer, **FIVE, games=2)
    number = first["first_game"]
    house.at_console("writer").call("keno/favourites", FIVE | {"card": "RX-9", "name": "Fridays"}).ok(201)
    with house.unchanged(but={"incident.reported"}):
        for terminal in (writer, other):
            assert terminal.post("keno/tickets", FIVE).refused("game-over-house-limit")
            assert terminal.post("keno/tickets", FIVE | {"player": "RX-9"}).refused("game-over-house-limit")
            assert terminal.post(f"keno/orders/{order}/issue").refused("game-over-house-limit")
            assert terminal.post("keno/tickets", FIVE | {"games": 10}).refused("game-over-house-limit")
    draw_balls(supervisor, first)
    assert Game.objects.get(status="open").number == number + 1
    with house.unchanged(but={"incident.reported"}):  # it plays on: its next game is as full as this one was
        assert other.post("keno/tickets", FIVE).refused("game-over-house-limit")
    assert Ticket.objects.count() == 1
