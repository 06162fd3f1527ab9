"""The sealing key is lost, he says: the operator signs a rewritten log of the same origin with a new key.

What stops it: the witness takes a key only from the log it cosigned, where the old key hands over and the new accepts;
and whoever signs, a head must extend the one before. Not stopped: a house that has really lost its key begins anew.
"""

from __future__ import annotations

import pytest

from ledger.seal import rotate_key
from tests.attacks.insider import House
from tests.attacks.operator import Operator, drawn
from tests.world.books import ANNA
from tests.world.witness import ToyHouse
from witness.admit import admit
from witness.trouble import Trouble


def test_a_key_nobody_handed_over_to_signs_nothing(operator: Operator, house: House) -> None:
    drawn()
    history = operator.history()
    history.private = ToyHouse(seed=9).private
    history.pad(3)
    before = operator.witnessed
    with house.unchanged():
        assert operator.post("/add-checkpoint", history.submission(before[1]))[0] == 403
        act = history.seal("48214")
        status, said = operator.ask(history.request(history.question(act), old=before[1]))
        assert (status, said["code"]) == (403, "unsigned")
    assert operator.witnessed == before


def test_the_keepers_file_does_not_swap_a_key(operator: Operator, house: House) -> None:
    drawn()
    thief = ToyHouse(operator.history().origin, seed=9)
    with operator.witness.logs.open("a") as file:
        file.write(thief.admission)
    with house.unchanged(), pytest.raises(Trouble, match="known with another key"):
        admit(operator.witness.memory, operator.witness.logs)


def test_a_hand_over_that_the_old_key_did_not_sign_is_none(operator: Operator, house: House) -> None:
    """Whoever can write an act and have it sealed has not the key with that."""
    drawn()
    history = operator.history()
    forged = ToyHouse(history.origin, seed=9)
    forged.hand_over(7)
    history.rows.append(forged.rows[-1])
    before = operator.witnessed
    assert operator.post("/add-checkpoint", history.submission(before[1]))[0] == 200
    size = len(history.rows)
    with house.unchanged():
        act = history.shown(size - 1, size)
        status, said = operator.post("/hand-over", {"origin": history.origin, "size": size, "act": act})
        assert (status, said["code"]) == (403, "unsigned")
    assert len(operator.witness.memory.state.logs[history.origin].keys) == 1


def test_a_key_that_was_handed_over_rewrites_nothing(operator: Operator, house: House) -> None:
    drawn()
    rotate_key(by=ANNA)
    drawn("48214")
    history = operator.history()
    history.rows[3] = b'{"type":"act","kind":"toy.row","data":{}}'
    history.pad(2)
    before = operator.witnessed
    with house.unchanged():
        assert operator.post("/add-checkpoint", history.submission(before[1]))[0] == 422
    assert operator.witnessed == before
