"""Kill -9 of the house at every step of a question: one question, one answer, one signature."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator

import pytest

from ledger.acts import OccasionSealed
from ledger.ask import answer_to, ask_waiting, waiting
from ledger.log import write_act
from ledger.models import Act, Question
from ledger.seal import SEALER
from tests.world.dying import dying
from tests.world.witness import RunningWitness

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def die(witness: RunningWitness) -> Iterator[Callable[[str], int]]:
    with dying("tests.ledger.dying_asker", role=None) as send:
        yield send


def test_one_question_and_one_answer_wherever_it_dies(witness: RunningWitness, die: Callable[[str], int]) -> None:
    for number, when in enumerate(("logged", "come", "inside", "after"), start=1):
        write_act(OccasionSealed(venue="DEMO", purpose="keno", occasion=when, root=bytes(32), count=1), by=SEALER)
        assert die(f"{when} {when}") == signal.SIGKILL
        assert Question.objects.filter(occasion=when).count() == 1
        assert len(waiting()) == (0 if when == "after" else 1)
        ask_waiting()
        given = answer_to(venue="DEMO", purpose="keno", occasion=when, attempt=1)
        (stored,) = witness.memory.links(since=number, limit=9)
        assert given is not None
        assert (given.number, given.signature) == (number, stored.answer)
        for kind in ("witness.asked", "witness.answered"):
            assert Act.objects.filter(kind=kind, subject=f"draw:keno/{when}/1").count() == 1
