"""The owner of the database switches a trigger off and writes other numbers into a play, once the draw is known.

Settlement reads ``keno_play.numbers``; root, receipt and check page have the ticket's groups. Before, a ticket that
caught 3 of 8 was made to win $12,500, and nothing noticed. What stops it: the runtime role cannot touch the column at
all, the owner's own UPDATE is refused while the trigger stands, and a payment computes the prize again from what was
sealed. What would not be stopped: an owner who pays himself out of a drawer, without the program.
"""

from __future__ import annotations

import pytest
from django.db import Error, connection, transaction

from keno.models import Play
from keno.models.fields import as_bits
from kernel.money import Money
from tests.attacks.counter import BALLS, by_balls, draw_balls, pay, payment_stops, sell
from tests.attacks.insider import House
from tests.world.owner import as_owner, unguarded

CAUGHT_THREE = [*BALLS[:3], 31, 32, 33, 34, 35]
CHANGE = "UPDATE keno_play SET numbers = %s::bit(80) FROM keno_ticket t WHERE t.id = ticket_id AND t.serial = %s"


def test_a_play_that_is_not_its_tickets_is_not_paid(house: House) -> None:
    writer, supervisor = house.insider("writer"), by_balls(house)
    sold = sell(writer, numbers=CAUGHT_THREE, stake="1.00")
    honest = sell(writer, numbers=[*BALLS[:2], 40], stake="1.00")
    with unguarded("keno_play") as cursor:
        cursor.execute(CHANGE, [as_bits(BALLS[:8]), sold["serial"]])
    draw_balls(supervisor, sold)
    assert supervisor.get(f"keno/tickets/{sold['serial']}").ok()["owing"] == "12500.00"
    payment_stops(house, writer, sold)
    assert pay(writer, honest).ok()["paid"] == "2.00"  # of the same game, with the same balls


def test_neither_the_program_nor_the_owner_changes_a_play(house: House) -> None:
    sold = sell(house.insider("writer"), numbers=CAUGHT_THREE, stake="1.00")
    other = as_bits(BALLS[:8])
    with pytest.raises(Error, match="permission denied"), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(CHANGE, [other, sold["serial"]])
    with pytest.raises(Error, match="Cannot update"), transaction.atomic(), as_owner() as cursor:
        cursor.execute(CHANGE, [other, sold["serial"]])
    assert Play.objects.get(ticket__serial=sold["serial"]).numbers == tuple(CAUGHT_THREE)


def test_a_play_is_written_as_its_ticket_whatever_is_asked_for(house: House) -> None:
    """Of a ticket of two plays, so that there is a place for a third."""
    groups = {"groups": [[1, 2], [3, 4]], "plays": [{"spots": 2, "stake": "1.00"}, {"spots": 4, "stake": "1.00"}]}
    sold = sell(house.insider("writer"), **groups)
    with connection.cursor() as cursor:
        cursor.execute(
            """INSERT INTO keno_play (ticket_id, place, spots, ways, stake, numbers, jackpot, schedule, first_game,
                                      charged_to, plays_to)
               SELECT id, 2, 4, 1, 1000000, %s::bit(80), true, 'special-2', 1, 999, 999
               FROM keno_ticket WHERE serial = %s""",
            [as_bits([5, 6, 7, 8]), sold["serial"]],
        )
    copies = ("numbers", "jackpot", "schedule", "first_game", "charged_to", "plays_to")
    own, forged = Play.objects.filter(ticket__serial=sold["serial"], spots=4).order_by("place").values_list(*copies)
    assert own == forged == ((1, 2, 3, 4), False, "standard", *(sold["first_game"],) * 3)
    with pytest.raises(Error, match="a play belongs to a ticket"), transaction.atomic():
        Play.objects.create(ticket_id=2**40, place=0, spots=4, ways=1, stake=Money.dollars(1))
