"""Illness is found: what is late past its limit is one incident, a figure, and closed by itself when it is well."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import DatabaseError
from django.utils import timezone

from config import watch as by_turns
from house import lateness
from house.models import Incident
from keno.acts import GameClosed
from kernel import heartbeats, redis
from kernel.rooms import Lateness
from ledger.cosign import cosign_now
from ledger.lateness import clocks, seals
from ledger.log import write_act
from ledger.post import post
from ledger.seal import seal_now
from signage import lateness as boards
from signage import tail
from signage.relay import STREAM
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.witness import RunningWitness
from web import lateness as loops
from web import metrics

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_in_redis() -> None:
    with redis.client() as line:
        line.delete(heartbeats.KEY, by_turns.KEY, STREAM)


def turned(loop: str, seconds_ago: float) -> None:
    with redis.client() as line:
        line.hset(heartbeats.KEY, loop, str(time.time() - seconds_ago))


def test_one_incident_while_it_is_late_and_closed_when_it_is_well(monkeypatch: pytest.MonkeyPatch) -> None:
    late = [0.0]

    def seconds(now: object) -> float:
        if late[0] < 0:
            raise DatabaseError("nobody there\nand more")
        return late[0]

    monkeypatch.setattr(lateness, "offered", lambda kind: [Lateness("games", "A close is late", 30.0, seconds)])
    for late[0], open_, all_ in ((30, 0, 0), (31, 1, 1), (500, 1, 1), (20, 1, 1), (15, 0, 1), (15, 0, 1), (-1, 1, 2)):
        lateness.watch()
        found = Incident.objects.filter(kind="late", subject="late:games")
        assert (found.filter(status="open").count(), found.count()) == (open_, all_), late
    first, second = Incident.objects.filter(kind="late").order_by("id")
    assert first.what == "A close is late: late by 31 s."
    assert second.what == "A close is late: not known: nobody there."
    late[0] = 42.0
    lateness.measured(timezone.now())
    assert metrics.LATE_SECONDS.labels(what="games")._value.get() == 42.0


def test_a_worker_that_stands_still_is_seen_by_the_web(monkeypatch: pytest.MonkeyPatch) -> None:
    now = timezone.now()
    assert loops.loops(now) == 0
    turned("keno", 3)
    turned("house", 400)
    turned("a room of an earlier version", 9_999)
    assert 399 < loops.loops(now) < 460
    seen: list[int] = []
    monkeypatch.setattr("house.lateness.watch", lambda: seen.append(1))
    by_turns.look()
    by_turns.look()  # another process of the house, a moment later
    assert seen == [1]


@pytest.mark.django_db(transaction=True)
def test_what_is_late_is_measured_where_it_is() -> None:
    open_books()
    seal_now()
    now = timezone.now()
    assert seals(now + timedelta(hours=1)) == 0  # nothing waits
    post(booking=booking(), by=ANNA, day=DAY)
    assert 99 < seals(now + timedelta(seconds=100)) < 101
    assert clocks(now) < 5
    assert boards.seconds(now) == 0  # nobody has told the boards anything yet
    told = tail.boundary()
    with redis.client() as line:
        line.xadd(STREAM, {"kind": "x"}, id=str(told))
    assert boards.seconds(now) == 0
    write_act(GameClosed(game=7, closed_at=now, jackpot_stakes={}), by=ANNA)
    assert 99 < boards.seconds(now + timedelta(seconds=100)) < 101


@pytest.mark.django_db(transaction=True)
def test_clocks_that_differ_are_found(witness: RunningWitness, monkeypatch: pytest.MonkeyPatch) -> None:
    """By the witness's signed time: it saw a head after it was made, and not after now."""
    open_books()
    seal_now()
    now = timezone.now()
    for apart in (-3600, 3600):
        monkeypatch.setattr(witness.memory, "clock", lambda apart=apart: int(time.time()) + apart)
        post(booking=booking(), by=ANNA, day=DAY)
        seal_now()
        assert cosign_now()
        assert 3590 < clocks(now) < 3610
