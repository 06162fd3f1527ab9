"""What a house costs in which nothing happens: ``make run`` with its demo venue, between two games, nobody there.

Every process that ``make run`` started counts, and those that began and ended meanwhile.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import psutil
import psycopg

from benchmarks import cpu
from benchmarks.report import figure

STARTS_ITS_OWN_HOUSE: Final = True
SECONDS: Final = 60.0
RESTS_SECONDS: Final = 15.0  # after the last game is settled, until its rows are sealed, cosigned and shown
REACH: Final = 0.03  # of a core
# What a process is there for, by how it is called.
_PARTS: Final = {
    "postgres": "database",
    "valkey-server": "Redis",
    "witness": "witness",
    "config.sealer": "sealer",
    "worker": "worker",
    "config.streams": "streams",
    "config.web": "web",
    "beat": "beat",
}


def run() -> None:
    data = Path(os.environ["METERHOUSE_DATA"])
    with house(data) as pid:
        wait_for_rest(data)
        before, began = spent(pid), time.monotonic()
        time.sleep(SECONDS)
        after, seconds = spent(pid), time.monotonic() - began
    parts = {name: (after[name] - before.get(name, 0.0)) / seconds for name in after}
    whole = sum(parts.values())
    figure("an idle house, all processes", whole, "cores", whole / REACH, f"{REACH} of a core")
    for name, share in sorted(parts.items(), key=lambda each: -each[1]):
        figure(f"  {name}, thousandths of a core", share * 1e3, "‰", share / REACH, "the same")


@contextmanager
def house(data: Path) -> Iterator[int]:
    """``make run``, until it says that it is ready; the supervisor's process."""
    environment = os.environ | {"PORT": str(free_port()), "METERHOUSE_DEMO": "1"}
    with (data.parent / f"{data.name}.log").open("w+") as said:
        process = subprocess.Popen(
            [sys.executable, "-m", "config.run"], env=environment, stdout=said, stderr=subprocess.STDOUT
        )
        try:
            while "Meterhouse is ready" not in Path(said.name).read_text():
                if process.poll() is not None:
                    raise RuntimeError(Path(said.name).read_text()[-2_000:])
                time.sleep(0.5)
            yield process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(90)
            Path(said.name).unlink()


def free_port() -> int:
    from benchmarks.signage import free_port

    return free_port()


def wait_for_rest(data: Path) -> None:
    """Until no game is closed, drawn or settled for a minute: the demo draws one every three."""
    with psycopg.connect(host=str(data / "sockets"), user="postgres", dbname="meterhouse", autocommit=True) as line:
        while True:
            row = line.execute(_REST, {"rests": RESTS_SECONDS, "seconds": SECONDS + 8}).fetchone()
            if row is not None and row[0]:
                return
            time.sleep(1)


_REST: Final = """
    SELECT NOT EXISTS (SELECT FROM keno_game WHERE status IN ('closed', 'sealed', 'drawing', 'drawn'))
       AND NOT EXISTS (SELECT FROM keno_game
                       WHERE status = 'open' AND closes_at < now() + make_interval(secs => %(seconds)s))
       AND NOT EXISTS (SELECT FROM keno_game WHERE settled_at > now() - make_interval(secs => %(rests)s))
       AND EXISTS (SELECT FROM ledger_act)
"""


def spent(supervisor: int) -> dict[str, float]:
    """Seconds of processor by part."""
    found: dict[str, float] = {"supervisor": cpu.of_process(supervisor)}
    for process in psutil.Process(supervisor).children():
        found[part_of(process)] = cpu.of_tree(process.pid) + cpu.of_the_gone(process.pid)
    return found


def part_of(process: psutil.Process) -> str:
    words = [process.name(), *(Path(word).name for word in process.cmdline())]
    named = (
        said for called, said in _PARTS.items() if any(re.match(rf"{re.escape(called)}\b", word) for word in words)
    )
    return next(named, "other")
