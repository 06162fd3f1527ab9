"""The point of a must-hit-by link lay in plain memory for weeks, and encrypted in the database.

Stopped by: there is no point. Whoever has database, keys and all of the house's memory, and so the day's master, still
does not know what the wagers that are coming will win: that hangs on an answer over wagers that are not sealed yet, by
a key that is not here. Not stopped: he knows it in the moment between the answer and the decision, when nobody can
change anything any more; and whoever has the witness's key as well.
"""

from __future__ import annotations

from django.utils import timezone

from chance import two_party
from draws import ask as draws
from draws.commit import master_of
from draws.models import Commitment
from jackpot.decide import decide_movements
from jackpot.models import Hit, Link, MeterSeal
from kernel.questions import Question
from ledger.models import Question as Asked
from tests.world.mystery_link import played


def test_the_master_alone_tells_nothing(must_hit_by: Link) -> None:
    """With the master in hand he guesses the answer; the real one decides otherwise."""
    master = master_of(Commitment.objects.get())
    assert Asked.objects.count() == 0  # there is nothing that was drawn
    played(boxes=2)
    decide_movements(timezone.now())
    seal = MeterSeal.objects.get()
    said = draws.said_to(seal.commitment, occasion=seal.occasion, attempt=1)
    assert said is not None
    real = two_party.source(master, said).below(10_000_000)[0]
    guesses = set()
    for n in range(50):
        guess = two_party.Said(question=said.question, how=said.how, said=bytes([n]) * 384)
        guesses.add(two_party.source(master, guess).below(10_000_000)[0])
    assert len(guesses) == 50
    assert real not in guesses


def test_nothing_on_record_before_a_wager_counts_says_where_it_falls(must_hit_by: Link) -> None:
    """The same house, the same master, other wagers: another X. So nothing kept beforehand can hold it."""
    master = master_of(Commitment.objects.get())
    asked = {
        "venue": "MAIN", "purpose": "must-hit-by", "occasion": "MYS/2026-11-17/1", "attempt": 1, "count": 1,
        "act_index": 1, "origin": "meterhouse.log/tests", "size": 2, "checkpoint_root": bytes(32),
    }  # fmt: skip
    numbers = set()
    for n in range(20):
        question = Question(root=bytes([n]) * 32, **asked)  # type: ignore[arg-type]  # of several types
        said = two_party.Said(question=question, how=two_party.How.WITNESS, said=bytes(384))
        numbers.add(two_party.source(master, said).below(10_000_000)[0])
    assert len(numbers) == 20
    assert Hit.objects.count() == 0
