"""The owner of the database raises the stake of a ticket, and its price with it, before the draw.

What stops it: stake and price are printed and in the leaf. At the counter the paper's own code does not fit any more;
with the code changed, too, the leaf does not; with the leaf changed, too, the ticket root does not. What would not be
stopped before the payment: all of that together, and a root sealed over it. Then the player's paper convicts.
"""

from __future__ import annotations

from keno import particulars
from keno.models import Ticket
from tests.attacks.counter import BALLS, by_balls, draw_balls, pay, payment_stops, sell
from tests.attacks.insider import House
from tests.world.owner import unguarded

RAISE = (
    "UPDATE keno_play SET stake = 100000000 FROM keno_ticket t WHERE t.id = ticket_id AND t.serial = %s",
    "UPDATE keno_ticket SET price_a_game = 100000000, price = 100000000 WHERE serial = %s",
)


def test_what_was_not_staked_does_not_win(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[*BALLS[:2], 40], stake="1.00")
    with unguarded("keno_play", "keno_ticket") as cursor:
        for statement in RAISE:
            cursor.execute(statement, [sold["serial"]])
    draw_balls(supervisor, sold)
    with house.unchanged():
        assert pay(writer, sold).refused("security-code-wrong")
    forged = sold | {"security_code": particulars.code_of(Ticket.objects.get(serial=sold["serial"]))}
    payment_stops(house, writer, forged)


def test_not_with_a_leaf_made_for_it_after_the_sealing(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=[*BALLS[:2], 40], stake="1.00")
    draw_balls(supervisor, sold)
    with unguarded("keno_play", "keno_ticket", "keno_prize") as cursor:
        for statement in RAISE:
            cursor.execute(statement, [sold["serial"]])
        ticket = Ticket.objects.get(serial=sold["serial"])
        cursor.execute("UPDATE keno_ticket SET leaf = %s WHERE id = %s", [particulars.leaf_of(ticket), ticket.pk])
        cursor.execute("UPDATE keno_prize SET amount = amount * 100 WHERE ticket_id = %s", [ticket.pk])
    payment_stops(house, writer, sold | {"security_code": particulars.code_of(ticket)})
