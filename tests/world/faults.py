"""What goes wrong with a running house: each fault strikes a copy, lasts a while and is over. Nobody repairs anything.

A fault is chosen under a seed (``tests/soak``), or one by one by the tests of bad days.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import psutil
import psycopg
import redis

from config.services import addresses
from tests.world.copies import Copy

PROGRAMS: Final = {
    "web": "config.web",
    "streams": "config.streams",
    "worker": "celery -A config.celery --quiet worker",
    "beat": "celery -A config.celery --quiet beat",
    "sealer": "config.sealer",
    "postgres": "bin/postgres",
    "redis": "valkey-server",
    "witness": "-m witness",
}
# What a worker finds in its queue that none of ours has sent.
POISON: Final = (
    b"this is no message",
    b'{"body": "W10=", "headers": {}, "content-type": "application/x-python-serialize"}',
    b'{"body": "bm90IGpzb24=", "content-encoding": "utf-8", "content-type": "application/json", "headers": {"task":'
    b' "x", "id": "1", "lang": "py"}, "properties": {"delivery_tag": "1", "delivery_info": {"exchange": "",'
    b' "routing_key": "celery"}, "body_encoding": "base64"}}',
)
Fault = Callable[[Copy], Any]  # a context manager: it strikes, and is over


def leader(copy: Copy, part: str) -> psutil.Process | None:
    """The process of this part that the supervisor has started."""
    found = [each for each in copy.processes(PROGRAMS[part]) if _parent(each) == copy.process.pid]
    return found[0] if found else None


def _parent(process: psutil.Process) -> int:
    try:
        return int(process.ppid())
    except psutil.NoSuchProcess:
        return 0


@contextmanager
def killed(copy: Copy, *, part: str) -> Iterator[None]:
    """Without a word: out of memory, a power cut, kill -9."""
    victim = leader(copy, part)
    if victim is not None:
        with suppress(psutil.NoSuchProcess):
            victim.kill()
    yield


@contextmanager
def child_killed(copy: Copy) -> Iterator[None]:
    """One of the worker's own processes, as where its memory is limited."""
    worker = leader(copy, "worker")
    for child in (worker.children() if worker is not None else [])[:1]:
        with suppress(psutil.NoSuchProcess):
            child.kill()
    yield


@contextmanager
def stopped(copy: Copy, *, part: str) -> Iterator[None]:
    """It stands still with everything it holds: a swapping machine, a hung disk. Then it goes on, as if nothing was: a
    worker after its lease, a database that was slow."""
    first = leader(copy, part)
    group = [first, *first.children(recursive=True)] if first is not None else []
    for each in group:
        with suppress(psutil.NoSuchProcess):
            each.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        for each in group:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(signal.SIGCONT)


@contextmanager
def redis_full(copy: Copy) -> Iterator[None]:
    with _redis(copy) as line, suppress(redis.RedisError):
        line.config_set("maxmemory", "1")
    try:
        yield
    finally:
        with _redis(copy) as line, suppress(redis.RedisError):
            line.config_set("maxmemory", "0")


@contextmanager
def redis_emptied(copy: Copy) -> Iterator[None]:
    """Its memory is lost: queue, heartbeats, boards."""
    with _redis(copy) as line, suppress(redis.RedisError):
        line.flushall()
    yield


@contextmanager
def poisoned(copy: Copy) -> Iterator[None]:
    with _redis(copy) as line, suppress(redis.RedisError):
        line.rpush("celery", *POISON)
    yield


@contextmanager
def idle_transaction(copy: Copy) -> Iterator[None]:
    """Somebody holds a transaction open that has written: nothing above it can be sealed."""
    try:
        line = psycopg.connect(addresses.embedded_database_url(copy.data), connect_timeout=5)
    except psycopg.Error:
        yield
        return
    try:
        with suppress(psycopg.Error):
            line.execute("SELECT pg_current_xact_id()")
        yield
    finally:
        line.close()


@contextmanager
def disk_full(copy: Copy) -> Iterator[None]:
    """Only where the data folder is a file system of its own (``on_small_disk``): else it would be everybody's."""
    ballast = copy.data / "ballast"
    if not os.path.ismount(copy.data):
        yield
        return
    try:
        with suppress(OSError), ballast.open("wb") as file:
            while True:
                file.write(bytes(1 << 20))
                file.flush()
        yield
    finally:
        ballast.unlink(missing_ok=True)


def _redis(copy: Copy) -> redis.Redis:
    return redis.Redis.from_url(addresses.embedded_redis_url(copy.data), socket_timeout=5, socket_connect_timeout=2)


def every_fault() -> Mapping[str, Fault]:
    faults: dict[str, Fault] = {f"{part} killed": partial(killed, part=part) for part in PROGRAMS}
    faults |= {f"{part} stopped": partial(stopped, part=part) for part in PROGRAMS}
    return faults | {
        "worker's child killed": child_killed,
        "redis full": redis_full,
        "redis emptied": redis_emptied,
        "poisoned messages": poisoned,
        "idle transaction": idle_transaction,
        "disk full": disk_full,
    }


def chosen(chance: Random, faults: Mapping[str, Fault]) -> Iterator[tuple[str, Fault, float, float]]:
    """For ever: what comes next, for how many seconds, and how many are quiet after it."""
    while True:
        name, fault = chance.choice(list(faults.items()))
        yield name, fault, chance.uniform(0.5, 12.0), chance.uniform(3.0, 20.0)


def on_small_disk(folder: Path, *, megabytes: int = 1_500) -> bool:
    """Give the folder a file system of its own, in memory. False: this user may not."""
    command = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=0755", "tmpfs", str(folder)]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0
