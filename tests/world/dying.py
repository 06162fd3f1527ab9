"""Processes that are killed with -9 on command. One imports everything, and each job dies in a fork of it.

A job is a line of words on standard input; the answer is a line with the signal that ended the fork, or -1.
"""

from __future__ import annotations

import importlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

import django

from config.services.addresses import RUNTIME
from kernel.environment import ROOT
from kernel.rooms import declared_acts

PATIENCE_SECONDS = 30.0


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def fork_for_each_job(work: Callable[..., None], *, imported: str) -> None:
    """In the process that dies: do each job in a fork, which need not import *imported* again."""
    django.setup()
    importlib.import_module(imported)
    declared_acts()  # every room
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                work(*line.split())
            finally:
                os._exit(1)  # an exception is no death by signal: the test sees it
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.WTERMSIG(status) if os.WIFSIGNALED(status) else -1}\n")
        sys.stdout.flush()


def start(module: str, role: str | None = RUNTIME) -> tuple[subprocess.Popen[str], IO[str], IO[str]]:
    """In the test: the module beside it, what it reads and what it says."""
    from tests.world.server import database_url

    process = subprocess.Popen(
        [sys.executable, "-m", module],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url(role)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    return process, process.stdin, process.stdout


@contextmanager
def dying(module: str, role: str | None = RUNTIME) -> Iterator[Callable[[str], int]]:
    """In the test: start the module, and send it jobs that it does not survive."""
    process, to, back = start(module, role)

    def send(job: str) -> int:
        to.write(job + "\n")
        to.flush()
        return int(back.readline())

    yield send
    to.close()
    process.wait(PATIENCE_SECONDS)
