"""A board event, from its commit to the last of a thousand streams, and to the last of ten thousand.

The streams process of ``make run`` (two of them for ten thousand, as two nodes have) with listeners who stay for the
whole run, while wagers move the jackpots' meters at the same time. What is measured is the slowest of all, for every
event; and what the streams processes take for it.
"""

from __future__ import annotations

import json
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count

from benchmarks import cpu
from benchmarks.report import figure

FIRST = 1_000_000  # the number of the first game: nothing else in the stream looks like it


@dataclass(frozen=True, slots=True)
class Audience:
    streams: int
    processes: int
    events: int
    reach: float  # seconds


AUDIENCES = (Audience(1_000, 1, 200, 0.2), Audience(10_000, 2, 100, 1.0))


def run() -> None:
    from house.plan_days import ensure_gaming_days
    from jackpot.demo import build_demo

    ensure_gaming_days()
    build_demo()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for place, audience in enumerate(AUDIENCES):
        if hard != resource.RLIM_INFINITY and hard < audience.streams + 100:
            print(
                f"# {audience.streams:,} streams are not measured: a process may open {hard:,} files here", flush=True
            )
            continue
        tell(audience, first=FIRST * (place + 1))


def tell(audience: Audience, *, first: int) -> None:
    streams, reach = audience.streams, audience.reach
    stop = threading.Event()
    with ExitStack() as served:
        servers = [served.enter_context(server()) for _ in range(audience.processes)]
        ports = ",".join(str(port) for port, _ in servers)
        listeners = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.listeners", ports, str(streams), str(first), str(audience.events)],
            stdout=subprocess.PIPE,
            text=True,
        )
        wagering = threading.Thread(target=wager, args=[stop, first])
        try:
            assert listeners.stdout is not None
            assert listeners.stdout.readline() == "listening\n"
            wagering.start()
            before = sum(cpu.of_tree(pid) for _, pid in servers)
            committed = [record(first + number) for number in range(audience.events)]
            heard = json.loads(listeners.stdout.readline())
            spent = sum(cpu.of_tree(pid) for _, pid in servers) - before
        finally:
            stop.set()
            if wagering.is_alive():
                wagering.join()
            listeners.terminate()
            listeners.wait()
    took = sorted(last - then for last, then in zip(heard["last"], committed, strict=True))
    p50, p99 = took[len(took) // 2], statistics.quantiles(took, n=100, method="inclusive")[98]
    over = f"over {audience.processes}" if audience.processes > 1 else "over one"
    figure(f"board event to the last of {streams:,}, p50", p50 * 1e3, "ms", p50 / reach, f"the {reach:g} s it may take")
    figure(f"board event to the last of {streams:,}, p99", p99 * 1e3, "ms", p99 / reach, "the same")
    events = heard["events"]
    figure(
        "  told, with meters",
        events,
        "events",
        events / (streams * audience.events),
        f"{audience.events} × {streams:,}",
    )
    figure(f"  CPU, {over}, an event told", spent / events * 1e6, "µs", spent / events / 45e-6, "45 µs, one task each")


@contextmanager
def server() -> Iterator[tuple[int, int]]:
    """The streams process of ``make run``: its port and its process."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "config.streams", "--port", str(port)],
        env=os.environ | {"METERHOUSE_STREAMS_PER_ADDRESS": "100000"},
    )
    try:
        wait_for(port)
        yield port, process.pid
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int) -> None:
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
            continue
        return


def record(game: int) -> float:
    """One published act in a transaction of its own; when it was committed, by the clock of the machine."""
    from kernel.actors import system
    from ledger import log

    time.sleep(random.uniform(0.02, 0.25))  # balls and hits do not come by the clock of the relay
    log.write(
        kind="keno.ball",
        subject=f"keno-game:{game}",
        by=system("bench"),
        data={"game": game, "attempt": 1, "place": 1, "number": game % 80 + 1},
    )
    return time.monotonic()


def wager(stop: threading.Event, first: int) -> None:
    """Twenty wagers a second into the demo's links, so that their meters are said four times a second."""
    from django.db import connection

    from jackpot import permissions
    from jackpot.contribute import Message, contribute_bulk
    from kernel.actors import Actor

    by = Actor("device:T-0001", "table", frozenset({permissions.CONTRIBUTE}))
    for number in count():
        if stop.wait(0.05):
            break
        tables = ("CSP-01", "BOOM-01", "GJ-01")
        messages = [Message(f"signage/{first}/{number}/{table}", table, 1, datetime.now(UTC)) for table in tables]
        contribute_bulk(messages=messages, by=by)
    connection.close()
