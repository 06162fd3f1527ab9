"""Where lines go without anybody waiting for them: each way out has a thread and a queue of its own, with a limit.

Whoever says something goes on at once. Where nobody reads, or the disk is full, the oldest lines are given up, and how
many is said as soon as lines go out again.
"""

from __future__ import annotations

import os
import shutil
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

WAITING_LIMIT: Final = 10_000  # lines
FILE_BYTES_LIMIT: Final = 10_000_000
FILES_KEPT: Final = 5

Write = Callable[[bytes], None]


class Sink:
    def __init__(self, write: Write, *, lost: Callable[[int], str]) -> None:
        self._write, self._say_lost = write, lost
        self._waiting: deque[str] = deque()
        self._something = threading.Condition()
        self._lost, self._busy = 0, False
        threading.Thread(target=self._run, name="lines on their way", daemon=True).start()

    def put(self, line: str) -> None:
        with self._something:
            if len(self._waiting) >= WAITING_LIMIT:
                self._waiting.popleft()
                self._lost += 1
            self._waiting.append(line)
            self._something.notify_all()

    def close(self, *, patience: float) -> None:
        """Give what waits this many seconds to go out."""
        until = time.monotonic() + patience
        with self._something:
            while (self._waiting or self._busy) and (left := until - time.monotonic()) > 0:
                self._something.wait(left)

    def _run(self) -> None:
        while True:
            with self._something:
                self._busy = False
                self._something.notify_all()
                while not self._waiting:
                    self._something.wait()
                lines, lost = list(self._waiting), self._lost
                self._waiting.clear()
                self._lost, self._busy = 0, True
            if lost:
                lines.insert(0, self._say_lost(lost))
            with suppress(OSError):  # nobody reads any more, or there is no room: the house goes on
                self._write("".join(f"{line}\n" for line in lines).encode(errors="replace"))


def to_number(number: int) -> Write:
    """An open file by its number, past Python's buffers: one that is full would hold up our own end."""

    def write(content: bytes) -> None:
        left = memoryview(content)
        while left:
            left = left[os.write(number, left) :]

    return write


def to_file(path: Path) -> Write:
    """A file that is ours alone, begun anew once it is large: the ones before are path.1, path.2, …"""

    def write(content: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size + len(content) > FILE_BYTES_LIMIT:
            for number in range(FILES_KEPT - 1, 0, -1):
                with suppress(FileNotFoundError):
                    _numbered(path, number).replace(_numbered(path, number + 1))
            path.replace(_numbered(path, 1))
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab") as file:
            file.write(content)

    return write


def rotate_in_place(path: Path) -> None:
    """For a file that another program appends to for as long as it runs: what is in it is copied, and it goes on at its
    beginning. What is written in between is lost; better than a full disk."""
    kept = _numbered(path, 1)
    with suppress(OSError):
        if path.stat().st_size <= FILE_BYTES_LIMIT:
            return
        copy = os.open(kept, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(copy, "wb") as to, path.open("rb") as full:
            shutil.copyfileobj(full, to)
        os.truncate(path, 0)


def _numbered(path: Path, number: int) -> Path:
    return path.with_name(f"{path.name}.{number}")
