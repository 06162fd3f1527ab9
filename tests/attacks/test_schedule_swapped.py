"""The owner of the database gives a ticket another schedule of prizes once its numbers are known.

What stops it: the schedule is printed and in the leaf, its version too; a play's own copy does not count when it is
paid. What would not be stopped: a schedule that the inspector himself approved that way.
"""

from __future__ import annotations

from keno.models import Prize
from kernel.money import Money
from tests.attacks.counter import BALLS, by_balls, draw_balls, payment_stops, sell
from tests.attacks.insider import House
from tests.world.owner import unguarded

SWAP = "UPDATE keno_play SET schedule = 'special-2' FROM keno_ticket t WHERE t.id = ticket_id AND t.serial = %s"


def test_a_play_is_paid_by_its_tickets_schedule(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=list(BALLS[:3]), stake="1.00")
    as_sold = sell(writer, numbers=list(BALLS[:3]), stake="1.00")
    with unguarded("keno_play") as cursor:
        cursor.execute(SWAP, [sold["serial"]])
    draw_balls(supervisor, sold)
    won = {prize.ticket.serial: prize.amount for prize in Prize.objects.select_related("ticket")}
    assert won[sold["serial"]] != won[as_sold["serial"]] > Money(0)
    payment_stops(house, writer, sold)
