"""Transfers read by column say what they say one by one, and nothing that is not a row gets through."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from kernel.export_check import Flow, Transfers
from kernel.merkle import Tree, leaf_hash, root_of
from verify.rows import read_row
from verify.runs import Reducers, Run, runs, stretches

pytestmark = pytest.mark.quick


def kept(rows: Transfers) -> Transfers:
    return rows


REDUCERS: Reducers = {b"keno.sale": (1, kept), b"keno.payment": (1, kept), b"test.sale": (2, kept)}


def row(number: int, *, kind: str = "keno.sale", tx: int = 0, micros: int = 1_000_000, memo: str = "") -> bytes:
    return (
        f'{{"type":"transfer","id":{number},"tx":{tx or number},"at":"2026-11-17T10:00:00.{number:06d}Z",'
        f'"day":"2026-11-17","kind":"{kind}","reference":"R{number}","debit":"till:{number % 2}","credit":"held",'
        f'"micros":{micros},"actor":"device:W-1"{memo}}}'
    ).encode()


def line(n: int, text: bytes) -> bytes:
    return b'{"n":%d,"leaf":"%s","row":%s}\n' % (n, leaf_hash(text).hex().encode(), text)


def some(count: int) -> list[bytes]:
    memo = ',"memo":{"ticket": "A00000000000"}'
    kinds = [("keno.sale", ""), ("keno.payment", memo), ("test.sale", ',"memo":{"a": 1, "bb": [2, 3]}')]
    return [line(n, row(n + 1, kind=kinds[n % 3][0], memo=kinds[n % 3][1])) for n in range(count)]


@pytest.mark.parametrize("count", [1, 7, 200])
def test_many_at_a_time_are_the_rows_one_by_one(count: int) -> None:
    lines = some(count)
    [run] = runs(lines, REDUCERS)
    assert isinstance(run, Run)
    each = [read_row(text, {}) for text in lines]
    fields = [found.fields for found in each if found is not None]
    assert (run.n, run.rows, run.first, run.last) == (0, count, (1, 1), (count, count))
    parts = [(number, part.on_record(at)) for number, part in run.parts for at in range(len(part.ids))]
    assert len(parts) == len(fields) == count
    for number, said in parts:
        own = fields[said.index]
        assert number == REDUCERS[said.kind.encode()][0]
        assert {name: getattr(said, name) for name in own if name not in ("type", "memo")} == {
            name: value for name, value in own.items() if name not in ("type", "memo")
        }
        assert said.memo == own.get("memo")
    assert sum(run.flows.values()) == sum(own["micros"] for own in fields)
    tree = Tree()
    run.join(tree)
    assert tree.root() == root_of(leaf_hash(text[text.index(b'"row":') + 6 : -2]) for text in lines)


def test_parts_of_cents_are_told_with_their_row() -> None:
    [run] = runs([line(0, row(1)), line(1, row(2, micros=1_000_001)), line(2, row(4, micros=5))], REDUCERS)
    assert isinstance(run, Run)
    assert run.fractions == {Flow(b"2026-11-17", b"keno.sale", b"till:0", b"held"): 2}


def test_what_is_not_the_next_or_not_hashed_so_is_left() -> None:
    right = [line(n, row(n + 1)) for n in range(3)]
    for strange in (
        [right[0], right[0], right[2]],  # twice
        [right[0], line(1, row(1, tx=2)).replace(b'"id":1', b'"id":2', 1), right[2]],  # changed, and its hash not
        [right[0], line(1, row(3, tx=1)), line(2, row(2, tx=1))],  # out of order
        [right[0], line(2, row(2)), right[2]],  # another number
    ):
        found = runs(strange, REDUCERS)
        assert sum(part.rows if isinstance(part, Run) else 1 for part in found) == 3
        assert len(found) > 1  # one by one, for the verifier to see which
    assert runs([line(0, row(1, kind="jackpot.seed"))], REDUCERS) == [line(0, row(1, kind="jackpot.seed"))]


STRANGE = [
    b'"',
    b"\\",
    b"\n",
    b"\x00",
    b"\x7f",
    b"\xff",
    b"0",
    b"-",
    b" ",
    b",",
    b"1.0",
    b"",
    b"}",
    b"9" * 19,
    b"\xc3\xa9",
]


@pytest.mark.parametrize("seed", range(3))
def test_no_row_in_a_run_that_is_none_by_itself(seed: int) -> None:
    """By a forger who writes the hash of whatever he has written."""
    chance = Random(seed)
    for _ in range(400):
        text = row(5, kind="keno.payment", memo=',"memo":{"ticket": "A00000000000"}')
        at = chance.randrange(len(text))
        changed = text[:at] + chance.choice(STRANGE) + text[at + chance.randrange(3) :]
        forged = line(1, changed)
        lines = [line(0, row(1)), *forged.splitlines(keepends=True), line(2, row(9))]
        for part in runs(lines, REDUCERS):
            if isinstance(part, Run) and part.n <= 1 < part.n + part.rows:
                assert read_row(forged, {}) is not None, changed


@pytest.mark.parametrize("around", [(b"x", b""), (b'{"n":0}', b""), (b" ", b""), (b"", b" ")])
def test_nothing_stands_beside_a_row_in_its_line(around: tuple[bytes, bytes]) -> None:
    """A line is read from its first letter to its last, among many others, too."""
    lines = some(20)
    lines[7] = around[0] + lines[7][:-1] + around[1] + b"\n"
    found = runs(lines, REDUCERS)
    assert [part for part in found if not isinstance(part, Run)] == [lines[7]]
    assert sum(part.rows for part in found if isinstance(part, Run)) == 19
    assert read_row(lines[7], {}) is None


@pytest.mark.parametrize("of", ["", "0", "1", "0011101", "1100"])
def test_stretches_are_what_stands_together(of: str) -> None:
    flags = bytes(map(int, of))
    found = list(stretches(flags))
    assert b"".join(bytes([which]) * (end - begin) for which, begin, end in found) == flags
    assert all(one[0] != other[0] and one[2] == other[1] for one, other in pairwise(found))
