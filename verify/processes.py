"""An export read by several processes where it is large: each reads its own part of the file (``rows.py``).

First everything up to the attachments: rows, seals, balances. What is attached is held against what the rows have said,
so the rooms' readers begin when all of that was read.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping
from io import BytesIO
from multiprocessing.pool import AsyncResult
from typing import IO, Any, Final, NamedTuple, TypeAlias

from kernel.export_check import Doubt, ReadLine
from verify.rows import Part, parts
from verify.runs import FORKED, Reducers
from verify.signatures import NO_KEYS, Keys

SEVERAL_PROCESSES_FROM_BYTES: Final = 8 * 1024 * 1024  # bytes from which starting more processes pays
CHUNK_BYTES: Final = 4 * 1024 * 1024
LINE_BYTES_LIMIT: Final = 16 * 1024 * 1024
_ATTACHED: Final = b'{"attached":"'
UNREADABLE: Final = "what is attached here cannot be read."

Readers: TypeAlias = Mapping[bytes, ReadLine]  # by the name of the attachment


class AttachedRead(NamedTuple):
    """A line of an attachment, as the room's reader has read it; its bytes are in the file."""

    begin: int
    length: int
    name: bytes
    made: Any
    doubt: Doubt | None


class Chunk(NamedTuple):
    begin: int
    parts: list[Part | AttachedRead]
    attached_at: int | None = None  # where the first line of an attachment begins, if it was left


class Work(NamedTuple):
    """What a process needs to know before it begins."""

    reducers: Reducers
    readers: Readers | None = None  # None: attachments are left


_given: list[Work] = []  # a process has one export to work at


def _begin_worker(work: Work) -> None:
    _given[:] = [work]
    gc.disable()  # nothing here refers to itself, and a chunk has very many parts to look through


def _in_worker(path: str, begin: int, end: int, keys: Keys) -> Chunk:
    with open(path, "rb") as file:
        return _chunk(file, begin, end, _given[0], keys)


def lines_between(file: IO[bytes], begin: int, end: int) -> list[bytes]:
    """The lines that begin at or after *begin* and before *end*."""
    file.seek(max(0, begin - 1))
    if begin and file.readline(LINE_BYTES_LIMIT)[-1:] not in (b"\n", b""):
        return [b"too long"]
    lines = BytesIO(file.read(max(0, end - file.tell()))).readlines()
    if lines and lines[-1][-1:] != b"\n":
        lines[-1] += file.readline(LINE_BYTES_LIMIT)
    return lines


def _chunk(file: IO[bytes], begin: int, end: int, work: Work, keys: Keys = NO_KEYS) -> Chunk:
    lines = lines_between(file, begin, end)
    first = next((at for at, line in enumerate(lines) if line.startswith(_ATTACHED)), None)
    if first is None:
        return Chunk(begin, list(parts(lines, work.reducers, keys)))
    at = file.tell() - sum(map(len, lines[first:]))
    read: list[Part | AttachedRead] = list(parts(lines[:first], work.reducers, keys))
    if work.readers is None:
        return Chunk(begin, read, at)
    for line in lines[first:]:
        read += [attached(line, at, work.readers)] if line.startswith(_ATTACHED) else parts([line], {})
        at += len(line)
    return Chunk(begin, read)


def attached(line: bytes, at: int, readers: Readers) -> AttachedRead:
    name = line[len(_ATTACHED) : line.find(b'"', len(_ATTACHED))]
    made, doubt = None, None
    try:
        if line[-1:] != b"\n":
            raise Doubt("the line is cut off.")
        if name not in readers:
            raise Doubt("what is attached here belongs to no room.")
        made = readers[name](line)
    except Doubt as found:
        doubt = found
    except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
        doubt = Doubt(UNREADABLE)
    return AttachedRead(at, len(line), name, made, doubt)


class Reading:
    """All parts of an export, a chunk of lines after the other.

    *keys*: that may sign seals, as far as the log was read. The first chunk is read before other processes are begun:
    the log names its first key and its witness there, so that they can check what these have signed. *readers*: of the
    attachments; asked for when all that stands before them was read."""

    def __init__(
        self, file: IO[bytes], size: int, work: Work, *, keys: Callable[[], Keys] = Keys,
        readers: Callable[[], Readers] = dict,
    ) -> None:  # fmt: skip
        self.file, self.size, self.work = file, size, work
        self.keys, self.readers = keys, readers
        self.processes = os.cpu_count() or 1
        name = getattr(file, "name", None)
        several = size >= SEVERAL_PROCESSES_FROM_BYTES and self.processes > 1
        self.path = name if several and isinstance(name, str) else None

    def chunks(self) -> Iterator[Chunk]:
        attached_at = yield from self._until_attached(self.work)
        if attached_at is not None:
            work = self.work._replace(readers=self.readers())
            yield from self._by_all(range(attached_at, self.size, CHUNK_BYTES), work)

    def _until_attached(self, work: Work) -> Generator[Chunk, None, int | None]:
        """What stands before the attachments; where these begin, if there are any."""
        begins = range(0, self.size, CHUNK_BYTES)
        first = _chunk(self.file, 0, CHUNK_BYTES, work)
        yield first
        if first.attached_at is not None or len(begins) == 1:
            return first.attached_at
        return (yield from self._by_all(begins[1:], work))

    def _by_all(self, begins: range, work: Work) -> Generator[Chunk, None, int | None]:
        """Stops after the first chunk that has left something."""
        for chunk in self._by_one(begins, work) if self.path is None else self._by_several(self.path, begins, work):
            yield chunk
            if chunk.attached_at is not None:
                return chunk.attached_at
        return None

    def _by_one(self, begins: range, work: Work) -> Iterator[Chunk]:
        for begin in begins:
            yield _chunk(self.file, begin, begin + CHUNK_BYTES, work)

    def _by_several(self, path: str, begins: range, work: Work) -> Iterator[Chunk]:
        context = multiprocessing.get_context("fork" if FORKED else "spawn")
        pool = context.Pool(self.processes, _begin_worker, (work,))
        try:
            waiting: deque[AsyncResult[Chunk]] = deque()
            for begin in begins:
                waiting.append(pool.apply_async(_in_worker, (path, begin, begin + CHUNK_BYTES, self.keys())))
                if len(waiting) > 2 * self.processes:  # busy enough; memory stays flat
                    yield waiting.popleft().get()
            while waiting:
                yield waiting.popleft().get()
        finally:  # never terminated: one that ends while it hands over what it found leaves the others waiting for ever
            pool.close()
            pool.join()
