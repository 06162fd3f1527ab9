"""The embedded services as somebody needs them: kept by a running copy, or started for the length of one command."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil

from config import keys
from config.services import external
from config.services.lock import FolderLock
from config.services.postgres import Postgres
from config.services.redis import Redis
from kernel.environment import Trouble, data_folder

# In the environment of everything we start: the data folder whose services an ancestor of the process keeps. It tells
# a child that it need not see to them, and the next start which processes a killed run has left behind.
MARK = "METERHOUSE_RUN"


def wanted(data: Path, *, durable: bool = True) -> list[Postgres | Redis]:
    """Those that the environment does not point elsewhere, in the order they start."""
    services: list[Postgres | Redis] = []
    if not os.environ.get("DATABASE_URL"):
        services.append(Postgres(data, durable=durable))
    if not os.environ.get("REDIS_URL"):
        services.append(Redis(data, durable=durable))
    return services


@contextmanager
def for_command(what: str, *, may_make_keys: bool = True) -> Iterator[None]:
    """PostgreSQL and Redis while a command runs: a running copy's where there is one, else started and stopped here."""
    data = data_folder()
    services = wanted(data)
    external.check_database()
    if not services or os.environ.get(MARK) == str(data):
        yield
        return
    lock = FolderLock(data, what=what, serves=False)
    if not _take_unless_served(lock, services):
        yield
        return
    try:
        end_killed_run(data)
        if may_make_keys:
            keys.ensure()
        for service in services:
            service.start()
        os.environ[MARK] = str(data)  # for what the command itself starts
        yield
    finally:
        for service in reversed(services):
            service.stop()
        lock.release()


def _take_unless_served(lock: FolderLock, services: list[Postgres | Redis]) -> bool:
    """True once the folder is ours, False once somebody who keeps them running has them all answering.

    Another command's services stop when it ends, so that one is waited for.
    """
    start = time.monotonic()
    while not lock.take():
        holder = lock.holder()
        if holder and holder.serves and not holder.stopping and all(service.answers() for service in services):
            return False
        if time.monotonic() - start > 120:
            who = f"{holder.what}, process {holder.pid}" if holder else "another process"
            raise Trouble(
                f"{who} holds the data folder {lock.path.parent} and does not let go: stop it, then try again."
            )
        time.sleep(0.1)
    return True


def end_killed_run(data: Path) -> None:
    """End what a killed supervisor's programs have left running. They were told to stop when it died."""
    us = {os.getpid(), *(process.pid for process in psutil.Process().parents())}
    left = [process for process in psutil.process_iter() if process.pid not in us and _marked(process, data)]
    for process in left:
        with suppress(psutil.NoSuchProcess):
            process.terminate()
    _, stubborn = psutil.wait_procs(left, 5.0)
    for process in stubborn:
        with suppress(psutil.NoSuchProcess):
            process.kill()
    psutil.wait_procs(stubborn, 5.0)


def _marked(process: psutil.Process, data: Path) -> bool:
    try:
        return bool(process.environ().get(MARK) == str(data))
    except (psutil.Error, OSError):
        return False
