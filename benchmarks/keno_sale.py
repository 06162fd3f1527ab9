"""A ticket sale over HTTP with everything that belongs to it, beside a bare DRF view on the same server, turn and turn
about on one database.

``BENCH_BESIDE=folder``: the sale of another checkout, too, beside this one; it must know the database of this one.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from benchmarks import cpu, pgbench
from benchmarks.load import HOST, Load, client_name, hammer
from benchmarks.report import figure

CLIENTS, SECONDS, WARM_UP, ROUNDS = 16, float(os.environ.get("BENCH_SECONDS", "5")), 3.0, 3
PATH = "/api/v1/keno/tickets"
BODY = json.dumps({"numbers": [4, 8, 15, 16, 23, 42], "stake": "2.00", "games": 1})


@dataclass(slots=True)
class Taking:
    """One who takes turns: where it is served, and what each of its turns came to."""

    port: int
    pid: int
    path: str = PATH
    turns: list[tuple[Load, float, float]] = field(default_factory=list)  # with web's and the database's processor
    wal: list[float] = field(default_factory=list)  # bytes a request

    def turn(self, tokens: list[str], seconds: float) -> None:
        from django.conf import settings

        web, database, wal = cpu.of_tree(self.pid), cpu.of_database(settings.DATA), wal_bytes()
        load = hammer(self.port, self.path, BODY, tokens, seconds)
        self.turns.append((load, cpu.of_tree(self.pid) - web, cpu.of_database(settings.DATA) - database))
        self.wal.append((wal_bytes() - wal) / load.requests)

    @property
    def rate(self) -> float:
        return median(load.requests / load.seconds for load, _, _ in self.turns)

    @property
    def p99(self) -> float:
        return median(load.p99 for load, _, _ in self.turns)

    @property
    def database(self) -> float:
        return median(database / load.requests for load, _, database in self.turns)

    @property
    def wal_bytes(self) -> float:
        return median(self.wal)

    @property
    def processor(self) -> float:
        """Of one request: web, database and client."""
        return median((web + database + load.client) / load.requests for load, web, database in self.turns)


def run() -> None:
    tokens = prepare()
    with ExitStack() as served:
        ours = Taking(*served.enter_context(server("config.wsgi:application")))
        bare = Taking(*served.enter_context(server("benchmarks.bare:application")))
        by_models = Taking(bare.port, bare.pid, f"{PATH}-by-models")
        taking = {"sale": ours, "bare": bare, "models": by_models}
        if other := os.environ.get("BENCH_BESIDE"):
            taking["other"] = Taking(*served.enter_context(server("config.wsgi:application", folder=Path(other))))
        for each in taking.values():
            each.turn(tokens, WARM_UP)
            each.turns.clear()
            each.wal.clear()
        for _ in range(ROUNDS):  # turn and turn about: the machine's moods reach all alike
            for each in taking.values():
                each.turn(tokens, SECONDS)
    figure("bare DRF view, five INSERTs in SQL", bare.rate, "requests/s", 1.0, f"{CLIENTS} clients, {client_name()}")
    figure("bare DRF view, five models created", by_models.rate, "requests/s", by_models.rate / bare.rate, "in SQL")
    _tell("ticket sale over HTTP", ours, bare)
    figure("  the same", ours.rate, "sales/s", ours.rate / by_models.rate, "the bare view with models")
    if "other" in taking:
        _tell("sale of the other checkout", taking["other"], bare)
        figure("  this sale beside it", ours.rate, "sales/s", ours.rate / taking["other"].rate, "the other checkout")
        share = taking["other"].processor / ours.processor
        figure("  the same, CPU a sale", ours.processor * 1e3, "ms", share, "the other checkout (more is better)")
    inserts = database_of_five_inserts()
    five = f"five prepared INSERTs in one transaction, {inserts * 1e6:.0f} µs"
    figure("database CPU a sale", ours.database * 1e6, "µs", ours.database / inserts, five)
    told = f"the bare view’s {bare.database * 1e6:.0f} µs"
    figure("  the same", ours.database * 1e6, "µs", ours.database / bare.database, told)
    told = f"the bare view’s {bare.wal_bytes:,.0f}"
    figure("WAL a sale", ours.wal_bytes, "bytes", ours.wal_bytes / bare.wal_bytes, told)


def _tell(name: str, sale: Taking, bare: Taking) -> None:
    figure(name, sale.rate, "sales/s", sale.rate / bare.rate, "the bare view in SQL")
    p99s = f"the bare view’s p99, {bare.p99 * 1e3:.0f} ms"
    figure("  the same, p99", sale.p99 * 1e3, "ms", sale.p99 / bare.p99, p99s)
    costs = f"the bare view’s {bare.processor * 1e3:.2f} ms to it"
    figure("  the same, CPU a sale", sale.processor * 1e3, "ms", bare.processor / sale.processor, costs)


def wal_bytes() -> int:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint")
        return int(cursor.fetchone()[0])


def database_of_five_inserts() -> float:
    """The database's processor for one transaction of five bare INSERTs, prepared, as pgbench sends them."""
    from django.conf import settings

    script = "".join(
        f"INSERT INTO bench_row_{name} (at, day, name, what, amount) "
        "VALUES (now(), current_date, 'a name', '[4, 8, 15, 16, 23, 42]', 2000000);\n"
        for name in TABLES
    )
    before = cpu.of_database(settings.DATA)
    rate = pgbench.rate(script, "-M", "prepared", clients=CLIENTS, seconds=SECONDS)
    time.sleep(2)  # until those that answered it have ended, and are counted as gone
    return (cpu.of_database(settings.DATA) - before) / (rate * SECONDS)


TABLES = ("key", "ticket", "play", "tender", "transfer")


def prepare() -> list[str]:
    """The demo venue with its game open, a token for every client, and the bare view's tables."""
    from django.db import connection

    from house import demo as house_demo
    from house.devices import service_token
    from keno import demo

    house_demo.build_demo()
    demo.build_demo()
    with connection.cursor() as cursor:
        for name in TABLES:
            columns = "id bigserial PRIMARY KEY, at timestamptz, day date, name text, what text, amount bigint"
            cursor.execute(f"CREATE TABLE bench_row_{name} ({columns})")
            cursor.execute(f"GRANT SELECT, INSERT ON bench_row_{name} TO meterhouse_runtime")
            cursor.execute(f"GRANT USAGE ON SEQUENCE bench_row_{name}_id_seq TO meterhouse_runtime")
    return [service_token(role="writer").secret for _ in range(CLIENTS)]


@contextmanager
def server(application: str, *, folder: Path | None = None) -> Iterator[tuple[int, int]]:
    """The web server as ``make run`` starts it, with another application or from another checkout where asked: its port
    and its process."""
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
    process = subprocess.Popen(line, env=environment, stdout=subprocess.DEVNULL, cwd=folder)
    try:
        wait_for(port)
        yield port, process.pid
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
