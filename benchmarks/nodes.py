"""The same sales from one, two and four web nodes against one PostgreSQL: what a sale costs the database, and whether
more nodes make it dearer.

A node is the web server of ``make run`` (several processes, connections of its own) with sixteen clients. On one
machine the nodes share its cores, so that sales a second tell little; the database's processor and log a sale tell what
a network needs of its one database.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import median
from typing import Final

from benchmarks import cpu, keno_sale
from benchmarks.keno_sale import BODY, CLIENTS, PATH, ROUNDS, SECONDS, WARM_UP, wal_bytes
from benchmarks.load import Load, hammer
from benchmarks.report import figures

NODES: Final = (1, 2, 4)


@dataclass(frozen=True, slots=True)
class Turn:
    rate: float
    database: float  # seconds of processor a sale
    wal: float  # bytes a sale
    p99: float


def run() -> None:
    tokens = keno_sale.prepare()
    with ExitStack() as served:
        ports = [served.enter_context(keno_sale.server("config.wsgi:application"))[0] for _ in range(max(NODES))]
        for port in ports:
            hammer(port, PATH, BODY, tokens, WARM_UP)
        turns: dict[int, list[Turn]] = {nodes: [] for nodes in NODES}
        for _ in range(ROUNDS):  # turn and turn about: the machine's moods reach all alike
            for nodes in NODES:
                turns[nodes].append(turn(ports[:nodes], tokens))
    inserts = keno_sale.database_of_five_inserts()
    one = turns[NODES[0]]
    for nodes in NODES:
        name = f"sales from {nodes} web node{'s' if nodes > 1 else ''}, {CLIENTS * nodes} clients"
        rates = [each.rate for each in turns[nodes]]
        base = [each.rate for each in one]
        figures(name, rates, "sales/s", [a / b for a, b in zip(rates, base, strict=True)], "one node")
        costs = [each.database for each in turns[nodes]]
        told = f"five prepared INSERTs in one transaction, {inserts * 1e6:.0f} µs"
        figures("  database CPU a sale", [each * 1e6 for each in costs], "µs", [each / inserts for each in costs], told)
        ratios = [each / other.database for each, other in zip(costs, one, strict=True)]
        figures("  the same", [each * 1e6 for each in costs], "µs", ratios, "itself from one node")
        ratios = [each.wal / other.wal for each, other in zip(turns[nodes], one, strict=True)]
        figures("  WAL a sale", [each.wal for each in turns[nodes]], "bytes", ratios, "the same")
        p99 = median(each.p99 for each in one)
        ratios = [each.p99 / p99 for each in turns[nodes]]
        figures("  99% of sales", [each.p99 * 1e3 for each in turns[nodes]], "ms", ratios, "the same")


def turn(ports: list[int], tokens: list[str]) -> Turn:
    from django.conf import settings

    time.sleep(1)  # what the turn before left to be sealed and written
    database, wal = cpu.of_database(settings.DATA), wal_bytes()
    with ThreadPoolExecutor(len(ports)) as pool:
        loads: list[Load] = list(pool.map(lambda port: hammer(port, PATH, BODY, tokens, SECONDS), ports))
    sales = sum(load.requests for load in loads)
    return Turn(
        rate=sum(load.requests / load.seconds for load in loads),
        database=(cpu.of_database(settings.DATA) - database) / sales,
        wal=(wal_bytes() - wal) / sales,
        p99=max(load.p99 for load in loads),
    )
