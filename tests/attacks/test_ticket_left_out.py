"""A ticket is sold and left out of the draw: the house takes its row away before the tickets are sealed.

What stops it: the receipt is signed when it is sold and carries the ticket's leaf. The house can show no way from it to
the sealed root, and does not even know the ticket: the paper convicts it. What would not be stopped: a ticket whose
holder throws it away.
"""

from __future__ import annotations

from tests.attacks.counter import by_balls, draw_balls, pay, sell
from tests.attacks.insider import House
from tests.attacks.operator import Operator
from tests.attacks.player import Player, receipt, seal
from tests.world.owner import unguarded


def test_its_paper_convicts_the_house(operator: Operator, house: House) -> None:
    writer, player = house.insider("writer"), Player(house)
    supervisor = by_balls(house)
    seal()
    kept, lost = (sell(writer, numbers=[1, 2, 3], stake="2.00") for _ in range(2))
    codes = {each["serial"]: receipt(writer, each) for each in (kept, lost)}
    with unguarded("keno_play", "keno_ticket", "keno_tender", "keno_printing") as cursor:
        for table in ("keno_play", "keno_tender", "keno_printing"):
            cursor.execute(
                f"DELETE FROM {table} WHERE ticket_id IN (SELECT id FROM keno_ticket WHERE serial = %s)",
                [lost["serial"]],
            )
        cursor.execute("DELETE FROM keno_ticket WHERE serial = %s", [lost["serial"]])
    draw_balls(supervisor, kept)
    seal()
    game = kept["first_game"]
    assert player.is_in(codes[kept["serial"]], kept["serial"], game)
    assert not player.is_in(codes[lost["serial"]], lost["serial"], game)
    assert player.finds_wrong(codes[kept["serial"]], kept["serial"]) == []
    wrong = player.finds_wrong(codes[lost["serial"]], lost["serial"])
    assert wrong[0] == "ticket"  # signed by the house, and unknown to it
    assert pay(writer, lost).refused("no-such-ticket")


def test_another_ticket_in_its_place_does_not_help(operator: Operator, house: House) -> None:
    """The row stays, with other numbers: the leaf that was signed is another."""
    writer, player = house.insider("writer"), Player(house)
    supervisor = by_balls(house)
    seal()
    sold = sell(writer, numbers=[1, 2, 3], stake="2.00")
    code = receipt(writer, sold)
    with unguarded("keno_play", "keno_ticket") as cursor:
        cursor.execute("UPDATE keno_ticket SET groups = '[[71, 72, 73]]', leaf = sha256('another') ")
    draw_balls(supervisor, sold)
    seal()
    assert not player.is_in(code, sold["serial"], sold["first_game"])
    assert "ticket" in player.finds_wrong(code, sold["serial"])
