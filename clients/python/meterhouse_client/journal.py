"""What was asked and is not done with, on this machine's disk before it is sent: it survives a kill and a power cut.

A row is written and synchronised before its request leaves, and taken away once its answer is here. What is left after
a start was interrupted: nobody knows whether the house did it, but its key does (``Terminal.settle``).
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from meterhouse_client.problems import Json

_TABLE = """
CREATE TABLE IF NOT EXISTS asked (
    number INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, whose TEXT NOT NULL,
    method TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL, at REAL NOT NULL
)
"""
_COLUMNS = "key, whose, method, path, body, at"


@dataclass(frozen=True, slots=True)
class Asked:
    key: str
    whose: str
    """The identity it was asked under: a key is that caller's alone."""
    method: str
    path: str
    body: Json
    at: float
    """Seconds of the clock when it was first sent."""


class Journal:
    def __init__(self, path: str | Path) -> None:
        """A body may hold the security code of a ticket: nobody else reads the file, and a row that goes is wiped."""
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        self._lock = threading.Lock()
        self._rows = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        for setting in ("synchronous = FULL", "secure_delete = ON", "busy_timeout = 5000"):
            self._rows.execute(f"PRAGMA {setting}")
        self._rows.execute(_TABLE)

    def write(self, *, key: str, whose: str, method: str, path: str, body: Json) -> Asked:
        asked = Asked(key, whose, method, path, body, time.time())
        row = (key, whose, method, path, json.dumps(body), asked.at)
        with self._alone() as rows:
            rows.execute(f"INSERT INTO asked ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", row)  # noqa: S608  names of ours
        return asked

    def done(self, key: str) -> None:
        with self._alone() as rows:
            rows.execute("DELETE FROM asked WHERE key = ?", [key])

    def unanswered(self) -> list[Asked]:
        """In the order in which they were asked."""
        with self._alone() as rows:
            found = rows.execute(f"SELECT {_COLUMNS} FROM asked ORDER BY number").fetchall()  # noqa: S608
        return [Asked(key, whose, method, path, json.loads(body), at) for key, whose, method, path, body, at in found]

    def close(self) -> None:
        with self._lock:
            self._rows.close()

    @contextmanager
    def _alone(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            yield self._rows
