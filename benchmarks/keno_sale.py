"""A ticket sale over HTTP with everything that belongs to it, beside a bare DRF view on the same server."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from statistics import quantiles

from benchmarks.report import figure

CLIENTS, SECONDS, WARM_UP, ROUNDS = 16, 5.0, 2.0, 3
HOST, PATH = "127.0.0.1", "/api/v1/keno/tickets"
BODY = json.dumps({"numbers": [4, 8, 15, 16, 23, 42], "stake": "2.00", "games": 1})


def run() -> None:
    tokens = prepare()
    sales: list[float] = []
    bare: list[float] = []
    by_models: list[float] = []
    with server("config.wsgi:application") as ours, server("benchmarks.bare:application") as theirs:
        turns = ((bare, theirs, PATH), (by_models, theirs, f"{PATH}-by-models"), (sales, ours, PATH))
        for _, port, path in turns:
            hammer(port, path, tokens, WARM_UP)
        for _ in range(ROUNDS):  # turn and turn about: the machine's moods reach all alike
            for taken, port, path in turns:
                taken.extend(hammer(port, path, tokens, SECONDS))
    rate, bare_rate, models_rate = (len(each) / (SECONDS * ROUNDS) for each in (sales, bare, by_models))
    p99, bare_p99 = quantiles(sales, n=100)[98], quantiles(bare, n=100)[98]
    figure("bare DRF view, five INSERTs in SQL", bare_rate, "requests/s", 1.0, f"{CLIENTS} clients")
    figure("bare DRF view, five models created", models_rate, "requests/s", models_rate / bare_rate, "the one in SQL")
    figure("ticket sale over HTTP", rate, "sales/s", rate / bare_rate, "the bare view in SQL")
    figure("  the same", rate, "sales/s", rate / models_rate, "the bare view with models")
    figure(
        "ticket sale over HTTP, p99", p99 * 1e3, "ms", p99 / bare_p99, f"the bare view’s p99, {bare_p99 * 1e3:.0f} ms"
    )


def prepare() -> list[str]:
    """The demo venue with its game open, a token for every client, and the bare view's tables."""
    from django.db import connection

    from house import demo as house_demo
    from house.devices import service_token
    from keno import demo

    house_demo.build_demo()
    demo.build_demo()
    with connection.cursor() as cursor:
        for name in ("key", "ticket", "play", "tender", "transfer"):
            columns = "id bigserial PRIMARY KEY, at timestamptz, day date, name text, what text, amount bigint"
            cursor.execute(f"CREATE TABLE bench_row_{name} ({columns})")
            cursor.execute(f"GRANT SELECT, INSERT ON bench_row_{name} TO meterhouse_runtime")
            cursor.execute(f"GRANT USAGE ON SEQUENCE bench_row_{name}_id_seq TO meterhouse_runtime")
    return [service_token(role="writer").secret for _ in range(CLIENTS)]


@contextmanager
def server(application: str) -> Iterator[int]:
    """The web server as ``make run`` starts it, with another application where asked."""
    from django.conf import settings

    from config.run import _programs
    from config.services.embedded import MARK

    with socket.socket() as probe:
        probe.bind((HOST, 0))
        port = probe.getsockname()[1]
    command = next(command for name, _, command in _programs(port=port, streams_port=0) if name == "web")
    line = [sys.executable, *(application if part == "config.wsgi:application" else part for part in command)]
    environment = {
        **os.environ,
        "METERHOUSE_AS": "runtime",
        MARK: str(settings.DATA),
        "PORT": str(port),
        "LOG_LEVEL": "WARNING",
    }
    process = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(20)


def wait_for(port: int) -> None:
    for _ in range(600):
        connection = http.client.HTTPConnection(HOST, port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            if connection.getresponse().status == 200:
                return
        except OSError:
            time.sleep(0.1)
        finally:
            connection.close()
    raise RuntimeError("the server does not answer")


def hammer(port: int, path: str, tokens: list[str], seconds: float) -> list[float]:
    """How long each request took, of sixteen clients that send one after the other."""
    taken: list[list[float]] = [[] for _ in tokens]
    until = time.perf_counter() + seconds

    def client(place: int, token: str) -> None:
        connection = http.client.HTTPConnection(HOST, port, timeout=60)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        while (started := time.perf_counter()) < until:
            key = f"{time.time_ns()}-{place}"
            connection.request("POST", path, BODY, {**headers, "Idempotency-Key": key})
            answer = connection.getresponse()
            said = answer.read()
            if answer.status != 201:
                raise RuntimeError(f"{answer.status}: {said[:300]!r}")
            taken[place].append(time.perf_counter() - started)
        connection.close()

    threads = [threading.Thread(target=client, args=pair) for pair in enumerate(tokens)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return [one for each in taken for one in each]
