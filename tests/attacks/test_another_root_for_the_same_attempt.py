"""The answer does not please: the operator seals the same game again with other tickets, and asks once more.

What stops it: the witness remembers by venue, purpose, occasion and attempt. Not stopped: asking before anybody has;
but then there is nothing yet that could displease.
"""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction

from ledger.acts import OccasionSealed
from ledger.ask import answer_to
from ledger.log import write_act
from ledger.seal import SEALER
from tests.attacks.insider import House
from tests.attacks.operator import GAME, Operator, drawn, link_in


def test_the_witness_gives_the_answer_it_has_given(operator: Operator, house: House) -> None:
    first = drawn()
    history = operator.history()
    before = operator.witnessed
    with house.unchanged():
        again = history.seal("48213", root=bytes([7]) * 32)
        request = history.request(history.question(again), old=before[1])
        status, said = operator.ask(request)
        assert status == 200
        assert link_in(said).answer == first.signature
        assert link_in(said).question == first.question  # about the tickets that were sealed first
    assert operator.witnessed == before
    assert any("asked about again with another set" in alarm for alarm in operator.alarms)


def test_the_log_itself_takes_one_seal(operator: Operator, house: House) -> None:
    given = drawn()
    with house.unchanged(), pytest.raises(IntegrityError), transaction.atomic():
        write_act(OccasionSealed(**GAME, root=bytes([7]) * 32, count=13), by=SEALER)
    assert answer_to(**GAME, attempt=1) == given
