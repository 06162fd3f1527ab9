"""Bad days of a running house: each is seen, said plainly, and over when its cause is, without anybody's help.

The long ones strike one copy of the whole house, one after another (``tests/world/faults.py``); at the end of them the
books are right. ``make soak`` strikes at random, under load.
"""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import time_machine
from django.db import InternalError, connection, transaction
from django.test import Client
from django.utils import timezone

from config import tasks
from config.services import addresses
from kernel import heartbeats
from kernel.rooms import Tick
from ledger.lateness import clocks, seals
from ledger.post import post
from ledger.seal import last_seal, seal_now
from tests.world import faults
from tests.world.books import ANNA, DAY, booking, open_books
from tests.world.copies import PATIENCE, RUN, Copy, environment, own_folder, refused_start
from tests.world.journals import verified
from tests.world.server import free_port
from web import metrics, problems


def another_session() -> psycopg.Connection[Any]:
    return psycopg.connect(**connection.get_connection_params() | {"cursor_factory": psycopg.Cursor})


@pytest.mark.django_db(transaction=True)
def test_an_idle_transaction_holds_the_seals_up_and_is_seen_and_ended() -> None:
    """Sealing waits for the oldest transaction that has written. Sessions of the house are ended after a minute."""
    with connection.cursor() as cursor:
        cursor.execute("SHOW idle_in_transaction_session_timeout")
        assert cursor.fetchone() == ("1min",)
    open_books()
    seal_now()
    with another_session() as somebody:
        somebody.execute("SET idle_in_transaction_session_timeout = '300ms'")
        somebody.commit()
        somebody.execute("SELECT pg_current_xact_id()")
        post(booking=booking(), by=ANNA, day=DAY)
        before = last_seal()
        seal_now()
        assert last_seal() == before
        assert seals(timezone.now() + timedelta(seconds=90)) > 60  # past its limit: an incident
        time.sleep(0.6)
        with pytest.raises(psycopg.errors.IdleInTransactionSessionTimeout):
            somebody.execute("SELECT 1")
    seal_now()
    assert last_seal() != before


@pytest.mark.django_db
def test_a_database_that_can_only_be_read_is_not_ready_and_refuses_for_a_moment(client: Client) -> None:
    """A standby that nobody has promoted yet, or a disk that takes nothing: never a 500, and nothing is done."""
    with connection.cursor() as cursor, pytest.raises(InternalError) as written, transaction.atomic():
        cursor.execute("SET LOCAL transaction_read_only = on; DELETE FROM web_requestkey")
    answer = problems.answer(problems.refusal_for(written.value) or problems.broken())
    assert (answer.status_code, answer["Retry-After"]) == (503, "1")
    assert b"can only be read" in answer.content
    other = InternalError("something else")
    assert problems.refusal_for(other) is None
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL transaction_read_only = on")
    told = client.get("/readyz")
    assert told.status_code == 503
    assert "database" in told.json()["failing"]


@pytest.mark.django_db
def test_without_redis_ticks_go_on_and_readiness_says_so(settings: Any, client: Client) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    heartbeats._left.clear()
    heartbeats.leave("keno")  # says so in the log, and no more
    told = client.get("/readyz")
    assert told.status_code == 503
    assert {"redis", "worker"} <= set(told.json()["failing"])
    assert client.get("/healthz").status_code == 200
    assert b"meterhouse_late_seconds" in client.get("/metrics").content


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [-2, 2])
def test_a_clock_that_jumps_does_no_tick_and_is_not_ready_until_it_is_right(
    hours: int, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Forward a game would be closed before its time, back long after it: the worker leaves both to another."""
    done: list[str] = []
    ours = Tick(lambda now: done.append("done"))
    monkeypatch.setattr(tasks, "offered_by", lambda _: [("keno", ours)])
    left = metrics.TICKS.labels(room="keno", outcome="clock")
    before = left._value.get()
    with time_machine.travel(timezone.now() + timedelta(hours=hours), tick=True):
        tasks.tick("keno")
        assert done == []
        assert left._value.get() == before + 1
        assert "clock" in client.get("/readyz").json()["failing"]
        assert clocks(timezone.now()) > 7_000  # an incident, by whoever looks next
    tasks.tick("keno")
    assert done == ["done"]
    assert "clock" not in client.get("/readyz").json()["failing"]


@pytest.mark.long
def test_a_disk_that_can_only_be_read_is_said_in_a_sentence() -> None:
    data = own_folder()
    if not faults.on_small_disk(data, megabytes=8):
        pytest.skip("this user may not mount a disk of his own")
    try:
        subprocess.run(["mount", "-o", "remount,ro", str(data)], check=True)
        said = refused_start(RUN, environment(data, PORT=str(free_port())))
        assert "cannot be written (Read-only file system): make it writable, or choose another" in said
    finally:
        subprocess.run(["umount", "--lazy", str(data)], check=False)
        shutil.rmtree(data, ignore_errors=True)


@pytest.fixture(scope="module")
def copy() -> Iterator[Copy]:
    data = own_folder()
    small = faults.on_small_disk(data)
    running = Copy(data)
    try:
        running.start()
        yield running
    finally:
        if hasattr(running, "process"):
            running.process.kill()
            psutil.wait_procs(running.processes(), PATIENCE)
        if small:
            subprocess.run(["umount", "--lazy", str(data)], check=False)
        shutil.rmtree(data, ignore_errors=True)


def until(what: Callable[[], bool], *, seconds: float = PATIENCE) -> None:
    deadline = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.3)


def ready(copy: Copy) -> bool:
    try:
        return copy.get("/readyz") == 200
    except OSError:
        return False


def incidents(copy: Copy, subject: str) -> list[str]:
    with psycopg.connect(addresses.embedded_database_url(copy.data)) as line:
        rows = line.execute("SELECT status FROM house_incident WHERE subject = %s ORDER BY id", [subject]).fetchall()
    return [status for (status,) in rows]


@pytest.mark.long
def test_a_worker_that_stands_still_is_an_incident_that_closes_when_it_goes_on(copy: Copy) -> None:
    """And what it had in its hands when its lease was over is done once: the books are right at the end."""
    until(lambda: ready(copy))
    with faults.stopped(copy, part="worker"):
        until(lambda: incidents(copy, "late:loops") == ["open"])
        assert copy.get("/healthz") == 200
        until(lambda: not ready(copy))
    until(lambda: incidents(copy, "late:loops") == ["closed"])
    until(lambda: ready(copy))


@pytest.mark.long
def test_poisoned_messages_and_a_killed_child_are_over_in_a_moment(copy: Copy) -> None:
    """What cannot be read is dropped, and ends nobody: the worker that is there afterwards is the one that was."""
    until(lambda: ready(copy))
    worker = faults.leader(copy, "worker")
    with faults.poisoned(copy), faults.child_killed(copy):
        time.sleep(3)
    until(lambda: ready(copy))
    time.sleep(35)  # a worker that had hung would not be ready now
    assert ready(copy)
    assert faults.leader(copy, "worker") == worker


@pytest.mark.long
@pytest.mark.parametrize(
    "fault", ["redis full", "redis emptied", "redis killed", "postgres stopped", "witness killed", "sealer stopped"]
)
def test_it_is_well_again_by_itself(copy: Copy, fault: str) -> None:
    until(lambda: ready(copy))
    with faults.every_fault()[fault](copy):
        time.sleep(5)
        if fault == "redis full":
            assert not ready(copy)
    until(lambda: ready(copy))


@pytest.mark.long
def test_a_full_disk_stops_nothing_for_longer_than_it_lasts(copy: Copy) -> None:
    """PostgreSQL cannot write, and perhaps ends; web answers. Room again, and everything goes on."""
    until(lambda: ready(copy))
    with faults.disk_full(copy):
        time.sleep(8)
        until(lambda: answers(copy))
    until(lambda: ready(copy), seconds=2 * PATIENCE)


def answers(copy: Copy) -> bool:
    try:
        return copy.get("/healthz") == 200
    except OSError:
        return False


@pytest.mark.long
def test_after_all_of_it_the_books_are_right(copy: Copy, tmp_path: Path) -> None:
    until(lambda: ready(copy))
    assert verified(copy, tmp_path / "export") == ""
