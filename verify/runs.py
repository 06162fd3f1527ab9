"""Transfers of which there are millions, many at a time: cut out of their lines by one expression, then looked at by
column. What can be said of all at once costs little each; what is not right is left to whoever looks at one row.
"""

from __future__ import annotations

import multiprocessing
import re
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b, sha256
from operator import itemgetter, lt
from types import MappingProxyType
from typing import Any, Final, NamedTuple, TypeAlias

from kernel.export_check import CASH, Flow, Reduce, Transfers
from kernel.merkle import HASH_SIZE, Tree
from kernel.row_text import read_jsonb

_AS_TREE: Final = 64  # rows from which a run comes as a tree
# A transfer that reverses none, in its line (kernel/row_text.py): number, leaf, the row; of that id, tx, at, day with
# kind, reference, debit with credit, micros, actor, memo. Loose, because that is quick: ``_read`` looks at it.
_CUT = re.compile(
    rb'\{"n":([^,]*),"leaf":"([^"]*)","row":(\{"type":"transfer","id":([^,]*),"tx":([^,]*),"at":"([^"]*)",'
    rb'("day":[^,]*,"kind":[^,]*),"reference":"([^"]*)",("debit":[^,]*,"credit":[^,]*),"micros":([^,]*),'
    rb'"actor":"([^"]*)"((?:,"memo":[^\n]*)?)\})\}\n'
).findall
_AROUND: Final = len(b'{"n":,"leaf":"","row":}\n')
_TEXT: Final = rb'[^"\\\x00-\x1f\x7f-\xff]+'
_DAY_AND_KIND = re.compile(rb'"day":"(\d{4}-\d\d-\d\d)","kind":"(%b)"' % _TEXT).fullmatch
_ACCOUNTS = re.compile(rb'"debit":"(%b)","credit":"(%b)"' % (_TEXT, _TEXT)).fullmatch
_WHOLE = re.compile(rb"[1-9]\d{0,17}").fullmatch
_MEMO = re.compile(rb',"memo":(\{[^\\\x80-\xff]*\})').fullmatch
_ONE_TEXT = re.compile(rb'\{"[a-z_]+": "[^"\\\x00-\x1f\x7f-\xff]*"\}').fullmatch  # has one way to be written
_PRINTABLE: Final = bytes(code for code in range(0x20, 0x7F) if code not in b'"\\')
_DIGITS_TO_0: Final = bytes.maketrans(b"123456789", b"000000000")
_TIME: Final = b"0000-00-00T00:00:00.000000Z"
_LEAF_LETTERS: Final = 64
_CASH: Final = tuple(map(str.encode, CASH))
_CENT: Final = b"0000"  # how an amount of whole cents ends
# Where processes are forked they share what Python hashes with; else a hash that is the same everywhere.
FORKED: Final = "fork" in multiprocessing.get_all_start_methods()

Reducers: TypeAlias = Mapping[bytes, tuple[int, Reduce]]  # by the kind of the transfer: the room's number, its reduce


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
    cash: int  # of the last one's transaction: what was handed out or taken in
    parts: list[tuple[int, Any]]  # what the rooms' ``reduce`` has made of them, by the room's number

    def join(self, tree: Tree) -> None:
        if len(self.hashes) == HASH_SIZE * self.rows:
            tree.extend(self.hashes)
        else:
            tree.merge(Tree.from_bytes(self.hashes))


def reference_hash(kind: bytes, reference: bytes) -> int:
    if FORKED:
        return hash((kind, reference))
    return int.from_bytes(blake2b(kind + b"\n" + reference, digest_size=8).digest(), "big", signed=True)


def _reference_hashes(kinds: Iterable[bytes], references: Iterable[bytes]) -> Iterable[int]:
    """Of many at once."""
    return map(hash, zip(kinds, references, strict=True)) if FORKED else map(reference_hash, kinds, references)


def is_canonical(memo: bytes) -> bool:
    if _ONE_TEXT(memo) is not None:
        return True
    try:
        read_memo(memo)
    except ValueError:
        return False
    return True


@lru_cache(maxsize=4096)  # tables and counts repeat
def read_memo(memo: bytes) -> Mapping[str, Any]:
    """Of ASCII letters. ValueError: it is not written in its one way. Nobody changes what comes out."""
    found: Mapping[str, Any] = MappingProxyType(read_jsonb(memo.decode("ascii")))
    return found


@lru_cache(maxsize=4096)
def _flow(day_and_kind: bytes, accounts: bytes) -> Flow | None:
    head, between = _DAY_AND_KIND(day_and_kind), _ACCOUNTS(accounts)
    if head is None or between is None or between[1] == between[2]:
        return None
    return Flow(*head.groups(), *between.groups())


def runs(lines: Sequence[bytes], reducers: Reducers) -> list[Run | bytes]:
    """Lines of transfers that follow each other: what is plain, right by itself and of a kind that is reduced, in runs;
    the other lines as they are."""
    found: list[Run | bytes] = []
    cut = _cut(lines)
    heads = [row[6] if row else b"" for row in cut]
    reduced = {head: _kind(head) in reducers for head in set(heads)}
    for is_reduced, begin, end in stretches(bytes(map(reduced.__getitem__, heads))):
        found += _run(lines[begin:end], cut[begin:end], reducers) if is_reduced else lines[begin:end]
    return found


def stretches(of: bytes) -> Iterator[tuple[int, int, int]]:
    """Where it is 1, or 0, together: which, from where, up to where."""
    begin = 0
    while begin < len(of):
        end = of.find(1 - of[begin], begin)
        end = end if end > 0 else len(of)
        yield of[begin], begin, end
        begin = end


def _cut(lines: Sequence[bytes]) -> list[tuple[bytes, ...]]:
    """Of each line its parts; none: it is no plain transfer."""
    text = b"".join(lines)
    cut = _CUT(text)
    around = sum(sum(map(len, map(itemgetter(part), cut))) for part in range(3)) + _AROUND * len(cut)
    if len(cut) == len(lines) and around == len(text):
        return cut  # each is a line, and the whole of it
    if len(lines) == 1:
        return [()]
    return [_cut([line])[0] for line in lines]


@lru_cache(maxsize=1024)
def _kind(day_and_kind: bytes) -> bytes:
    found = _DAY_AND_KIND(day_and_kind)
    return found[2] if found is not None else b""


def _run(lines: Sequence[bytes], cut: Sequence[tuple[bytes, ...]], reducers: Reducers) -> list[Run | bytes]:
    """All of them together; one by one, for the verifier to say which is not right, where they do not fit."""
    leaves = [sha256(b"\x00" + row[2]).digest() for row in cut]
    columns = list(zip(*cut, strict=True))
    rows = _read(columns)
    if rows is not None and _is_numbered(columns[0], rows.places) and _is_hashed(columns[1], leaves):
        return [_gathered(rows, leaves, reducers)]
    if len(lines) == 1:
        return list(lines)
    return [part for line, row in zip(lines, cut, strict=True) for part in _run([line], [row], reducers)]


def _is_numbered(said: Sequence[bytes], places: Sequence[int]) -> bool:
    return list(said) == [b"%d" % place for place in places]


def _is_hashed(said: Sequence[bytes], leaves: Sequence[bytes]) -> bool:
    return set(map(len, said)) == {_LEAF_LETTERS} and b"".join(leaves).hex().encode() == b"".join(said)


def _read(columns: Sequence[Sequence[bytes]]) -> Transfers | None:
    """None: one of them is not written in its one way, or does not go on from the row before."""
    first, _, _, ids, txs, times, heads, references, accounts, amounts, actors, memos = columns
    flow_of = {both: _flow(*both) for both in set(zip(heads, accounts, strict=True))}
    own = _memos(memos)
    if (
        None in flow_of.values()
        or own is None
        or not (first[0] == b"0" or _WHOLE(first[0]))
        or not all(map(_WHOLE, {*txs, *amounts}))
        or not all(map(_WHOLE, ids))
        or b"" in {*references, *actors}
        or b"".join([*references, *set(actors)]).translate(None, _PRINTABLE)
        or b",".join(times).translate(_DIGITS_TO_0) != b",".join([_TIME] * len(times))
    ):
        return None
    number_of = {tx: int(tx) for tx in set(txs)}
    own_txs, own_ids = list(map(number_of.__getitem__, txs)), list(map(int, ids))
    orders = list(zip(own_txs, own_ids, strict=True))
    if not all(map(lt, orders, orders[1:])):
        return None
    flows: list[Any] = [flow_of[both] for both in zip(heads, accounts, strict=True)]
    begin = int(first[0])
    return Transfers(
        range(begin, begin + len(ids)), own_ids, own_txs, times, flows, references, amounts, actors, own
    )  # fmt: skip


def _memos(said: Sequence[bytes]) -> Sequence[bytes | None] | None:
    """Without their name; None: one of them is none, or not written in its one way."""
    if not any(said):
        return [None] * len(said)
    found = [_MEMO(memo) for memo in said]
    if any(memo and each is None for memo, each in zip(said, found, strict=True)):
        return None
    own = [each[1] if each is not None else None for each in found]
    return own if all(is_canonical(memo) for memo in own if memo is not None) else None


def _gathered(rows: Transfers, leaves: Sequence[bytes], reducers: Reducers) -> Run:
    flows: dict[Flow, int] = {}
    fractions: dict[Flow, int] = {}
    for (flow, amount), many in Counter(zip(rows.flows, rows.amounts, strict=True)).items():
        flows[flow] = flows.get(flow, 0) + many * int(amount)
        if amount[-4:] != _CENT:
            fractions[flow] = 0
    if fractions:
        for flow, amount, number in zip(rows.flows, rows.amounts, rows.ids, strict=True):
            if amount[-4:] != _CENT and not fractions[flow]:
                fractions[flow] = number
    hashes = b"".join(leaves)
    if len(leaves) >= _AS_TREE:
        tree = Tree(rows.places[0])
        tree.extend(hashes)
        hashes = tree.to_bytes()
    named = sorted(_reference_hashes([flow.kind for flow in rows.flows], rows.references))
    return Run(
        rows.places[0], len(leaves), hashes, (rows.txs[0], rows.ids[0]), (rows.txs[-1], rows.ids[-1]),
        (min(rows.times), max(rows.times)), flows, fractions, array("q", named).tobytes(),
        (min(rows.ids), max(rows.ids)), _cash_at_end(rows, flows),
        _reduced(rows, {flow.kind for flow in flows}, reducers),
    )  # fmt: skip


def _cash_at_end(rows: Transfers, flows: Mapping[Flow, int]) -> int:
    """Mostly a transaction has one sale, or all of them were booked in one."""
    txs = rows.txs
    if txs[0] != txs[-1]:
        flows = Counter()
        for at in range(bisect_left(txs, txs[-1]), len(txs)):
            flows[rows.flows[at]] += int(rows.amounts[at])
    return sum(micros for flow, micros in flows.items() if flow.debit.endswith(_CASH) != flow.credit.endswith(_CASH))


def _reduced(rows: Transfers, kinds: set[bytes], reducers: Reducers) -> list[tuple[int, object]]:
    rooms = {reducers[kind] for kind in kinds}
    if len(rooms) == 1:
        [(number, reduce)] = rooms
        return [(number, reduce(rows))]
    return [
        (number, reduce(rows.where([reducers[flow.kind][0] == number for flow in rows.flows])))
        for number, reduce in sorted(rooms, key=itemgetter(0))
    ]
