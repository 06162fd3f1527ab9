"""Where in the journal an answer or a head stands. Derived: thrown away and made anew from the journal at any time.

A SQLite file beside it, so that a witness with years of answers starts at once and needs no memory for them. It also
knows how far the journal had come: a journal that is shorter than that is an old copy, and is found out.
"""

from __future__ import annotations

import json
import sqlite3
from dataclasses import astuple
from pathlib import Path
from typing import Any, Final

from witness.journal import BEGINNING, Place

_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS answers (
        venue TEXT, purpose TEXT, occasion TEXT, attempt INTEGER, number INTEGER UNIQUE, first INTEGER, upto INTEGER,
        PRIMARY KEY (venue, purpose, occasion, attempt)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS heads (
        origin TEXT, size INTEGER, root BLOB, at INTEGER, PRIMARY KEY (origin, size)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS alarms (n INTEGER PRIMARY KEY, at INTEGER, what TEXT);
    CREATE TABLE IF NOT EXISTS state (one INTEGER PRIMARY KEY CHECK (one = 1), place TEXT, state TEXT);
"""


class Index:
    def __init__(self, path: Path) -> None:
        try:
            self._open(path)
        except sqlite3.DatabaseError:  # spoilt: the journal has everything
            for file in path.parent.glob(f"{path.name}*"):
                file.unlink()
            self._open(path)

    def _open(self, path: Path) -> None:
        path.touch(mode=0o600)
        self._base = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        self._base.executescript(_TABLES)

    def kept(self) -> tuple[Place, dict[str, Any]]:
        """How far the journal was indexed, and the state at that line."""
        row = self._base.execute("SELECT place, state FROM state").fetchone()
        return (Place(*json.loads(row[0])), json.loads(row[1])) if row else (BEGINNING, {})

    def keep(
        self,
        place: Place,
        state: dict[str, Any],
        *,
        answer: tuple[tuple[str, str, str, int], int] | None = None,
        head: tuple[str, int, bytes, int] | None = None,
        alarm: tuple[int, str] | None = None,
    ) -> None:
        base = self._base
        base.execute("BEGIN")
        if answer is not None:
            key, number = answer
            base.execute("INSERT INTO answers VALUES (?, ?, ?, ?, ?, ?, ?)", (*key, number, place.start, place.end))
        if head is not None:
            base.execute("INSERT OR IGNORE INTO heads VALUES (?, ?, ?, ?)", head)
        if alarm is not None:
            base.execute("INSERT INTO alarms VALUES (?, ?, ?)", (place.n, *alarm))
        base.execute("INSERT OR REPLACE INTO state VALUES (1, ?, ?)", (json.dumps(astuple(place)), json.dumps(state)))
        base.execute("COMMIT")

    def answer(self, key: tuple[str, str, str, int]) -> tuple[int, int] | None:
        """From where to where in the journal the answer stands."""
        where = "venue = ? AND purpose = ? AND occasion = ? AND attempt = ?"
        return self._base.execute(f"SELECT first, upto FROM answers WHERE {where}", key).fetchone()  # type: ignore[no-any-return]  # noqa: S608

    def answers(self, *, since: int, limit: int) -> list[tuple[int, int]]:
        """The same for the answers from this number on."""
        wanted = "SELECT first, upto FROM answers WHERE number >= ? ORDER BY number LIMIT ?"
        return self._base.execute(wanted, (since, limit)).fetchall()

    def head(self, origin: str, size: int) -> tuple[bytes, int] | None:
        """The root that was cosigned at this size, and when."""
        return self._base.execute("SELECT root, at FROM heads WHERE origin = ? AND size = ?", (origin, size)).fetchone()  # type: ignore[no-any-return]

    def heads(self, *, limit: int) -> list[tuple[str, int, bytes, int]]:
        return self._base.execute("SELECT * FROM heads ORDER BY at DESC, size DESC LIMIT ?", (limit,)).fetchall()

    def alarms(self, *, limit: int) -> list[tuple[int, int, str]]:
        return self._base.execute("SELECT * FROM alarms ORDER BY n DESC LIMIT ?", (limit,)).fetchall()

    def close(self) -> None:
        self._base.close()
