"""The rows of an export, each checked by itself, and those of which there are millions put together in runs.

What is not right, or is no row, is left to the verifier, which reads it with all it knows. Pure and without state, so
that a large export is checked by several processes, each of which reads its own part of the file.
"""

from __future__ import annotations

import multiprocessing
import re
from array import array
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from itertools import groupby
from operator import eq, itemgetter, lt
from typing import Any, Final, NamedTuple, TypeAlias

from kernel.acts import Act
from kernel.export_check import PlainTransfer, Reduce
from kernel.merkle import HASH_SIZE, Tree
from kernel.row_text import read_json, read_jsonb, row_text
from verify.signatures import Signed, proven

_AS_TREE: Final = 64  # rows from which a run comes as a tree

_N = re.compile(rb'\{"n":(0|[1-9]\d{0,17}),"leaf":"').match
_TIME: Final = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
_DAY: Final = r"\d{4}-\d\d-\d\d"
# By their fixed shape (kernel/row_text.py). An escaped character is special enough to be read as JSON.
_BEGINS: Final = rb'"id":([1-9]\d{0,17}),"tx":([1-9]\d{0,17}),"at":"(%b)","day":"(%b)","kind":"(%%b)"'
_TEXT: Final = rb'[^"\\\x00-\x1f\x7f-\xff]+'
_TRANSFER: Final = (
    rb'\{"type":"transfer",%(begins)b,"reference":"(%(text)b)","debit":"(%(text)b)","credit":"(%(text)b)",'
    rb'"micros":([1-9]\d{0,17}),"actor":"(%(text)b)"(?:,"memo":(\{[^\\\x80-\xff]*\}))?\}'
    % {b"text": _TEXT, b"begins": _BEGINS % (_TIME.encode(), _DAY.encode()) % _TEXT}
)
_PLAIN = re.compile(_TRANSFER).fullmatch
# The same in its line: number, leaf, the whole row, what it says.
_PLAIN_LINE = re.compile(rb'\{"n":(0|[1-9]\d{0,17}),"leaf":"([0-9a-f]{64})","row":(%b)\}\n' % _TRANSFER).fullmatch
_KIND, _MEMO = 8, 14  # of its groups
_IN_LINE: Final = 3  # groups before those of the row
_ONE_TEXT = re.compile(rb'\{"[a-z_]+": "[^"\\\x00-\x1f\x7f-\xff]*"\}').fullmatch  # has one way to be written
_ACT = re.compile(
    rb'\{"type":"act",%(begins)b,"subject":"(%(text)b)","actor":"(%(text)b)","data":(\{.*\})\}'
    % {b"text": _TEXT, b"begins": _BEGINS % (_TIME.encode(), _DAY.encode()) % _TEXT},
    re.DOTALL,
).fullmatch
_ACT_NAMES: Final = ("id", "tx", "at", "day", "kind", "subject", "actor")
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
    fields: dict[str, Any]  # of an act without its data, which its class has read
    act: Act | None = None


class SealRead(NamedTuple):
    """A seal's line, with the signatures on it that were found right."""

    line: bytes
    proven: frozenset[Signed]


Part: TypeAlias = Run | RowRead | SealRead | bytes  # bytes: that line is for the verifier


def reference_hash(kind: bytes, reference: bytes) -> int:
    if FORKED:
        return hash((kind, reference))
    return int.from_bytes(blake2b(kind + b"\n" + reference, digest_size=8).digest(), "big", signed=True)


def reference_hashes(kinds: Sequence[bytes], references: Sequence[bytes]) -> Iterable[int]:
    """Of many at once."""
    return map(hash, zip(kinds, references, strict=True)) if FORKED else map(reference_hash, kinds, references)


def _is_canonical(memo: bytes) -> bool:
    return _ONE_TEXT(memo) is not None or _is_read(memo)


@lru_cache(maxsize=4096)  # tables and counts repeat
def _is_read(memo: bytes) -> bool:
    try:
        read_jsonb(memo.decode("ascii"))
    except ValueError:
        return False
    return True


class _Gathered:
    """The run that is being read: transfers one after the other. What can be said of all at once is said at its end."""

    def __init__(self, n: int, leaves: Sequence[bytes], rows: Sequence[PlainTransfer]) -> None:
        self.n, self.leaves, self.rows = n, leaves, rows

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
        named = sorted(reference_hashes(kinds, references))
        return [
            Run(
                self.n, len(self.leaves), hashes, orders[0], orders[-1], (min(times), max(times)), flows, fractions,
                array("q", named).tobytes(), (min(numbers), max(numbers)), self._reduced(set(kinds), reducers),
            )
        ]  # fmt: skip

    def _reduced(self, kinds: set[bytes], reducers: Reducers) -> list[tuple[int, Any]]:
        rooms = {reducers[kind] for kind in kinds}
        places = range(self.n, self.n + len(self.rows))
        if len(rooms) == 1:
            [(number, reduce)] = rooms
            return [(number, reduce(self.rows, places))]
        found = []
        for number, reduce in sorted(rooms, key=itemgetter(0)):
            own = [at for at, row in enumerate(self.rows) if reducers[row[4]][0] == number]
            found.append((number, reduce([self.rows[at] for at in own], [places[at] for at in own])))
        return found


def _fields(row: PlainTransfer) -> dict[str, Any]:
    names = ("id", "tx", "at", "day", "kind", "reference", "debit", "credit", "micros", "actor")
    texts = [part.decode() for part in row[:10] if part is not None]
    fields: dict[str, Any] = {"type": "transfer", **dict(zip(names, texts, strict=True))}
    fields |= {name: int(fields[name]) for name in ("id", "tx", "micros")}
    return fields if row[10] is None else fields | {"memo": read_json(row[10])}


def parts(lines: Sequence[bytes], reducers: Reducers, acts: Acts, keys: Sequence[bytes] = ()) -> list[Part]:
    """The lines as runs, rows, seals and other lines, in their order. *keys*: that may have signed a seal."""

    def is_reduced(both: tuple[bytes, re.Match[bytes] | None]) -> bool:
        plain = both[1]
        return plain is not None and plain[_KIND] in reducers and (plain[_MEMO] is None or _is_canonical(plain[_MEMO]))

    found: list[Part] = []
    for reduced, together in groupby(zip(lines, map(_PLAIN_LINE, lines), strict=True), key=is_reduced):
        if reduced:
            found += _runs([plain.groups() for _, plain in together if plain is not None], reducers)
            continue
        for line, _ in together:
            if keys and line.startswith(b'{"seal":'):
                found.append(SealRead(line, proven(line, keys)))
            else:
                found.append(_one(line, acts))
    return found


def _runs(rows: Sequence[tuple[bytes, ...]], reducers: Reducers) -> list[Part]:
    """Transfers that follow each other: each hashed, then looked at together. What is not right is the verifier's."""
    leaves = [sha256(b"\x00" + row[2]).digest() for row in rows]
    first = int(rows[0][0])
    if b"".join(leaves).hex().encode() == b"".join([row[1] for row in rows]) and _numbered(rows, first):
        return _Gathered(first, leaves, [row[_IN_LINE:] for row in rows]).parts(reducers)  # type: ignore[misc]
    if len(rows) > 1:
        return [part for row in rows for part in _runs([row], reducers)]
    [(n, leaf, row, *_)] = rows
    return [b'{"n":%b,"leaf":"%b","row":%b}\n' % (n, leaf, row)]


def _numbered(rows: Sequence[tuple[bytes, ...]], first: int) -> bool:
    return [row[0] for row in rows] == [b"%d" % n for n in range(first, first + len(rows))]


def _one(line: bytes, acts: Acts) -> Part:
    """A row by itself, or a line that is for the verifier."""
    numbered = _N(line)
    if numbered is None or line[-2:] != b"}\n":
        return line
    begin = numbered.end()
    row = line[begin + 72 : -2]
    leaf = sha256(b"\x00" + row).digest()
    if line[begin : begin + 72] != b'%b","row":' % leaf.hex().encode():
        return line
    return _RowOf(int(numbered[1]), leaf, row, acts).read(_PLAIN(row)) or line


class _RowOf(NamedTuple):
    n: int
    leaf: bytes
    row: bytes
    acts: Acts

    def read(self, plain: re.Match[bytes] | None) -> RowRead | None:
        """The row, if this is the one way to write it and its act is known; None: the verifier says why not."""
        try:
            if plain is not None and (plain[11] is None or _is_canonical(plain[11])):
                return RowRead(self.n, self.leaf, _fields(plain.groups()))  # type: ignore[arg-type]
            act = _ACT(self.row)
            if act is not None:
                *texts, data = act.groups()
                fields: dict[str, Any] = {"type": "act"}
                fields |= zip(_ACT_NAMES, [text.decode("ascii") for text in texts], strict=True)
                fields |= {"id": int(texts[0]), "tx": int(texts[1])}
                return self._act(fields, read_jsonb(data.decode()))
            fields = read_json(self.row)
            if row_text(fields) != self.row or not is_row(fields):
                return None
            return self._act(fields, fields.pop("data")) if fields["type"] == "act" else self._transfer(fields)
        except (AttributeError, KeyError, TypeError, ValueError):
            return None

    def _transfer(self, fields: dict[str, Any]) -> RowRead:
        return RowRead(self.n, self.leaf, fields)

    def _act(self, fields: dict[str, Any], data: dict[str, Any]) -> RowRead | None:
        act = self.acts[fields["kind"]].read(data, subject=fields["subject"])
        if act.data() != data or act.subject != fields["subject"]:
            return None
        return RowRead(self.n, self.leaf, fields, act)


def is_row(fields: Mapping[str, Any]) -> bool:
    texts = [name for name in fields if name not in ("id", "tx", "micros", "reverses", "memo", "data")]
    return (
        all(isinstance(fields[name], str) and fields[name] for name in texts)
        and all(type(fields[name]) is int and fields[name] > 0 for name in ("id", "tx"))
        and all(type(fields[name]) is int for name in ("micros", "reverses") if name in fields)
        and all(isinstance(fields[name], dict) for name in ("memo", "data") if name in fields)
        and bool(is_time(fields["at"]) and _is_day(fields["day"]))
    )
