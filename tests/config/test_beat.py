"""A house in which nobody writes is left alone, and nothing in it comes late."""

from __future__ import annotations

from datetime import datetime, timedelta

import psycopg
import pytest
from django.db import DatabaseError, connection
from django.utils import timezone

from config import beat
from config.beat import Quiet
from config.celery import app, beat_schedule
from config.tasks import tick
from house import demo
from kernel.now_and_then import NowAndThen
from kernel.rooms import Tick, offered_by
from kernel.transactions import snapshot
from ledger.accounts import open_account
from ledger.models import Account
from ledger.seal import seal_now
from tests.world.offers import offer
from tests.world.witness import RunningWitness

NOW = datetime(2026, 11, 18, 12, 0, tzinfo=timezone.get_fixed_timezone(0))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Seconds that pass for beat when a test says so; each question looks anew."""
    passed = [1_000.0]
    monkeypatch.setattr("config.beat.time.monotonic", lambda: passed[0])
    monkeypatch.setattr(beat, "LOOK_SECONDS", -1.0)
    return passed


def fall_quiet(quiet: Quiet) -> None:
    assert quiet.wants_tick("test", NOW)
    quiet.wants_tick("test", NOW)


@pytest.mark.django_db(transaction=True)
class TestQuiet:
    def test_nothing_was_written(self, clock: list[float]) -> None:
        quiet = Quiet()
        fall_quiet(quiet)
        assert not quiet.wants_tick("test", NOW)

    def test_something_was_written(self, clock: list[float]) -> None:
        quiet = Quiet()
        fall_quiet(quiet)
        open_account(code="test:quiet", name="Test", kind=Account.Kind.ASSET)
        assert quiet.wants_tick("test", NOW)
        assert not quiet.wants_tick("test", NOW)

    def test_somebody_is_writing_and_ends_later(self, clock: list[float]) -> None:
        quiet = Quiet()
        fall_quiet(quiet)
        with psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor}) as other:
            other.execute("SELECT pg_current_xact_id()")
            assert not quiet.wants_tick("test", NOW)
        assert quiet.wants_tick("test", NOW)  # what he wrote is seen by this tick
        assert not quiet.wants_tick("test", NOW)

    def test_now_and_then_there_is_a_tick_all_the_same(self, clock: list[float]) -> None:
        quiet = Quiet()
        fall_quiet(quiet)
        clock[0] += beat.QUIET_TICK_SECONDS - 1
        assert not quiet.wants_tick("test", NOW)
        clock[0] += 1
        assert quiet.wants_tick("test", NOW)
        assert not quiet.wants_tick("test", NOW)

    def test_what_is_due_by_the_clock_is_not_late(self, clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
        due = NOW + timedelta(seconds=3)
        offer(monkeypatch, Tick(lambda now: None, lambda now: due))
        quiet = Quiet()
        fall_quiet(quiet)
        assert not quiet.wants_tick("test", due - timedelta(milliseconds=1))
        assert quiet.wants_tick("test", due)
        assert quiet.wants_tick("test", due + timedelta(seconds=1))  # until something is written about it

    def test_a_database_that_is_away_is_no_quiet_house(
        self, clock: list[float], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def away() -> str:
            raise DatabaseError("away")

        quiet = Quiet()
        fall_quiet(quiet)
        assert not quiet.wants_tick("test", NOW)
        monkeypatch.setattr(beat, "snapshot", away)
        assert all(quiet.wants_tick("test", NOW) for _ in range(3))

    def test_the_ticks_of_a_demo_house_write_nothing_when_nothing_is_due(
        self, witness: RunningWitness, clock: list[float]
    ) -> None:
        """Else the house would keep itself awake."""
        demo.build_demo()
        rooms = [room for room, _ in offered_by(Tick)]
        for _ in range(4):
            for room in rooms:
                tick(room)
            seal_now()
        before = snapshot()
        for room in rooms:
            tick(room)
        assert snapshot() == before


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """What Celery is given to send: the task and what it is told."""
    messages: list[tuple[str, list[str]]] = []
    monkeypatch.setattr(
        "celery.beat.Scheduler.apply_entry",
        lambda _, entry, producer=None: messages.append((entry.task, list(entry.args))),
    )
    return messages


def scheduler() -> beat.Scheduler:
    made = beat.Scheduler(app, schedule={}, lazy=True)
    made.update_from_dict(beat_schedule())
    return made


def test_what_beat_sends(monkeypatch: pytest.MonkeyPatch, sent: list[tuple[str, list[str]]]) -> None:
    """Ticks that somebody wants, each room's by itself, and everything else."""
    monkeypatch.setattr(Quiet, "wants_tick", lambda _, room, now: room in {"keno", "house"})
    made = scheduler()
    for entry in made.schedule.values():
        made.apply_entry(entry)
    assert sorted(sent) == [("purge-request-keys", []), ("tick", ["house"]), ("tick", ["keno"])]


def test_rooms_with_nothing_to_do_share_a_message(
    monkeypatch: pytest.MonkeyPatch, sent: list[tuple[str, list[str]]]
) -> None:
    monkeypatch.setattr(Quiet, "wants_tick", lambda _, room, now: True)
    monkeypatch.setattr(Quiet, "rests", lambda _, room, now: room != "keno")
    made = scheduler()
    made.apply_entry(made.schedule["ticks"])
    rooms = [room for room, _ in offered_by(Tick)]
    assert sent == [("tick", ["keno"]), ("tick", [room for room in rooms if room != "keno"])]


def test_each_entry_is_sent_every_so_many_seconds(
    monkeypatch: pytest.MonkeyPatch, clock: list[float], sent: list[tuple[str, list[str]]]
) -> None:
    monkeypatch.setattr(Quiet, "wants_tick", lambda _, room, now: room == "keno")
    monkeypatch.setattr(beat.Scheduler, "producer", None)
    made = scheduler()
    assert made.tick() == 1.0
    assert sent == []
    clock[0] += 1.25
    assert made.tick() == 0.75  # late by a quarter, and not later and later
    clock[0] += 100
    made.tick()  # what was not sent while the machine slept is not sent afterwards
    assert sent == [("tick", ["keno"])] * 2
    clock[0] += 3_500
    made.tick()
    assert ("purge-request-keys", []) in sent


def test_a_room_whose_tick_fails_keeps_no_other_from_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    ticked = []

    def tick_of(room: str) -> None:
        ticked.append(room)
        if room == "keno":
            raise ZeroDivisionError

    monkeypatch.setattr("config.tasks._tick", tick_of)
    with pytest.raises(ZeroDivisionError):
        tick("ledger", "keno", "house")
    assert ticked == ["ledger", "keno", "house"]


def test_now_and_then() -> None:
    look = NowAndThen(every_seconds=30)
    assert look.is_time(NOW)
    assert not look.is_time(NOW + timedelta(seconds=29))
    assert look.is_time(NOW + timedelta(seconds=30))
    assert look.is_time(NOW - timedelta(hours=1))  # a clock that was put back
