"""The answer is read, and then said never to have come: “witness away”, in the hope of another.

What stops it: the question is in the log before it is sent; asked again it is the same, and the answer stands in the
witness's own chain, which everybody can read. A question that is taken out of the log again leaves a link that the
export has to show. Not stopped: never asking again. Then the game waits, and everybody sees it wait.
"""

from __future__ import annotations

from typing import Any

import pytest

from ledger import transport
from ledger.acts import OccasionSealed
from ledger.ask import answer_to, ask, ask_waiting, waiting
from ledger.log import write_act
from ledger.models import Act
from ledger.seal import SEALER, seal_now
from tests.attacks.insider import House
from tests.attacks.operator import GAME, Operator, drawn
from tests.world.owner import unguarded


def read_and_dropped(path: str, said: Any = None) -> Any:
    transport.call_json(path, said)
    raise transport.Away("no answer")


def test_it_is_the_same_answer_later(operator: Operator, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    write_act(OccasionSealed(**GAME, root=bytes(range(32)), count=14), by=SEALER)
    with monkeypatch.context() as patch:
        patch.setattr("ledger.answers.call_json", read_and_dropped)
        assert ask(**GAME, attempt=1) is None
    (stored,) = operator.witness.memory.links(since=1, limit=9)
    assert [question.occasion for question in waiting()] == ["48213"]
    write_act(OccasionSealed(**GAME | {"occasion": "48214"}, root=bytes(32), count=1), by=SEALER)
    seal_now()  # time goes by, and the log goes on
    with house.unchanged(but={"witness.answered"}):
        ask_waiting()
    given = answer_to(**GAME, attempt=1)
    assert given is not None
    assert (given.signature, given.question) == (stored.answer, stored.question)
    assert operator.witnessed[0] == 1


def test_taken_out_of_the_log_it_is_found_in_the_chain(operator: Operator, house: House) -> None:
    drawn()
    with unguarded("ledger_act", "ledger_question") as cursor:  # with the owner's password
        cursor.execute("DELETE FROM ledger_question")
        cursor.execute("DELETE FROM ledger_act WHERE kind IN ('witness.asked', 'witness.answered')")
    drawn("48214")
    found = Act.objects.get(kind="witness.other-answer")
    assert found.data["link"]["question"]["occasion"] == "48213"
