"""An operator with the database and the sealing key seals everything anew: another number in an old act, a new tree
over all of it, a new signature. Nobody inside would notice.

What stops it: whoever kept a ticket holds a head of the old tree, signed by the receipt key; the new log does not
continue it. The witness has cosigned the old one and cosigns nothing else. What would not be stopped: rows that are
younger than every head that anybody holds, which are a few seconds.
"""

from __future__ import annotations

from ledger.cosign import cosign_now
from ledger.models import Act, Seal
from tests.attacks.counter import sell
from tests.attacks.insider import House
from tests.attacks.operator import Operator
from tests.attacks.player import Player, receipt, seal
from tests.world.rewritten import seal_anew
from witness.paper import look_at


def test_anybody_who_kept_a_ticket_catches_it(operator: Operator, house: House) -> None:
    writer, player = house.insider("writer"), Player(house)
    seal()
    sold = sell(writer)
    code = receipt(writer, sold)
    seal()
    assert player.finds_wrong(code, sold["serial"]) == []
    before = Seal.objects.latest("number").size
    old = Act.objects.order_by("id")[3]
    seal_anew(f"UPDATE ledger_act SET actor = 'staff:nobody' WHERE id = {old.id}")
    assert Seal.objects.latest("number").size >= before
    assert player.finds_wrong(code, sold["serial"]) == ["history"]
    # The witness knows the same head, and does not sign the new one.
    assert [finding.right for finding in look_at(operator.witness.memory, code)] == [True, True]
    assert not cosign_now()


def test_a_log_that_was_cut_short_is_caught_too(operator: Operator, house: House) -> None:
    writer, player = house.insider("writer"), Player(house)
    sold = sell(writer)
    seal()
    code = receipt(writer, sold)
    last = Act.objects.order_by("-id")[0]
    seal_anew(f"DELETE FROM ledger_act WHERE id > {last.id - 3}")
    assert player.finds_wrong(code, sold["serial"]) == ["history"]
