"""The tick, and requests followed into the tasks they send."""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Iterator

import pytest
from celery import Celery
from celery.contrib.testing.worker import start_worker
from django.db import transaction
from kombu.exceptions import OperationalError
from structlog.contextvars import clear_contextvars, get_contextvars

from config.celery import app, beat_schedule
from config.tasks import tick
from kernel.rooms import Tick
from kernel.tasks import after_commit
from tests.api.test_operations import sample
from tests.world.offers import offer
from web import logs, metrics

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


def test_beat_only_ticks_and_old_ticks_expire() -> None:
    schedule = beat_schedule()
    assert schedule["tick house"] == {"task": "tick", "schedule": 1.0, "args": ["house"], "options": {"expires": 5.0}}
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


def test_a_tick_does_the_rooms_due_work_and_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    moments: list[dt.datetime] = []
    offer(monkeypatch, Tick(moments.append))
    before = ticks("done")
    tick("test")
    assert len(moments) == 1
    assert moments[0].tzinfo is not None
    assert ticks("done") == before + 1


def test_a_tick_that_fails_is_counted_and_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(now: object) -> None:
        raise ZeroDivisionError

    offer(monkeypatch, Tick(fail))
    before = ticks("failed")
    with pytest.raises(ZeroDivisionError):
        tick("test")
    assert ticks("failed") == before + 1
