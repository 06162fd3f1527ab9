"""Alive, ready, counted and logged."""

from __future__ import annotations

import io
import json
import logging
import logging.config
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
import structlog
from celery import current_app
from django.conf import settings as django_settings
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone
from kombu import Connection
from pytest_django import Settings

from config.tasks import tick
from house.models import Incident
from kernel import heartbeats, redis
from kernel.rooms import Readiness, Tick
from ledger.readiness import SealState
from ledger.seal import seal, seal_now
from tests.world.calls import INCIDENT, Caller, make_device, problem
from tests.world.offers import offer
from web import logs, metrics


def test_alive_without_asking_anybody(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}


@pytest.mark.django_db
def test_ready_when_everything_is_there(client: Client) -> None:
    worker_ticked()
    seal()  # the rooms opened their accounts when the database was made, perhaps minutes ago
    response = client.get("/readyz")
    assert response.status_code == 200, response.content
    told = response.json()
    assert (told["status"], told["failing"]) == ("ready", [])
    assert {"database", "redis", "broker", "worker", "migrations"} <= told["checks"].keys()


def worker_ticked(*, seconds_ago: float = 0.0) -> None:
    with redis.client() as line:
        line.delete(heartbeats.KEY)
        line.hset(heartbeats.KEY, "ledger", str(time.time() - seconds_ago))


def failing(client: Client) -> list[str]:
    response = client.get("/readyz")
    assert response.status_code == (503 if response.json()["failing"] else 200)
    return list(response.json()["failing"])


@pytest.mark.django_db
def test_not_ready_without_a_worker_a_broker_or_a_place_to_write(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seal()
    worker_ticked(seconds_ago=100)
    assert failing(client) == ["worker"]
    assert 99 < sample(scrape(client), "meterhouse_loop_age_seconds", loop="ledger") < 160
    with redis.client() as line:
        line.delete(heartbeats.KEY)
    assert failing(client) == ["worker"]
    monkeypatch.setattr("kernel.heartbeats._left", {})
    offer(monkeypatch, Tick(lambda now: None))
    tick("test")
    assert failing(client) == []
    with monkeypatch.context() as away:
        away.setattr(current_app, "connection_for_write", lambda: Connection("redis://127.0.0.1:1/0"))
        assert failing(client) == ["broker"]
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET TRANSACTION READ ONLY")
        assert failing(client) == ["database"]
        transaction.set_rollback(True)


@pytest.mark.django_db
def test_a_redis_that_is_full_is_not_ready(client: Client) -> None:
    seal()
    worker_ticked()
    with redis.client() as line:
        line.config_set("maxmemory", "1")
        try:
            assert "redis" in failing(client)
        finally:
            line.config_set("maxmemory", "0")


@pytest.mark.django_db
def test_how_long_rows_wait_for_their_seal_is_a_figure(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting = SealState(number=7, at=None, rows=3, waiting_since=timezone.now() - timedelta(seconds=90), late=True)
    monkeypatch.setattr("house.api.figures.seal_state", lambda: waiting)
    assert 90 <= sample(scrape(client), "meterhouse_seals_waiting_seconds") < 150
    monkeypatch.setattr("house.api.figures.seal_state", lambda: replace(waiting, waiting_since=None))
    assert sample(scrape(client), "meterhouse_seals_waiting_seconds") == 0


@pytest.mark.django_db
def test_not_ready_names_what_fails_and_keeps_the_reason_to_the_log(
    client: Client, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    worker_ticked()
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    seal_now()

    def late() -> None:
        raise RuntimeError("the last seal is an hour old")

    offer(monkeypatch, Readiness("seal", late), Readiness("depth", lambda: 3))
    response = client.get("/readyz")
    assert response.status_code == 503
    told = response.json()
    assert told["failing"] == ["redis", "worker", "seal"]
    assert told["checks"]["depth"] == 3
    assert "hour" not in response.content.decode()


def sample(text: str, name: str, **labels: str) -> float:
    """The value of one figure in Prometheus's text format; 0 where it is not there yet."""
    for line in text.splitlines():
        match = re.fullmatch(rf"{name}(?:{{(.*)}})? (\S+)", line)
        if match and dict(re.findall(r'(\w+)="([^"]*)"', match[1] or "")) == labels:
            return float(match[2])
    return 0.0


def scrape(client: Client) -> str:
    return client.get("/metrics").content.decode()


@pytest.mark.django_db
def test_requests_and_refusals_are_counted_by_route_and_code(client: Client) -> None:
    _, token = make_device("writer")
    writer = Caller(token)
    labels = {"route": "incidents", "method": "POST", "status": "201"}
    before = scrape(client)
    writer.post("incidents/", INCIDENT)
    writer.post("incidents/", INCIDENT)
    writer.post("incidents/", {})
    after = scrape(client)

    def grown(name: str, **labels: str) -> float:
        return sample(after, name, **labels) - sample(before, name, **labels)

    assert grown("meterhouse_requests_total", **labels) == 2
    assert grown("meterhouse_requests_total", **labels | {"status": "400"}) == 1
    assert grown("meterhouse_request_seconds_count", route="incidents", method="POST") == 3
    assert grown("meterhouse_refusals_total", code="malformed") == 1


@pytest.mark.django_db
def test_the_figures_of_every_process_are_added_up(client: Client) -> None:
    before = sample(scrape(client), "meterhouse_ticks_total", room="elsewhere", outcome="done")
    program = "from web import metrics; metrics.TICKS.labels(room='elsewhere', outcome='done').inc(3)"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=django_settings.ROOT)
    assert sample(scrape(client), "meterhouse_ticks_total", room="elsewhere", outcome="done") == before + 3


def test_what_a_dead_process_held_is_not_counted_as_held() -> None:
    program = "from web import metrics; metrics.POOL_SIZE.set(1000); import os; print(os.getpid())"
    subprocess.run([sys.executable, "-c", program], check=True, cwd=django_settings.ROOT, capture_output=True)
    assert sample(metrics.text().decode(), "meterhouse_db_pool_size") < 1000


@pytest.mark.django_db
def test_figures_are_for_this_machine_or_a_token_that_may_see_them(client: Client) -> None:
    assert client.get("/metrics").status_code == 200
    problem(client.get("/metrics", REMOTE_ADDR="10.0.0.7"), 401, "not-signed-in")
    problem(client.get("/metrics", headers={"X-Forwarded-For": "10.0.0.7"}), 401, "not-signed-in")
    for profile, status in (("administrator", 200), ("writer", 403), ("no-such-profile", 403)):
        _, token = make_device(profile)
        sent = {"Authorization": f"Bearer {token}"}
        assert client.get("/metrics", REMOTE_ADDR="10.0.0.7", headers=sent).status_code == status
    problem(client.get("/metrics", headers={"Authorization": "Bearer mh_no"}), 401, "token-unknown")


@pytest.mark.django_db
@pytest.mark.parametrize("offered", ["terminal-7.call_12", "a" * 80])
def test_a_well_formed_request_id_is_kept(client: Client, offered: str) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": offered})["X-Request-ID"] == offered


@pytest.mark.django_db
@pytest.mark.parametrize("offered", ["short", "a" * 81, "with space", 'x"; drop--', "", "ünlikely-id", "a\tb-cdefgh"])
def test_another_is_replaced(client: Client, offered: str) -> None:
    made = client.get("/healthz", headers={"X-Request-ID": offered})["X-Request-ID"]
    assert re.fullmatch(r"[0-9a-f]{32}", made)


@pytest.fixture
def lines() -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """What is written to the log, read back as JSON."""
    stream = io.StringIO()
    formatter = logging.config.DictConfigurator(logs.settings(terminal=False)).configure_formatter(
        logs.settings(terminal=False)["formatters"]["line"]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.addHandler(handler)
    yield lambda: [json.loads(line) for line in stream.getvalue().splitlines()]
    root.removeHandler(handler)


@pytest.mark.django_db
def test_a_request_is_one_line_with_who_what_and_how_long_and_no_secret(
    lines: Callable[[], list[dict[str, Any]]],
) -> None:
    device, token = make_device("writer")
    Caller(token).post("incidents/", INCIDENT, **{"X-Request-ID": "terminal-7"})
    (line,) = [line for line in lines() if line["event"] == "answered"]
    assert line["request_id"] == "terminal-7"
    assert (line["method"], line["route"], line["status"]) == ("POST", "incidents", 201)
    assert line["actor"] == f"device:{device.code}"
    assert line["ms"] >= 0
    assert token not in json.dumps(lines())


def test_lines_of_a_request_carry_its_id_and_secrets_are_left_out(lines: Callable[[], list[dict[str, Any]]]) -> None:
    logs.begin_request("terminal-8")
    log = structlog.get_logger("tests")
    log.warning("seen", token="mh_1", Authorization="Bearer x", header="Authorization: Bearer mh_abc", count=3)
    logging.getLogger("library").warning("calling with %s", "mh_0123abcd_secretsecret")
    try:
        raise RuntimeError("Bearer mh_hidden went wrong")
    except RuntimeError:
        log.exception("broke")
    ours, theirs, broke = lines()
    assert {ours["request_id"], theirs["request_id"], broke["request_id"]} == {"terminal-8"}
    assert (ours["token"], ours["Authorization"]) == ("(not logged)", "(not logged)")
    assert ours["count"] == 3
    written = json.dumps([ours, theirs, broke])
    for secret in ("mh_1", "mh_abc", "secretsecret", "mh_hidden"):
        assert secret not in written
    assert "RuntimeError" in broke["exception"]


@pytest.mark.django_db
def test_a_bug_is_in_the_log_under_the_id_the_caller_was_told(
    lines: Callable[[], list[dict[str, Any]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: object) -> None:
        raise ZeroDivisionError("nothing left")

    monkeypatch.setattr("house.incidents.report_incident", broken)
    _, token = make_device("writer")
    answer = Caller(token).post("incidents/", INCIDENT).json()
    (line,) = [line for line in lines() if line["event"] == "unexpected error"]
    assert line["request_id"] == answer["request_id"]
    assert "ZeroDivisionError: nothing left" in line["exception"]
    assert not Incident.objects.exists()
