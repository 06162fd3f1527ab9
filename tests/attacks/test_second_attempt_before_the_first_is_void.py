"""Two answers to choose from: the operator asks about attempt 2 while attempt 1 stands.

What stops it: the witness answers attempt k + 1 only once the void of k stands in the log that it cosigned, written
after k was asked about. Not stopped: declaring a void, which takes two people and the inspector, and everybody sees it.
"""

from __future__ import annotations

from typing import Any

import pytest

from kernel.refusal import Conflict
from ledger.ask import ask
from ledger.models import Question
from tests.attacks.insider import House
from tests.attacks.operator import GAME, Operator, drawn


def test_the_house_does_not_ask(operator: Operator, house: House) -> None:
    drawn()
    with house.unchanged(), pytest.raises(Conflict) as refusal:
        ask(**GAME, attempt=2)
    assert refusal.value.code == "attempt-not-void"
    assert Question.objects.count() == 1


def test_and_the_witness_does_not_answer(operator: Operator, house: House) -> None:
    given = drawn()
    before = operator.witnessed
    with house.unchanged():
        for prepare, code in (
            (lambda history: None, "unreadable"),  # nothing is shown
            (lambda history: history.void("48214", 1), "another-void"),
            (lambda history: history.void("48213", 2), "another-void"),
            (lambda history: given.question.act_index, "another-act"),
        ):
            history = operator.history()
            void: Any = prepare(history)
            history.pad(1)
            question = history.question(given.question.act_index, attempt=2)
            status, said = operator.ask(history.request(question, old=before[1], void=void))
            assert (status >= 400, said["code"]) == (True, code)
            assert operator.witnessed == before


def test_a_void_kept_ready_is_worth_nothing(operator: Operator, house: House) -> None:
    """Written before attempt 1 was asked about, and shown only if its answer does not please."""
    history = operator.history()
    act = history.seal("777")
    void = history.void("777", 1)
    status, _ = operator.ask(history.request(history.question(act), old=operator.witnessed[1]))
    assert status == 200
    before = operator.witnessed
    history.pad(1)
    status, said = operator.ask(history.request(history.question(act, attempt=2), old=before[1], void=void))
    assert (status, said["code"]) == (422, "void-too-early")
    assert operator.witnessed == before
