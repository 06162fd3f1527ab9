"""The point of a must-hit-by link was chosen by trying seeds: 1,028 tries gave $1,999.14 of $2,000.

Stopped by: the second party. The house may try as many masters as it likes before it promises one; what a movement
gives hangs on the witness's answer too, which is one signature over wagers that are sealed afterwards. A promise is
made once for a link and day, and the witness has it before a wager counts, so no other master takes its place.
Not stopped: a house and a witness that work together.
"""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from chance import two_party
from draws import ask as draws
from draws.commit import commit
from draws.models import Commitment
from jackpot import movements
from jackpot.decide import BY
from jackpot.models import Link, MeterSeal
from jackpot.rules.must_hit_by import PURPOSE
from tests.world.mystery_link import played


def test_the_best_of_a_thousand_masters_is_no_better_than_any(must_hit_by: Link) -> None:
    """Without the answer every master gives every X; with it there is nothing left to choose."""
    played(boxes=1)
    seal = movements.seal_movement(must_hit_by, now=timezone.now(), by=BY)
    assert seal is not None
    said = draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=BY)
    assert said is not None
    answers = [replace(said, said=bytes([n]) * 384) for n in range(8)]
    width, tried = 10_000_000, 200

    def drawn(master: bytes, by: two_party.Said) -> int:
        return two_party.source(master, by).below(width)[0]

    masters = [n.to_bytes(32, "big") for n in range(1, tried + 1)]
    best = min(masters, key=lambda master: drawn(master, answers[0]))
    assert drawn(best, answers[0]) < width // 10  # what trying gives, if one answer were known
    others = [drawn(best, other) for other in answers[1:]]
    assert max(others) > width // 10  # and what it is worth against another


def test_no_other_master_takes_the_place_of_the_promised_one(must_hit_by: Link) -> None:
    promised = Commitment.objects.get()
    with pytest.raises(DatabaseError), transaction.atomic():
        commit(purpose=PURPOSE, name=promised.name, device="rng", by=BY)
    for change in ({"commitment": bytes(32)}, {"name": "MYS/2020-01-01"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            Commitment.objects.filter(pk=promised.pk).update(**change)
    assert Commitment.objects.count() == 1
    assert MeterSeal.objects.count() == 0
