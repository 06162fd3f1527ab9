"""The plain rows of an export, checked in runs: posted transfers with nothing special about them, millions of them.

What is not plain, or not right, is left to the verifier, which reads it with all it knows. Pure and without state, so
that a large export can be checked by several processes.
"""

from __future__ import annotations

import multiprocessing
import os
import re
from collections import deque
from collections.abc import Callable, Iterator
from hashlib import sha256
from multiprocessing.pool import AsyncResult
from typing import IO, Final, NamedTuple, TypeAlias

SEVERAL_PROCESSES_FROM_BYTES: Final = 32 * 1024 * 1024  # bytes from which starting more processes pays
_CHUNK_BYTES: Final = 2 * 1024 * 1024
LINE_BYTES_LIMIT: Final = 16 * 1024 * 1024

_N = re.compile(rb'\{"n":(\d{1,18}),').match
# By their fixed shape (rows.py). A part of a cent, or an escaped character, is special enough to be read as JSON.
_POSTED = re.compile(
    rb'\{"type":"transfer","id":(\d+),"tx":(\d+),"at":"[^"\\]*","day":"[^"\\]*","kind":"[^"\\]*","reference":"[^"\\]*",'
    rb'"debit":"([^"\\]+)","credit":"([^"\\]+)","micros":([1-9]\d*0000),"actor":"[^"\\]*"\}'
).fullmatch


class Run(NamedTuple):
    """Rows that follow each other, each hashed as its line says, in order, posted, of whole cents."""

    at: int  # which of the lines is the first
    n: int  # the first row's number
    leaves: bytes
    first: tuple[int, int]  # (tx, id)
    last: tuple[int, int]
    flows: dict[tuple[bytes, bytes], int]  # micro-dollars by (debit, credit)


Part: TypeAlias = Run | int  # an int: that line is for the verifier


def parts(lines: list[bytes]) -> list[Part]:
    """The lines as runs of plain rows and single other lines, in their order."""
    found: list[Part] = []
    leaves: list[bytes] = []
    flows: dict[tuple[bytes, bytes], int] = {}
    begin = n = 0
    first = last = (-1, -1)
    for at, line in enumerate(lines):
        if not leaves:
            begin, last = at, (-1, -1)
            numbered = _N(line)
            n = int(numbered[1]) if numbered else 0
        place = b'{"n":%d,"leaf":"' % (n + len(leaves))
        row = line[len(place) + 72 : -2]
        leaf = sha256(b"\x00" + row)
        posted = _POSTED(row)
        if posted and line.startswith(b'%b%b","row":' % (place, leaf.hexdigest().encode())) and line[-2:] == b"}\n":
            number, tx, debit, credit, micros = posted.groups()
            order = (int(tx), int(number))
            if order > last and debit != credit:
                if not leaves:
                    first = order
                last = order
                pair = (debit, credit)
                flows[pair] = flows.get(pair, 0) + int(micros)
                leaves.append(leaf.digest())
                continue
        if leaves:
            found.append(Run(begin, n, b"".join(leaves), first, last, flows))
            leaves, flows = [], {}
        found.append(at)
    if leaves:
        found.append(Run(begin, n, b"".join(leaves), first, last, flows))
    return found


def checked(lines: Iterator[bytes], size: int) -> Iterator[tuple[list[bytes], list[Part]]]:
    """The lines in chunks with their parts: by as many processes as there are cores where it is a large export."""
    processes = os.cpu_count() or 1
    if size < SEVERAL_PROCESSES_FROM_BYTES or processes == 1:
        for chunk in _chunks(lines):
            yield chunk, parts(chunk)
        return
    waiting: deque[tuple[list[bytes], AsyncResult[list[Part]]]] = deque()
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        for chunk in _chunks(lines):
            waiting.append((chunk, pool.apply_async(parts, (chunk,))))
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
