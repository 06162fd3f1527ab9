"""The tick, and requests followed into the tasks they send."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator

import django.db
import pytest
import time_machine
from celery import Celery
from celery.contrib.testing.worker import start_worker
from celery.fixups.django import DjangoWorkerFixup  # type: ignore[attr-defined]  # its stubs are older
from celery.states import FAILURE, SUCCESS
from django.conf import settings
from django.db import connections, transaction
from django.utils import timezone
from kombu.exceptions import OperationalError
from structlog.contextvars import clear_contextvars, get_contextvars

from config.celery import app, beat_schedule, give_back
from config.tasks import tick
from console.audit_work import EXPORT
from house import demo
from house.models import Staff
from kernel.rooms import Tick, offered_by
from kernel.tasks import after_commit
from tests.api.test_operations import sample
from tests.world.offers import offer
from tests.world.server import Server
from tests.world.sessions import signed_in
from web import logs, metrics, work
from web.models import Work

seen: list[dict[str, object]] = []
done = threading.Event()


@app.task(name="tests.look-around")
def look_around() -> None:
    seen.append(dict(get_contextvars()))
    done.set()


@pytest.fixture
def worker() -> Iterator[None]:
    seen.clear()
    done.clear()
    app.loader.import_default_modules()
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        yield


@pytest.mark.django_db(transaction=True)
def test_the_request_id_reaches_the_task_that_the_request_sent(worker: None) -> None:
    logs.begin_request("terminal-9")
    with transaction.atomic():
        after_commit(look_around)
        assert not seen
    clear_contextvars()
    assert done.wait(30)
    assert seen[0]["request_id"] == "terminal-9"
    assert seen[0]["task"] == "tests.look-around"


def test_a_worker_keeps_its_connections_from_task_to_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """Celery's own way is to close a forked worker's whole pool around every task."""
    fixup, closed = DjangoWorkerFixup(app), list[str]()
    monkeypatch.setattr(fixup, "_close_database", lambda: closed.append("pool"))
    for _ in range(10_000):
        fixup.close_database()
    assert closed == []


@pytest.mark.parametrize(
    ("state", "eager", "expected"),
    [(SUCCESS, False, ["given back"]), (FAILURE, False, ["given back", "pool closed"]), (FAILURE, True, [])],
)
def test_a_tasks_connection_is_given_back_and_made_anew_after_trouble(
    monkeypatch: pytest.MonkeyPatch, state: str, eager: bool, expected: list[str]
) -> None:
    did: list[str] = []
    monkeypatch.setattr(django.db, "close_old_connections", lambda: did.append("given back"))
    monkeypatch.setattr(type(connections["default"]), "close_pool", lambda _: did.append("pool closed"))
    monkeypatch.setattr(tick.request, "is_eager", eager)
    give_back(sender=tick, state=state)
    assert did == expected


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_by_a_transaction_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[object] = []
    monkeypatch.setattr(look_around, "apply_async", lambda *args, **options: sent.append(args))

    @transaction.atomic
    def fail() -> None:
        after_commit(look_around)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert sent == []


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_costs_nothing_but_the_message() -> None:
    away = Celery("away", broker="redis://127.0.0.1:1/0", set_as_current=False)
    away.conf.broker_transport_options = app.conf.broker_transport_options

    @away.task(name="never")
    def never() -> None: ...

    with pytest.raises(OperationalError):
        never.apply_async(retry=False)
    with transaction.atomic():
        after_commit(never)


@pytest.mark.long
def test_what_is_begun_at_a_page_is_sent_to_the_workers_at_once(server: Server) -> None:
    """By the web's own program: it knows the broker."""
    demo.build_demo()
    session = signed_in(Staff.objects.get(username="auditor")).cookies[settings.SESSION_COOKIE_NAME].value
    token = "t" * 32
    headers = {
        "Cookie": f"{settings.SESSION_COOKIE_NAME}={session}; {settings.CSRF_COOKIE_NAME}={token}",
        "X-CSRFToken": token,
        "Origin": f"http://127.0.0.1:{server.port}",
    }
    with app.connection_for_read() as broker, broker.SimpleQueue(app.conf.task_default_queue) as queue:
        queue.clear()
        status, _, _ = server.send_text("POST", "/audit/exports/begin/", "", **headers)
        assert status == 302
        begun = Work.objects.get(kind=EXPORT)
        message = queue.get(timeout=10)
        message.ack()
        assert message.headers["task"] == work.do.name
        assert message.payload[0] == [begun.pk]


def test_beat_only_ticks_and_old_ticks_expire() -> None:
    schedule = beat_schedule()
    rooms = [room for room, _ in offered_by(Tick)]
    assert "house" in rooms
    assert schedule["ticks"] == {"task": "tick", "schedule": 1.0, "args": rooms, "options": {"expires": 5.0}}
    assert schedule["purge request keys"]["task"] == "purge-request-keys"
    app.loader.import_default_modules()
    assert {entry["task"] for entry in schedule.values()} <= set(app.tasks)
    conf = app.conf
    assert (conf.task_serializer, conf.accept_content) == ("json", ["json"])
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost, conf.worker_prefetch_multiplier) == (True, True, 1)
    assert (str(conf.timezone), conf.enable_utc) == ("UTC", True)
    assert conf.task_time_limit > conf.task_soft_time_limit > 0


def ticks(outcome: str) -> float:
    return sample(metrics.text().decode(), "meterhouse_ticks_total", room="test", outcome=outcome)


@pytest.mark.django_db
def test_a_tick_does_the_rooms_due_work_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    moments: list[dt.datetime] = []
    offer(monkeypatch, Tick(moments.append))
    before = ticks("done")
    tick("test")
    assert len(moments) == 1
    assert moments[0].tzinfo is not None
    assert ticks("done") == before + 1


@pytest.mark.django_db
def test_a_tick_that_fails_is_counted_and_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(now: object) -> None:
        raise ZeroDivisionError

    offer(monkeypatch, Tick(fail))
    before = ticks("failed")
    with pytest.raises(ZeroDivisionError):
        tick("test")
    assert ticks("failed") == before + 1


@pytest.mark.django_db
@pytest.mark.parametrize("hours", [-1, 1])
def test_a_worker_whose_clock_has_jumped_leaves_what_is_due_and_goes_on_when_it_is_right(
    hours: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An hour ahead it would close games before their time; an hour behind, take wagers after it."""
    ticked: list[object] = []
    offer(monkeypatch, Tick(ticked.append))
    left = ticks("clock")
    with time_machine.travel(timezone.now() + dt.timedelta(hours=hours), tick=True):
        tick("test")
    assert ticked == []
    assert ticks("clock") == left + 1
    tick("test")
    assert len(ticked) == 1
