"""The rows of an export, each checked by itself, and those of which there are millions put together in runs.

What is not right, or is no row, is left to the verifier, which reads it with all it knows. Pure and without state, so
that a large export is checked by several processes, each of which reads its own part of the file.
"""

from __future__ import annotations

import multiprocessing
import os
import re
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from multiprocessing.pool import AsyncResult
from operator import eq, itemgetter, lt
from typing import IO, Any, Final, NamedTuple, TypeAlias

from kernel.acts import Act
from kernel.export_check import PlainTransfer, Reduce
from kernel.merkle import HASH_SIZE, Tree
from kernel.row_text import jsonb_text, read_json, row_text
from verify.signatures import Signed, proven

SEVERAL_PROCESSES_FROM_BYTES: Final = 8 * 1024 * 1024  # bytes from which starting more processes pays
CHUNK_BYTES: Final = 4 * 1024 * 1024
LINE_BYTES_LIMIT: Final = 16 * 1024 * 1024
_AS_TREE: Final = 64  # rows from which a run comes as a tree

_N = re.compile(rb'\{"n":(0|[1-9]\d{0,17}),"leaf":"').match
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
_DAY: Final = r"\d{4}-\d\d-\d\d"
# By their fixed shape (kernel/row_text.py). An escaped character is special enough to be read as JSON.
_PLAIN = re.compile(
    rb'\{"type":"transfer","id":([1-9]\d{0,17}),"tx":([1-9]\d{0,17}),"at":"(%b)","day":"(%b)",'
    rb'"kind":"([^"\\]*)","reference":"([^"\\]+)","debit":"([^"\\]+)","credit":"([^"\\]+)",'
    rb'"micros":([1-9]\d{0,17}),"actor":"([^"\\]+)"(?:,"memo":(\{[^\\]*\}))?\}' % (_TIME.encode(), _DAY.encode())
).fullmatch
is_time = re.compile(_TIME).fullmatch
_is_day = re.compile(_DAY).fullmatch
# Where processes are forked they share what Python hashes with; else a hash that is the same everywhere.
FORKED: Final = "fork" in multiprocessing.get_all_start_methods()

Flow: TypeAlias = tuple[bytes, bytes, bytes, bytes]  # gaming day, kind, debit, credit
Reducers: TypeAlias = Mapping[bytes, tuple[int, Reduce]]  # by the kind of the transfer: the room's number, its reduce
Acts: TypeAlias = Mapping[str, type[Act]]


class Run(NamedTuple):
    """Transfers that follow each other, each hashed as its line says, in order, of kinds that are reduced."""

    n: int  # the first row's number
    rows: int
    hashes: bytes  # a tree of them, or its leaves where they are few
    first: tuple[int, int]  # (tx, id)
    last: tuple[int, int]
    times: tuple[bytes, bytes]  # the earliest and the latest
    flows: dict[Flow, int]  # micro-dollars
    fractions: dict[Flow, int]  # of these, where a part of a cent moved: in which row (its id) first
    references: bytes  # hashes of kind and reference, sorted, 8 bytes each
    ids: tuple[int, int]  # the lowest and the highest
    parts: list[tuple[int, Any]]  # what the rooms' ``reduce`` has made of them, by the room's number

    def join(self, tree: Tree) -> None:
        if len(self.hashes) == HASH_SIZE * self.rows:
            tree.extend(self.hashes)
        else:
            tree.merge(Tree.from_bytes(self.hashes))


class RowRead(NamedTuple):
    """A row that is right by itself: its hash, its one way to be written, an act as its class reads it."""

    n: int
    leaf: bytes
    fields: dict[str, Any]


class SealRead(NamedTuple):
    """A seal's line, with the signatures on it that were found right."""

    line: bytes
    proven: frozenset[Signed]


Part: TypeAlias = Run | RowRead | SealRead | bytes  # bytes: that line is for the verifier


def reference_hash(kind: bytes, reference: bytes) -> int:
    if FORKED:
        return hash((kind, reference))
    return int.from_bytes(blake2b(kind + b"\n" + reference, digest_size=8).digest(), "big", signed=True)


@lru_cache(maxsize=4096)  # tables and counts repeat
def _is_canonical(memo: bytes) -> bool:
    try:
        return jsonb_text(read_json(memo)).encode() == memo
    except ValueError:
        return False


class _Gathered:
    """The run that is being read: transfers one after the other. What can be said of all at once is said at its end."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.leaves: list[bytes] = []
        self.rows: list[PlainTransfer] = []

    def parts(self, reducers: Reducers) -> list[Part]:
        """As one run, if each row goes on from the row before; else one by one, for the verifier to say which not."""
        ids, txs, times, days, kinds, references, debits, credits, amounts, _, _ = zip(*self.rows, strict=True)
        numbers = list(map(int, ids))
        orders = list(zip(map(int, txs), numbers, strict=True))
        if not all(map(lt, orders, orders[1:])) or any(map(eq, debits, credits)):
            return [
                RowRead(self.n + at, leaf, _fields(row))
                for at, (leaf, row) in enumerate(zip(self.leaves, self.rows, strict=True))
            ]
        flows: dict[Flow, int] = {}
        fractions: dict[Flow, int] = {}
        for flow, micros in zip(zip(days, kinds, debits, credits, strict=True), map(int, amounts), strict=True):
            flows[flow] = flows.get(flow, 0) + micros
        if any(amount[-4:] != b"0000" for amount in amounts):
            for row, number in zip(self.rows, numbers, strict=True):
                if row[8][-4:] != b"0000":
                    fractions.setdefault((row[3], row[4], row[6], row[7]), number)
        hashes = b"".join(self.leaves)
        if len(self.leaves) >= _AS_TREE:
            tree = Tree(self.n)
            tree.extend(hashes)
            hashes = tree.to_bytes()
        named = sorted(map(reference_hash, kinds, references))
        return [
            Run(
                self.n, len(self.leaves), hashes, orders[0], orders[-1], (min(times), max(times)), flows, fractions,
                array("q", named).tobytes(), (min(numbers), max(numbers)), self._reduced(set(kinds), reducers),
            )
        ]  # fmt: skip

    def _reduced(self, kinds: set[bytes], reducers: Reducers) -> list[tuple[int, Any]]:
        rooms = {reducers[kind] for kind in kinds}
        if len(rooms) == 1:
            [(number, reduce)] = rooms
            return [(number, reduce(self.rows))]
        return [
            (number, reduce([row for row in self.rows if reducers[row[4]][0] == number]))
            for number, reduce in sorted(rooms, key=itemgetter(0))
        ]


def _fields(row: PlainTransfer) -> dict[str, Any]:
    names = ("id", "tx", "at", "day", "kind", "reference", "debit", "credit", "micros", "actor")
    texts = [part.decode() for part in row[:10] if part is not None]
    fields: dict[str, Any] = {"type": "transfer", **dict(zip(names, texts, strict=True))}
    fields |= {name: int(fields[name]) for name in ("id", "tx", "micros")}
    return fields if row[10] is None else fields | {"memo": read_json(row[10])}


def parts(lines: Sequence[bytes], reducers: Reducers, acts: Acts, keys: Sequence[bytes] = ()) -> list[Part]:
    """The lines as runs, rows, seals and other lines, in their order. *keys*: that may have signed a seal."""
    found: list[Part] = []
    now: _Gathered | None = None
    for line in lines:
        numbered = _N(line)
        if numbered is not None:
            begin = numbered.end()
            row = line[begin + 72 : -2]
            leaf = sha256(b"\x00" + row).digest()
            if line[begin : begin + 72] == b'%b","row":' % leaf.hex().encode() and line[-2:] == b"}\n":
                n = int(numbered[1])
                plain = _PLAIN(row)
                if plain is not None and plain[5] in reducers and (plain[11] is None or _is_canonical(plain[11])):
                    if now is None or n != now.n + len(now.leaves):
                        found += _closed(now, reducers)
                        now = _Gathered(n)
                    now.rows.append(plain.groups())  # type: ignore[arg-type]
                    now.leaves.append(leaf)
                    continue
                found += _closed(now, reducers)
                now = None
                fields = row_of(row, acts)
                found.append(line if fields is None else RowRead(n, leaf, fields))
                continue
        found += _closed(now, reducers)
        now = None
        found.append(SealRead(line, proven(line, keys)) if keys and line.startswith(b'{"seal":') else line)
    return found + _closed(now, reducers)


def _closed(now: _Gathered | None, reducers: Reducers) -> list[Part]:
    return now.parts(reducers) if now is not None else []


def row_of(row: bytes, acts: Acts) -> dict[str, Any] | None:
    """The row's fields, if this is the one way to write them and its act is known; None: the verifier says why not."""
    try:
        fields = read_json(row)
        if row_text(fields) != row or not is_row(fields):
            return None
        if fields["type"] == "act":
            act = acts[fields["kind"]].read(fields["data"], subject=fields["subject"])
            if act.data() != fields["data"] or act.subject != fields["subject"]:
                return None
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
    return dict(fields)


def is_row(fields: Mapping[str, Any]) -> bool:
    texts = [name for name in fields if name not in ("id", "tx", "micros", "reverses", "memo", "data")]
    return (
        all(isinstance(fields[name], str) and fields[name] for name in texts)
        and all(type(fields[name]) is int and fields[name] > 0 for name in ("id", "tx"))
        and all(type(fields[name]) is int for name in ("micros", "reverses") if name in fields)
        and all(isinstance(fields[name], dict) for name in ("memo", "data") if name in fields)
        and bool(is_time(fields["at"]) and _is_day(fields["day"]))
    )


_reducers: Reducers = {}
_acts: Acts = {}


def _begin_worker(reducers: Reducers, acts: Acts) -> None:
    global _reducers, _acts  # a process has one export to work at
    _reducers, _acts = reducers, acts


def _work(path: str, begin: int, end: int, keys: Sequence[bytes]) -> list[Part]:
    with open(path, "rb") as file:
        return parts(lines_between(file, begin, end), _reducers, _acts, keys)


def lines_between(file: IO[bytes], begin: int, end: int) -> list[bytes]:
    """The lines that begin at or after *begin* and before *end*."""
    file.seek(max(0, begin - 1))
    if begin and file.readline(LINE_BYTES_LIMIT)[-1:] not in (b"\n", b""):
        return [b"too long"]
    lines: list[bytes] = []
    at = file.tell()
    while at < end and (line := file.readline(LINE_BYTES_LIMIT)):
        lines.append(line)
        at += len(line)
    return lines


def checked(
    file: IO[bytes],
    size: int,
    reducers: Reducers,
    acts: Acts,
    tell: Callable[[int], None],
    *,
    keys: Callable[[], Sequence[bytes]] = tuple,
) -> Iterator[list[Part]]:
    """All parts of the export, a chunk of lines after the other: by several processes where it is a large file.

    *keys*: that may sign seals, as far as the log was read. The first chunk is read before the others are begun: the
    log names its first key and its witness there, so that the other processes can check what they have signed."""
    processes = os.cpu_count() or 1
    name = getattr(file, "name", None)
    chunks = [(begin, begin + CHUNK_BYTES) for begin in range(0, size, CHUNK_BYTES)]
    alone = size < SEVERAL_PROCESSES_FROM_BYTES or processes == 1 or not isinstance(name, str)
    for begin, end in chunks if alone else chunks[:1]:
        yield parts(lines_between(file, begin, end), reducers, acts)
        tell(min(end, size))
    if alone or len(chunks) == 1:
        return
    context = multiprocessing.get_context("fork" if FORKED else "spawn")
    pool = context.Pool(processes, _begin_worker, (reducers, acts))
    try:
        waiting: deque[tuple[int, AsyncResult[list[Part]]]] = deque()
        for begin, end in chunks[1:]:
            waiting.append((end, pool.apply_async(_work, (name, begin, end, keys()))))
            while len(waiting) > 2 * processes or (waiting and end >= size):  # busy enough; memory stays flat
                done, outcome = waiting.popleft()
                yield outcome.get()
                tell(min(done, size))
    finally:  # never terminated: one that ends while it hands over what it found leaves the others waiting for ever
        pool.close()
        pool.join()
