"""Payments at the counter in cash, of which there are many: in a file, by ticket, that other processes read too. Pure.

Of each only what it takes to hold it against what the ticket had won; whatever is not of this plain sort is
``payments.py``'s.
"""

from __future__ import annotations

import os
import re
import sqlite3
import tempfile
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from keno.chart import PRIZES_OWING
from keno.on_record.marks import Marks
from kernel.export_check import PlainTransfer

KIND: Final = "keno.payment"
_KIND: Final = KIND.encode()
_DEBIT: Final = PRIZES_OWING.encode()
_DRAWER = re.compile(rb"keno:shift:\d+:cash").fullmatch
_OF_TICKET = re.compile(rb'\{"ticket": "([0-9A-Z]{12})"\}').fullmatch
_CACHE_KIB: Final = 4_096
_ASKED_AT_ONCE: Final = 500  # tickets


class PaidPlainly(NamedTuple):
    row: int  # its number in the house's books
    serial: bytes
    place: int  # in the log
    at: str
    by: str
    micros: int
    number: int


class Sorted(NamedTuple):
    """Payments that follow each other, sorted by how much there is to say about them."""

    plain: list[PaidPlainly]
    others: list[tuple[int, PlainTransfer]]  # with their place


def sort_out(rows: Sequence[PlainTransfer], places: Sequence[int]) -> Sorted:
    """Several parts of one payment are not plain; those of the last transaction may have more parts to come."""
    paid = [(place, row) for place, row in zip(places, rows, strict=True) if row[4] == _KIND]
    parted = {row[5].partition(b"/")[0] for _, row in paid if b"/" in row[5]}
    found = Sorted([], [])
    for place, row in paid:
        named = _OF_TICKET(row[10]) if row[10] is not None else None
        plain = row[6] == _DEBIT and row[5].isdigit() and row[5] not in parted and row[1] != rows[-1][1]
        if named is None or not plain or _DRAWER(row[7]) is None:
            found.others.append((place, row))
            continue
        paid_at, by = row[2].decode(), row[9].decode()
        found.plain.append(PaidPlainly(int(row[0]), named[1], place, paid_at, by, int(row[8]), int(row[5])))
    return found


class PlainPayments:
    """Written while rows are read, then read by ticket."""

    def __init__(self) -> None:
        self.marks = Marks()
        self.count = 0
        self.micros = 0
        self._taken = array("q")  # rows of those that were held against their ticket
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._file: sqlite3.Connection | None = None

    def add(self, paid: Sequence[PaidPlainly]) -> None:
        if not paid:
            return
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory()
            self._file = sqlite3.connect(Path(self._folder.name, "paid"), isolation_level=None)
            for setting in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KIB}"):
                self._file.execute(f"PRAGMA {setting}")
            self._file.execute("CREATE TABLE paid (row INTEGER PRIMARY KEY, serial, place, at, by, micros, number)")
            self._file.execute("BEGIN")
        assert self._file is not None
        self._file.executemany("INSERT INTO paid VALUES (?, ?, ?, ?, ?, ?, ?)", paid)
        self.count += len(paid)
        self.micros += sum(each.micros for each in paid)
        for each in paid:
            self.marks.add(each.serial)

    def reader(self) -> PaymentReader:
        """All were written."""
        if self._folder is None or self._file is None:
            return PaymentReader(None)
        if self._file.in_transaction:
            self._file.execute("COMMIT")
            self._file.execute("CREATE INDEX by_serial ON paid (serial)")
        return PaymentReader(str(Path(self._folder.name, "paid")), self)

    def take(self, rows: Iterable[int]) -> None:
        self._taken.extend(rows)

    def left(self) -> PaidPlainly | None:
        """One that no ticket had won, or that was counted for two."""
        if len(self._taken) == self.count or self._file is None:
            return None
        self._file.execute("CREATE TEMPORARY TABLE taken (row INTEGER PRIMARY KEY)")
        self._file.executemany("INSERT OR IGNORE INTO taken VALUES (?)", ((row,) for row in self._taken))
        found = self._file.execute(
            "SELECT * FROM paid WHERE row NOT IN (SELECT row FROM taken) ORDER BY row"
        ).fetchone()
        return PaidPlainly(*found) if found is not None else None


class PaymentReader:
    """Each process opens the file for itself."""

    def __init__(self, path: str | None, payments: PlainPayments | None = None) -> None:
        self.path = path
        self._payments = payments  # whose file is gone with it
        self._open: tuple[int, sqlite3.Connection] | None = None

    def of(self, serial: bytes) -> list[PaidPlainly]:
        return self.of_all([serial]).get(serial, [])

    def of_all(self, serials: Sequence[bytes]) -> dict[bytes, list[PaidPlainly]]:
        """By ticket, in the order of the log."""
        found: dict[bytes, list[PaidPlainly]] = {}
        if self.path is None:
            return found
        if self._open is None or self._open[0] != os.getpid():
            self._open = (os.getpid(), sqlite3.connect(f"{Path(self.path).as_uri()}?mode=ro", uri=True))
        for at in range(0, len(serials), _ASKED_AT_ONCE):
            asked = serials[at : at + _ASKED_AT_ONCE]
            named = ",".join("?" * len(asked))
            rows = self._open[1].execute(f"SELECT * FROM paid WHERE serial IN ({named}) ORDER BY place", asked)  # noqa: S608
            for row in rows:
                found.setdefault(row[1], []).append(PaidPlainly._make(row))
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "_payments": None, "_open": None}
