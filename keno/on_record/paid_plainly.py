"""Payments at the counter in cash, of which there are many: in a file, by ticket, that other processes read too. Pure.

Of each only what it takes to hold it against what the ticket had won; whatever is not of this plain sort is
``payments.py``'s. The file has records of one length, and behind them a table by which those of a ticket are found.
"""

from __future__ import annotations

import mmap
import os
import re
import tempfile
from collections.abc import Iterable, Sequence
from struct import Struct
from typing import Any, Final, NamedTuple
from zlib import crc32

from keno.chart import PRIZES_OWING
from keno.on_record.marks import Marks
from keno.on_record.sales import SERIAL_BYTES
from kernel.export_check import TransferOnRecord, Transfers
from kernel.kept import put_away

KIND: Final = "keno.payment"
_KIND: Final = KIND.encode()
_DEBIT: Final = PRIZES_OWING.encode()
_DRAWER = re.compile(rb"keno:shift:\d+:cash").fullmatch
_OF_TICKET = re.compile(rb'\{"ticket": "([0-9A-Z]{12})"\}').fullmatch
_RECORD: Final = Struct(">12sqqqq27s40s")  # serial, row, place, micros, number, at, by
_BY_BYTES: Final = 40
_SERIAL_PLACE_MICROS = Struct(">12s8xqq").unpack_from
_FIRSTS_A_RECORD: Final = 4
_ASKED_AT_MOST: Final = 10_000


class PaidPlainly(NamedTuple):
    record: int  # its number in the file
    row: int  # its number in the house's books
    place: int  # in the log
    micros: int
    number: int
    at: str
    by: str


class PaidOnce(NamedTuple):
    record: int
    place: int
    micros: int


class Sorted(NamedTuple):
    """Payments that follow each other, sorted by how much there is to say about them."""

    plain: bytes = b""  # records
    micros: int = 0  # of them all
    drawers: frozenset[tuple[bytes, bytes]] = frozenset()  # out of which they were paid, and by whom
    others: Sequence[TransferOnRecord] = ()


def packed(serial: bytes, *, row: int, place: int, micros: int, number: int, at: bytes, by: bytes) -> bytes:
    return _RECORD.pack(serial, row, place, micros, number, at, by)


def sort_out(rows: Transfers) -> Sorted:
    """Several parts of one payment are not plain; the last may have more to come, which follow it at once, or an act
    that speaks of it."""
    parted = {reference.partition(b"/")[0] for reference in rows.references if b"/" in reference}
    own = [reference for flow, reference in zip(rows.flows, rows.references, strict=True) if flow.kind == _KIND]
    parted.update(own[-1:])
    plainly = {flow for flow in set(rows.flows) if flow.debit == _DEBIT and _DRAWER(flow.credit)}
    records, others, drawers, micros = [], [], set(), 0
    for at, (flow, reference, memo, by) in enumerate(
        zip(rows.flows, rows.references, rows.memos, rows.actors, strict=True)
    ):
        if flow.kind != _KIND:
            continue
        named = _OF_TICKET(memo) if memo is not None else None
        plain = flow in plainly and reference.isdigit() and reference not in parted
        if named is None or not plain or len(by) > _BY_BYTES:
            others.append(rows.on_record(at))
            continue
        paid = int(rows.amounts[at])
        micros += paid
        drawers.add((flow.credit, by))
        records.append(_RECORD.pack(named[1], rows.ids[at], rows.places[at], paid, int(reference), rows.times[at], by))
    return Sorted(b"".join(records), micros, frozenset(drawers), others)


class PlainPayments:
    """Written while rows are read, then read by ticket."""

    def __init__(self) -> None:
        self.marks = Marks()
        self.count = 0
        self.micros = 0
        self._file: Any = None
        self._taken = bytearray()  # of each whether it was held against its ticket

    def add(self, paid: Sorted) -> None:
        if not paid.plain:
            return
        if self._file is None:
            self._file = tempfile.NamedTemporaryFile()  # noqa: SIM115  it lives as long as this does
        self._file.write(paid.plain)
        self.count += len(paid.plain) // _RECORD.size
        self.micros += paid.micros
        for at in range(0, len(paid.plain), _RECORD.size):
            self.marks.add(paid.plain[at : at + SERIAL_BYTES])

    def reader(self) -> PaymentReader:
        """All were written."""
        if self._file is None:
            return PaymentReader("", 0)
        if not self._taken:
            self._taken = bytearray(self.count)
            self._file.truncate(_tables_at(self.count) + 4 * (_FIRSTS_A_RECORD + 1) * self.count)
            self._file.flush()
            _Records(self._file.name, self.count, mmap.ACCESS_WRITE).chain()
        return PaymentReader(self._file.name, self.count, self)

    def take(self, records: Iterable[int]) -> None:
        for record in records:
            self._taken[record] = 1

    def left(self) -> tuple[bytes, PaidPlainly] | None:
        """One that no ticket had won, and its serial."""
        record = self._taken.find(0)
        return _Records(self._file.name, self.count).read(record) if record >= 0 else None


def _tables_at(count: int) -> int:
    return -(-count * _RECORD.size // 8) * 8


class _Records:
    """The file: records, then by checksum of the serial the last record, counted from 1 (0: none), then by record the
    one before it with that checksum."""

    def __init__(self, path: str, count: int, access: int = mmap.ACCESS_READ) -> None:
        with open(path, "r+b" if access == mmap.ACCESS_WRITE else "rb") as file:
            self.raw = mmap.mmap(file.fileno(), 0, access=access)
        self.count = count
        numbers = memoryview(self.raw)[_tables_at(count) :].cast("I")
        self.firsts, self.before = numbers[: _FIRSTS_A_RECORD * count], numbers[_FIRSTS_A_RECORD * count :]

    def chain(self) -> None:
        raw, firsts, before = self.raw, self.firsts, self.before
        for record in range(self.count):
            at = record * _RECORD.size
            first = crc32(raw[at : at + SERIAL_BYTES]) % len(firsts)
            before[record] = firsts[first]
            firsts[first] = record + 1
            if record % _ASKED_AT_MOST == 0:
                put_away(raw)

    def of(self, serial: bytes) -> list[int]:
        """The records of this ticket, in the order of the log."""
        found = []
        record = self.firsts[crc32(serial) % len(self.firsts)]
        while record:
            at = (record - 1) * _RECORD.size
            if self.raw[at : at + SERIAL_BYTES] == serial:
                found.append(record - 1)
            record = self.before[record - 1]
        return found[::-1]

    def read(self, record: int) -> tuple[bytes, PaidPlainly]:
        serial, row, place, micros, number, at, by = _RECORD.unpack_from(self.raw, record * _RECORD.size)
        return serial, PaidPlainly(record, row, place, micros, number, at.decode(), by.rstrip(b"\0").decode())


class PaymentReader:
    """Each process opens the file for itself. *path*: "" where there is none."""

    def __init__(self, path: str, count: int, payments: PlainPayments | None = None) -> None:
        self.path, self.count = path, count
        self._payments = payments  # whose file is gone with it
        self._open: tuple[int, _Records] | None = None
        self._asked = 0  # of how many tickets since the file was put away

    def _records(self) -> _Records | None:
        if self.path and (self._open is None or self._open[0] != os.getpid()):
            self._open = (os.getpid(), _Records(self.path, self.count))
        return self._open[1] if self._open is not None else None

    def of(self, serial: bytes) -> list[PaidPlainly]:
        """In the order of the log."""
        records = self._records()
        return [records.read(each)[1] for each in records.of(serial)] if records is not None else []

    def paid_once(self, serials: Sequence[bytes]) -> list[PaidOnce | None]:
        """Of each of these tickets its payment; None: it has none, or several."""
        records = self._records()
        if records is None:
            return [None] * len(serials)
        raw, before, size, many = records.raw, records.before, _RECORD.size, len(records.firsts)
        found: list[PaidOnce | None] = []
        for serial, checksum in zip(serials, map(crc32, serials), strict=True):
            number = records.firsts[checksum % many]
            if number and before[number - 1]:  # another has this checksum, or it was paid twice
                own = records.of(serial)
                number = own[0] + 1 if len(own) == 1 else 0
            if not number:
                found.append(None)
                continue
            named, place, micros = _SERIAL_PLACE_MICROS(raw, (number - 1) * size)
            found.append(PaidOnce(number - 1, place, micros) if named == serial else None)
        self._asked += len(serials)
        if self._asked >= _ASKED_AT_MOST:
            self._asked = 0
            put_away(records.raw)
        return found

    def __getstate__(self) -> dict[str, Any]:
        return {"path": self.path, "count": self.count, "_payments": None, "_open": None, "_asked": 0}
