"""The draw that comes does not please, and the house “loses” the master: without numbers the game would begin anew.

What stops it: the master lies in escrow in the very act that promised it, encrypted to the inspector's offline key. He
opens it with a tool of his own and gives it back; only the promised one is taken, from nobody but an inspector, and the
numbers are those that would have come. No second promise is made under the name. Not stopped: house and inspector
together. Meanwhile the game visibly waits, and it is an incident.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction

from chance.two_party import Said
from draws import ask, commit
from draws.masters import MasterLost
from draws.models import Commitment
from draws.proof import proof_of
from kernel import escrow
from kernel.actors import system
from kernel.environment import data_folder
from tests.attacks.insider import House
from tests.attacks.operator import Operator
from tests.world import second_implementation as second
from witness.escrow import opened
from witness.trouble import Trouble

BY = system("tests")
OF: dict[str, Any] = {"occasion": "48213", "attempt": 1}


@pytest.fixture
def promised(operator: Operator) -> Commitment:
    made = commit.commit(purpose="keno", name="48213", device="rng", by=BY)
    ask.seal_set(made, occasion="48213", root=bytes(range(32)), count=14, by=BY)
    return made


def lose(promised: Commitment) -> None:
    """As web's own role could, with one statement."""
    with connection.cursor() as cursor:
        cursor.execute("UPDATE draws_commitment SET encrypted_master = '\\x00' WHERE id = %s", [promised.pk])
    promised.refresh_from_db()
    with pytest.raises(MasterLost):
        commit.master_of(promised)


def answered(promised: Commitment) -> Said:
    said = ask.ask(promised, **OF, by=BY)
    assert said is not None
    return said


def test_the_inspector_gives_it_back_and_the_same_numbers_come(promised: Commitment, house: House) -> None:
    said = answered(promised)
    unpleasant = ask.numbers(promised, said, pool=80, count=20)
    lose(promised)
    inspector = house.insider("inspector")
    act = inspector.get(f"draws/promises/{promised.pk}").ok()
    private = bytes.fromhex((data_folder() / "witness" / "inspector-escrow").read_text().strip())
    master = opened(private, json.dumps(act)).hex()
    back = {"master": master, "why": "The key folder is gone."}
    others = [house.insider(role) for role in ("manager", "supervisor", "writer")]
    with house.unchanged():
        for other in others:
            assert other.post(f"draws/promises/{promised.pk}/master", back).status == 403
        chosen = {"master": "5a" * 32, "why": "This one is nicer."}
        assert inspector.post(f"draws/promises/{promised.pk}/master", chosen).refused("not-the-master")
    inspector.post(f"draws/promises/{promised.pk}/master", back).ok()
    promised.refresh_from_db()
    assert ask.numbers(promised, answered(promised), pool=80, count=20) == unpleasant
    commit.reveal(promised, by=BY)
    assert second.failures(json.loads(json.dumps(proof_of(promised, **OF, pool=80, numbers=unpleasant)))) == []


def test_nothing_is_promised_a_second_time(promised: Commitment) -> None:
    answered(promised)
    lose(promised)
    with pytest.raises(IntegrityError), transaction.atomic():
        commit.commit(purpose="keno", name="48213", device="rng", by=BY)
    assert Commitment.objects.filter(name="48213").count() == 1


def test_what_is_in_escrow_is_for_this_promise_and_for_his_key(promised: Commitment, house: House) -> None:
    """Neither does the house make him open another's, nor does somebody else open it."""
    act = house.insider("inspector").get(f"draws/promises/{promised.pk}").ok()
    private = bytes.fromhex((data_folder() / "witness" / "inspector-escrow").read_text().strip())
    for altered in ({"name": "48214"}, {"witness_key": "00" * 32}, {"device": "balls"}):
        with pytest.raises(Trouble, match="does not open"):
            opened(private, json.dumps(act | altered))
    with pytest.raises(Trouble, match="does not open"):
        opened(escrow.new_private(), json.dumps(act))
