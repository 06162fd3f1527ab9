"""A board event, from its commit to the last of a thousand streams.

The streams process of ``make run`` (uvicorn, one process) with a thousand listeners, who stay for the whole run, while
wagers move the jackpots' meters at the same time. What is measured is the slowest of the thousand, for every event.
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
from datetime import UTC, datetime
from itertools import count

from benchmarks.report import figure

STREAMS, EVENTS, REACH = 1_000, 200, 0.5
FIRST = 1_000_000  # the number of the first game: nothing else in the stream looks like it


def run() -> None:
    from house.plan_days import ensure_gaming_days
    from jackpot.demo import build_demo

    ensure_gaming_days()
    build_demo()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    port = free_port()
    server = subprocess.Popen(
        [sys.executable, "-m", "config.streams", "--port", str(port)],
        env=os.environ | {"METERHOUSE_STREAMS_PER_ADDRESS": "100000"},
    )
    stop = threading.Event()
    try:
        wait_for(port)
        listeners = subprocess.Popen(
            [sys.executable, "-m", "benchmarks.listeners", str(port), str(STREAMS), str(FIRST), str(EVENTS)],
            stdout=subprocess.PIPE,
            text=True,
        )
        assert listeners.stdout is not None
        assert listeners.stdout.readline() == "listening\n"
        wagering = threading.Thread(target=wager, args=[stop])
        wagering.start()
        committed = [record(FIRST + number) for number in range(EVENTS)]
        heard = json.loads(listeners.stdout.readline())
        stop.set()
        wagering.join()
        listeners.wait()
    finally:
        stop.set()
        server.terminate()
        server.wait()
    took = sorted(last - then for last, then in zip(heard["last"], committed, strict=True))
    p99 = statistics.quantiles(took, n=100, method="inclusive")[98]
    figure(
        f"board event to the last of {STREAMS:,}, p50",
        took[len(took) // 2] * 1e3,
        "ms",
        took[len(took) // 2] / REACH,
        f"the {REACH:g} s it may take",
    )
    figure(f"board event to the last of {STREAMS:,}, p99", p99 * 1e3, "ms", p99 / REACH, f"the {REACH:g} s it may take")
    figure(
        f"events told to {STREAMS:,} streams, with meters",
        heard["events"],
        "events",
        heard["events"] / (STREAMS * EVENTS),
        f"{EVENTS} events × {STREAMS:,}",
    )


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


def wager(stop: threading.Event) -> None:
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
        messages = [Message(f"signage/{number}/{table}", table, 1, datetime.now(UTC)) for table in tables]
        contribute_bulk(messages=messages, by=by)
    connection.close()
