"""The witness is away, and somebody with web's password to the database writes an answer that he likes in its place.

What stops it: an answer is checked as the witness's unique signature, by the key that the promise named, whenever it is
read for drawing; the log's own rows hold it too, and the verifier checks every one. Not stopped: dice that he writes in
an inspector's name. They are marked as unwitnessed for ever, counted in the report, shown by every proof, and the
inspector who never threw them is named.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from draws import ask, commit
from draws.models import Commitment
from house import demo, gaming_days
from kernel.actors import system
from kernel.refusal import Conflict
from ledger.models import Question
from tests.world.second_party import AtHand

pytestmark = pytest.mark.django_db
BY = system("tests")
FORGE = (
    "UPDATE ledger_question SET number = 1, answered_at = 1794823441, previous = decode(repeat('00', 32), 'hex'), "
    "answer = %s, signature = decode(repeat('00', 64), 'hex'), answered_size = size, answered_root = checkpoint_root"
)


@pytest.fixture
def waiting(demo_venue: None, second_party: AtHand) -> Commitment:
    promised = commit.commit(purpose="keno", name="1042", device="rng", by=BY)
    ask.seal_set(promised, occasion="1042", root=bytes([7] * 32), count=14, by=BY)
    second_party.away = True
    assert ask.ask(promised, occasion="1042", attempt=1, by=BY) is None
    return promised


@pytest.fixture
def demo_venue(db: None, settings: Any) -> None:
    settings.DEMO = True
    gaming_days.forget()
    demo.build_demo()


@pytest.mark.parametrize("answer", [bytes(384), bytes([1]) * 384, b"short"])
def test_nothing_is_drawn_from_an_answer_that_the_witness_did_not_sign(waiting: Commitment, answer: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute(FORGE, [answer])
    with pytest.raises(Conflict, match="is not its signature"):
        ask.said_to(waiting, occasion="1042", attempt=1)
    with pytest.raises(Conflict, match="is not its signature"):
        ask.ask(waiting, occasion="1042", attempt=1, by=BY)


def test_the_true_answer_of_another_attempt_will_not_do(waiting: Commitment, second_party: AtHand) -> None:
    """The witness's own signature, of another game with fewer tickets."""
    second_party.away = False
    other = commit.commit(purpose="keno", name="1043", device="rng", by=BY)
    ask.seal_set(other, occasion="1043", root=bytes([8] * 32), count=1, by=BY)
    said = ask.ask(other, occasion="1043", attempt=1, by=BY)
    assert said is not None
    with connection.cursor() as cursor:
        cursor.execute(FORGE.replace("number = 1", "number = 99") + " WHERE occasion = '1042'", [said.said])
    with pytest.raises(Conflict, match="is not its signature"):
        ask.said_to(waiting, occasion="1042", attempt=1)


def test_the_set_under_the_question_is_not_exchanged(waiting: Commitment) -> None:
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE ledger_question SET root = decode(repeat('00', 32), 'hex')")
    assert bytes(Question.objects.get().root) == bytes([7] * 32)
