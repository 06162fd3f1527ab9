"""What takes seconds to make, and is the same for every test process of a run: one makes it, the others read it."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Callable
from typing import ParamSpec, TypeVar

import pytest

Made = TypeVar("Made")
From = ParamSpec("From")
Make = Callable[From, Made]


def by_one_process(
    config: pytest.Config, folders: pytest.TempPathFactory, made: Callable[[Make[From, Made]], Made]
) -> Callable[[Make[From, Made]], Made]:
    """*made* does what it is given, which has a module of its own; what comes of it can be pickled."""
    if not hasattr(config, "workerinput"):
        return made
    folder = folders.getbasetemp().parent  # of the run, which is the parent of each process's own

    def shared(make: Make[From, Made]) -> Made:
        kept = folder / f"{make.__module__}.pickle"
        with (folder / f"{make.__module__}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if kept.exists():
                read: Made = pickle.loads(kept.read_bytes())
                return read
            one = made(make)
            kept.write_bytes(pickle.dumps(one))
            return one

    return shared
