"""The plain rows of an export, checked in runs: transfers with nothing special about them, millions of them.

What is not plain, or not right, is left to the verifier, which reads it with all it knows. Pure and without state, so
that a large export can be checked by several processes.
"""

from __future__ import annotations

import multiprocessing
import os
import re
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from hashlib import sha256
from multiprocessing.pool import AsyncResult
from typing import IO, Any, Final, NamedTuple, TypeAlias

from kernel.export_check import PlainTransfer, Reduce
from kernel.row_text import jsonb_text, read_json

SEVERAL_PROCESSES_FROM_BYTES: Final = 32 * 1024 * 1024  # bytes from which starting more processes pays
_CHUNK_BYTES: Final = 2 * 1024 * 1024
LINE_BYTES_LIMIT: Final = 16 * 1024 * 1024

_N = re.compile(rb'\{"n":(\d{1,18}),').match
# By their fixed shape (kernel/row_text.py). An escaped character is special enough to be read as JSON.
_PLAIN = re.compile(
    rb'\{"type":"transfer","id":([1-9]\d{0,17}),"tx":([1-9]\d{0,17}),"at":"([^"\\]*)","day":"([^"\\]*)",'
    rb'"kind":"([^"\\]*)","reference":"([^"\\]*)","debit":"([^"\\]+)","credit":"([^"\\]+)",'
    rb'"micros":([1-9]\d{0,17}),"actor":"([^"\\]*)"(?:,"memo":(\{[^\\]*\}))?\}'
).fullmatch


@lru_cache(maxsize=4096)  # tables and counts repeat
def _is_canonical(memo: bytes) -> bool:
    try:
        return jsonb_text(read_json(memo)).encode() == memo
    except ValueError:
        return False


class Run(NamedTuple):
    """Rows that follow each other, each hashed as its line says, in order, of kinds that are reduced."""

    at: int  # which of the lines is the first
    n: int  # the first row's number
    leaves: bytes
    first: tuple[int, int]  # (tx, id)
    last: tuple[int, int]
    flows: dict[tuple[bytes, bytes], int]  # micro-dollars by (debit, credit)
    fractions: dict[tuple[bytes, bytes], int]  # of these, where a part of a cent moved: in which row (its id) first
    parts: list[tuple[int, Any]]  # what the rooms' ``reduce`` has made of them, by the room's number


Part: TypeAlias = Run | int  # an int: that line is for the verifier
Reducers: TypeAlias = Mapping[bytes, tuple[int, Reduce]]  # by the kind of the transfer


class _Gathered:
    """The run that is being read."""

    def __init__(self) -> None:
        self.leaves: list[bytes] = []
        self.rows: dict[int, list[PlainTransfer]] = {}
        self.flows: dict[tuple[bytes, bytes], int] = {}
        self.fractions: dict[tuple[bytes, bytes], int] = {}
        self.begin = self.n = 0
        self.first = self.last = (-1, -1)

    def run(self, reduce: Mapping[int, Reduce]) -> Run:
        parts = [(number, reduce[number](rows)) for number, rows in self.rows.items()]
        leaves = b"".join(self.leaves)
        return Run(self.begin, self.n, leaves, self.first, self.last, self.flows, self.fractions, parts)

    def add(self, fields: PlainTransfer, leaf: bytes, room: int) -> bool:
        """Whether it goes on from the row before."""
        order = (int(fields[1]), int(fields[0]))
        pair = (fields[6], fields[7])
        if order <= self.last or pair[0] == pair[1]:
            return False
        if not self.leaves:
            self.first = order
        self.last = order
        self.flows[pair] = self.flows.get(pair, 0) + int(fields[8])
        if fields[8][-4:] != b"0000":
            self.fractions.setdefault(pair, order[1])
        self.rows.setdefault(room, []).append(fields)
        self.leaves.append(leaf)
        return True


def parts(lines: Sequence[bytes], reducers: Reducers) -> list[Part]:
    """The lines as runs of plain rows and single other lines, in their order."""
    found: list[Part] = []
    reduce = dict(reducers.values())
    now = _Gathered()
    for at, line in enumerate(lines):
        if not now.leaves:
            now.begin = at
            numbered = _N(line)
            now.n = int(numbered[1]) if numbered else 0
        place = b'{"n":%d,"leaf":"' % (now.n + len(now.leaves))
        row = line[len(place) + 72 : -2]
        leaf = sha256(b"\x00" + row)
        plain = _PLAIN(row)
        if plain and line.startswith(b'%b%b","row":' % (place, leaf.hexdigest().encode())) and line[-2:] == b"}\n":
            fields: PlainTransfer = plain.groups()  # type: ignore[assignment]
            room = reducers.get(fields[4])
            fits = room is not None and (fields[10] is None or _is_canonical(fields[10]))
            if room is not None and fits and now.add(fields, leaf.digest(), room[0]):
                continue
        if now.leaves:
            found.append(now.run(reduce))
            now = _Gathered()
        found.append(at)
    if now.leaves:
        found.append(now.run(reduce))
    return found


def checked(lines: Iterator[bytes], size: int, reducers: Reducers) -> Iterator[tuple[list[bytes], list[Part]]]:
    """The lines in chunks with their parts: by as many processes as there are cores where it is a large export."""
    processes = os.cpu_count() or 1
    work = partial(parts, reducers=reducers)
    if size < SEVERAL_PROCESSES_FROM_BYTES or processes == 1:
        for chunk in _chunks(lines):
            yield chunk, work(chunk)
        return
    waiting: deque[tuple[list[bytes], AsyncResult[list[Part]]]] = deque()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for chunk in _chunks(lines):
            waiting.append((chunk, pool.apply_async(work, (chunk,))))
            if len(waiting) > 2 * processes:  # enough to keep them busy; memory stays flat
                ready, outcome = waiting.popleft()
                yield ready, outcome.get()
        while waiting:
            ready, outcome = waiting.popleft()
            yield ready, outcome.get()


def lines_of(file: IO[bytes], tell: Callable[[int], None]) -> Iterator[bytes]:
    done = 0
    while line := file.readline(LINE_BYTES_LIMIT):
        yield line
        done += len(line)
        if done & 0xFFFFF < len(line):  # about once a megabyte
            tell(done)


def _chunks(lines: Iterator[bytes]) -> Iterator[list[bytes]]:
    chunk: list[bytes] = []
    weight = 0
    for line in lines:
        chunk.append(line)
        weight += len(line)
        if weight >= _CHUNK_BYTES:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk
