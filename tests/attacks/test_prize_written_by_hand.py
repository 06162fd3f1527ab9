"""Somebody with the database's password writes a prize for a ticket that won nothing, or makes one larger.

What stops it: a prize is computed again from what was sealed before any of it is paid; at the counter, as a tender and
on an approved claim form. What would not be stopped: nothing of it passes the program's own way to a drawer.
"""

from __future__ import annotations

import pytest

from keno.models import Prize
from kernel.money import Money
from tests.attacks.counter import BALLS, by_balls, draw_balls, payment_stops, sell
from tests.attacks.insider import House
from tests.world.owner import unguarded

WRITE = """
    INSERT INTO keno_prize (ticket_id, game, kind, amount, jackpot, major, day)
    SELECT id, first_game + %s, %s, %s, 0, false, day FROM keno_ticket WHERE serial = %s
"""


@pytest.mark.parametrize("kind", ["prize", "bonus", "refund"])
def test_what_was_not_won_is_not_paid(house: House, kind: str) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[61, 62, 63], stake="1.00")
    draw_balls(supervisor, sold)
    with unguarded("keno_prize") as cursor:
        cursor.execute(WRITE, [0, kind, 150_000_000, sold["serial"]])
    payment_stops(house, writer, sold)


def test_not_even_by_the_program_itself(house: House) -> None:
    """What the runtime role may write, a settlement's insert, is looked at all the same."""
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[61, 62, 63], stake="1.00", games=2)
    draw_balls(supervisor, sold)
    with unguarded("keno_prize") as cursor:
        cursor.execute(WRITE, [1, "prize", 150_000_000, sold["serial"]])  # of a game that is still to be drawn
    payment_stops(house, writer, sold)


def test_what_was_won_does_not_grow(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=list(BALLS[:3]), stake="1.00")
    draw_balls(supervisor, sold)
    won = Prize.objects.get(ticket__serial=sold["serial"]).amount
    with unguarded("keno_prize") as cursor:
        cursor.execute("UPDATE keno_prize SET amount = amount + 10000")
    assert Prize.objects.get(ticket__serial=sold["serial"]).amount == won + Money.cents(1)
    payment_stops(house, writer, sold)
