"""A movement that fell to somebody else is declared void, and tried again until it falls to a friend, or not at all.

Stopped by: a decided movement is never decided again, by no verb, no approval and not by the database's own hand. An
attempt can be void only while its movement is undecided, once its answer is known, by two people and the inspector;
what it would have given is published with it, and the next attempt is about the same wagers under the same promise.
Not stopped: three people, one of them the inspector, who agree in the second before the worker decides; the log, the
boards and `verify` tell of every such attempt.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db import DatabaseError, transaction
from django.utils import timezone

from draws import ask as draws
from house.approvals import approve, propose
from jackpot import movements
from jackpot.decide import BY, decide, decide_movements
from jackpot.models import Hit, Link, MeterSeal
from kernel.refusal import Conflict, Forbidden
from ledger.models import Act
from tests.world.approvals import INSPECTOR
from tests.world.mystery_link import played, until_it_falls
from tests.world.people import MANAGER, SUPERVISOR


def test_what_fell_stays_fallen(must_hit_by: Link) -> None:
    hit = until_it_falls()
    seal = MeterSeal.objects.exclude(falls=[]).get()
    before = MeterSeal.objects.values().get(pk=seal.pk)
    new = {"number": seal.number, "attempt": 1, "cause": "It fell to the wrong box."}
    with pytest.raises(Conflict) as refused:
        propose(kind="jackpot.void-attempt", subject="jackpot:MYS", new=new, why="Not liked.", by=SUPERVISOR)
    assert refused.value.code == "movement-decided"
    changes: list[dict[str, Any]] = [{"attempt": 2}, {"decided_at": None}, {"falls": []}]
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            MeterSeal.objects.filter(pk=seal.pk).update(**change)
    assert MeterSeal.objects.values().get(pk=seal.pk) == before
    assert Hit.objects.get(pk=hit.pk).status == "claimed"


def test_one_person_two_or_the_house_alone_void_nothing(must_hit_by: Link) -> None:
    """The worker is kept from deciding; the answer is known."""
    played(boxes=3)
    seal = movements.seal_movement(must_hit_by, now=timezone.now(), by=BY)
    assert seal is not None
    said = draws.ask(seal.commitment, occasion=seal.occasion, attempt=1, by=BY)
    assert said is not None
    new = {"number": 1, "attempt": 1, "cause": "Not liked."}
    waiting = propose(kind="jackpot.void-attempt", subject="jackpot:MYS", new=new, why="Not liked.", by=SUPERVISOR)
    for by in (SUPERVISOR, INSPECTOR):
        with pytest.raises((Forbidden, Conflict)):
            approve(proposal_id=waiting.pk, by=by)
    approve(proposal_id=waiting.pk, by=MANAGER)  # stands behind it, and decides nothing
    with pytest.raises((Forbidden, Conflict)):
        approve(proposal_id=waiting.pk, by=MANAGER)
    seal.refresh_from_db()
    assert (seal.attempt, Act.objects.filter(kind="draw.void").count()) == (1, 0)
    decide_movements(timezone.now())
    seal.refresh_from_db()
    decided = seal.falls
    assert draws.said_to(seal.commitment, occasion=seal.occasion, attempt=2) is None
    decide(seal=seal, said=said, by=BY)
    seal.refresh_from_db()
    assert seal.falls == decided
