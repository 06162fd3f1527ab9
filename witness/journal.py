"""The witness's memory on disk: one file that only grows, a JSON object a line, each with the hash of the line before.

``append`` comes back once the line is on the disk, and not before. A process killed while it writes leaves half a line,
which nobody has been told of: the next start takes it away. Anything else that does not fit is memory lost, and said.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from kernel.canonical import canonical
from witness.trouble import MemoryLost, Trouble

FIRST: Final = bytes(32).hex()  # what the first line holds as the hash of the line before
LINE_BYTES_LIMIT: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class Place:
    """A line of the journal: its number, where it stands, and its hash."""

    n: int
    start: int
    end: int
    hash: str


BEGINNING: Final = Place(0, 0, 0, FIRST)


class Journal:
    """Held by one process at a time, by a lock that ends with it."""

    def __init__(self, path: Path) -> None:
        new = not path.exists()
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._file)
            raise Trouble(f"Another witness is running in {path.parent}.") from None
        if new:
            sync_folder(path.parent)
        self.last = BEGINNING
        self.torn = 0  # bytes of half a line that were taken away at the start

    def read_on(self, since: Place = BEGINNING) -> Iterator[tuple[Place, dict[str, Any]]]:
        """Every line after this place, each checked against the one before. Then the journal can be appended to."""
        size = os.fstat(self._file).st_size
        if size < since.end or (since.n and sha256(self._bytes(since)).hexdigest() != since.hash):
            raise MemoryLost("The journal is not the one this witness wrote: it has forgotten what it signed.")
        self.last = since
        with open(self._file, "rb", closefd=False) as file:
            file.seek(since.end)
            while line := file.readline(LINE_BYTES_LIMIT):
                fact = self._next(line)
                if fact is None:
                    if file.read(1):
                        raise MemoryLost(f"Line {self.last.n + 1} of the journal cannot be read, and others follow it.")
                    self.torn = len(line)
                    os.ftruncate(self._file, self.last.end)
                    os.fsync(self._file)
                    return
                end = self.last.end + len(line)
                self.last = Place(self.last.n + 1, self.last.end, end, sha256(line).hexdigest())
                yield self.last, fact

    def append(self, fact: dict[str, Any]) -> Place:
        """Write a line. On the disk when this comes back; where the disk fails, the process ends."""
        line = canonical({**fact, "n": self.last.n + 1, "previous": self.last.hash}) + b"\n"
        if len(line) > LINE_BYTES_LIMIT:
            raise ValueError("a line of the journal has a limit")
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError:
            os._exit(1)  # what is on the disk now nobody knows: the next start looks
        self.last = Place(self.last.n + 1, self.last.end, self.last.end + len(line), sha256(line).hexdigest())
        return self.last

    def entry_at(self, start: int, end: int) -> dict[str, object]:
        return dict(json.loads(os.pread(self._file, end - start, start)))

    def close(self) -> None:
        os.close(self._file)

    def _bytes(self, place: Place) -> bytes:
        return os.pread(self._file, place.end - place.start, place.start)

    def _next(self, line: bytes) -> dict[str, object] | None:
        """The line as a fact; None where it is not whole. A whole line that is not the next one is memory lost."""
        try:
            fact = json.loads(line)
        except ValueError:
            return None
        if not isinstance(fact, dict) or canonical(fact) + b"\n" != line:
            return None
        if (fact.get("n"), fact.get("previous")) != (self.last.n + 1, self.last.hash):
            raise MemoryLost(f"Line {self.last.n + 1} of the journal does not follow the line before it.")
        return fact


def sync_folder(folder: Path) -> None:
    """A new file's name is on the disk only after this."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
