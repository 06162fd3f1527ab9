"""The owner of the database puts a ticket into the jackpot that was not sold with it.

What stops it: the jackpot is printed and in the leaf; whether a way is in it is asked of the sealed ticket when it is
paid. What would not be stopped: the pool was restarted by the settlement, which a supervisor has to put right.
"""

from __future__ import annotations

from keno.models import Prize
from kernel.money import Money
from tests.attacks.counter import BALLS, by_balls, draw_balls, payment_stops, sell
from tests.attacks.insider import House
from tests.world.owner import unguarded

SET = "UPDATE keno_play SET jackpot = true FROM keno_ticket t WHERE t.id = ticket_id AND t.serial = %s"


def test_a_jackpot_that_was_not_played_is_not_paid(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=list(BALLS[:6]), stake="1.00")
    with unguarded("keno_play") as cursor:
        cursor.execute(SET, [sold["serial"]])
    draw_balls(supervisor, sold)
    assert Prize.objects.get(ticket__serial=sold["serial"]).jackpot > Money(0)
    payment_stops(house, writer, sold)
