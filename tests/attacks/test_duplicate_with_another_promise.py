"""A draw is repeated, and the receipt is printed again with the promise of the repetition: it was so before.

What stops it: there is one promise for a game, whatever attempts follow, and both receipts carry it, signed; the one on
record is in the sealed log. What would not be stopped: nothing of it needs to be, a promise cannot be exchanged.
"""

from __future__ import annotations

from kernel.paper import Paper
from tests.attacks.counter import sell
from tests.attacks.insider import House
from tests.attacks.operator import Operator
from tests.attacks.player import Player, duplicate, receipt, seal
from tests.world.owner import unguarded


def test_both_carry_the_promise_that_was_made(operator: Operator, house: House) -> None:
    writer, supervisor, player = house.insider("writer"), house.insider("supervisor"), Player(house)
    seal()
    sold = sell(writer)
    first = receipt(writer, sold)
    seal()
    again = duplicate(supervisor, sold)
    papers = [Paper.read(code)[0] for code in (first, again)]
    assert papers[0].commitment == papers[1].commitment != bytes(32)
    assert papers[0].leaf == papers[1].leaf
    assert papers[0].size < papers[1].size
    assert [player.finds_wrong(code, sold["serial"]) for code in (first, again)] == [[], []]


def test_one_that_was_exchanged_is_caught(operator: Operator, house: House) -> None:
    writer, supervisor, player = house.insider("writer"), house.insider("supervisor"), Player(house)
    seal()
    sold = sell(writer)
    first = receipt(writer, sold)
    with unguarded("draws_commitment") as cursor:
        cursor.execute("UPDATE draws_commitment SET commitment = sha256('chosen')")
    again = duplicate(supervisor, sold)
    assert player.finds_wrong(first, sold["serial"]) == []  # the sealed log has what was promised
    assert player.finds_wrong(again, sold["serial"]) == ["promise"]
