"""The processor's time that processes took: what a machine that others use still tells."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import psutil


def spent(work: Callable[[], Any]) -> tuple[float, float]:
    """Seconds by the clock, and seconds of CPU: ours, and those of every process of PostgreSQL, ended ones too."""
    from django.conf import settings

    before = time.process_time() + of_database(settings.DATA)
    started = time.perf_counter()
    work()
    taken = time.perf_counter() - started
    time.sleep(0.05)  # parallel workers end a little after their answer
    return taken, time.process_time() + of_database(settings.DATA) - before


def of_tree(pid: int) -> float:
    """Of a process and all that it started, in seconds."""
    try:
        parent = psutil.Process(pid)
        return sum(of_process(each.pid) for each in [parent, *parent.children(recursive=True)])
    except psutil.NoSuchProcess:
        return 0.0


def of_the_gone(pid: int) -> float:
    """Of what a process started that has ended."""
    gone = psutil.Process(pid).cpu_times()
    return float(gone.children_user + gone.children_system)


def of_database(data: Path) -> float:
    """Of the embedded PostgreSQL, all of its processes: those that answer, write ahead, vacuum; and those that did."""
    pid = int((data / "postgres" / "postmaster.pid").read_text().split()[0])
    return of_tree(pid) + of_the_gone(pid)


def of_process(pid: int) -> float:
    """As the scheduler counts it: a tick of the clock is ten milliseconds, which is several sales."""
    try:
        threads: Iterable[Path] = Path(f"/proc/{pid}/task").iterdir()
        return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9
    except OSError:
        return 0.0
