"""A dictionary of any size in little memory: what is over a limit lies in a file until it is asked for.

For what is gathered over millions of rows and taken out again one by one. A value that is taken out with ``get`` may be
changed in place until the next one is put in; ``pop`` is for good.
"""

from __future__ import annotations

import mmap
import pickle
import sqlite3
from collections.abc import Callable, Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")
K = TypeVar("K", str, int)
IN_MEMORY: Final = 20_000  # values
_CACHE_KIB: Final = 4_096


def put_away(mapped: mmap.mmap) -> None:
    """Of a file that is read here and there: what was looked at need not stay in this process's memory."""
    if hasattr(mmap, "MADV_DONTNEED"):
        mapped.madvise(mmap.MADV_DONTNEED)


class Kept(Generic[K, T]):
    def __init__(self, in_memory: int | None = None) -> None:
        self._here: dict[K, T] = {}
        self._file: sqlite3.Connection | None = None
        self._in_file = 0
        self._limit = IN_MEMORY if in_memory is None else in_memory

    def __setitem__(self, key: K, value: T) -> None:
        if len(self._here) >= self._limit and key not in self._here:
            self._write_down()
        self._here[key] = value

    def get(self, key: K) -> T | None:
        if key in self._here:
            return self._here[key]
        value = self._fetch(key)
        if value is not None:
            self[key] = value
        return value

    def setdefault(self, key: K, make: Callable[[], T]) -> T:
        """What is there, or what *make* makes now."""
        found = self.get(key)
        if found is None:
            found = make()
            self[key] = found
        return found

    def pop(self, key: K) -> T | None:
        """Taken out; None: it was not there."""
        here = self._here.pop(key, None)
        if self._file is None:
            return here
        value = here if here is not None else self._fetch(key)
        self._in_file -= self._file.execute("DELETE FROM kept WHERE key = ?", (key,)).rowcount
        return value

    def __contains__(self, key: K) -> bool:
        return self.get(key) is not None

    def __bool__(self) -> bool:
        return bool(self._here or self._in_file)

    def items(self) -> Iterator[tuple[K, T]]:
        """What is left, in no order; nothing is put in or taken out meanwhile."""
        yield from self._here.items()
        if self._file is not None:
            for key, value in self._file.execute("SELECT key, value FROM kept"):
                if key not in self._here:
                    yield key, pickle.loads(value)  # noqa: S301  written by this very process

    def _fetch(self, key: K) -> T | None:
        if not self._in_file or self._file is None:
            return None
        row = self._file.execute("SELECT value FROM kept WHERE key = ?", (key,)).fetchone()
        return pickle.loads(row[0]) if row is not None else None  # noqa: S301  written by this very process

    def _write_down(self) -> None:
        if self._file is None:
            # A database without a name is a temporary file that is gone with the process; what fits its cache is none.
            self._file = sqlite3.connect("", isolation_level=None)
            for setting in (
                "journal_mode = OFF",
                "synchronous = OFF",
                "cache_size = -2000",
                "locking_mode = EXCLUSIVE",
            ):
                self._file.execute(f"PRAGMA {setting}")
            self._file.execute("CREATE TABLE kept (key PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID")
        rows = [(key, pickle.dumps(value, pickle.HIGHEST_PROTOCOL)) for key, value in sorted(self._here.items())]
        self._file.execute("BEGIN")
        self._file.executemany("INSERT OR REPLACE INTO kept VALUES (?, ?)", rows)
        self._file.execute("COMMIT")
        [(self._in_file,)] = self._file.execute("SELECT count(*) FROM kept")
        self._here.clear()
