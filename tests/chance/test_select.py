"""Fair numbers: without bias, without replacement, and the same for whoever computes them."""

from __future__ import annotations

import contextlib
import tracemalloc
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chance.drbg import HmacDrbg
from chance.select import Source, picks


class Tape:
    """A generator that returns what is on the tape, then runs out."""

    def __init__(self, tape: bytes) -> None:
        self.tape = tape

    def generate(self, count: int) -> bytes:
        piece, self.tape = self.tape[:count], self.tape[count:]
        if not piece:
            raise EOFError
        return piece


def on_tape(tape: bytes) -> Source:
    return Source(Tape(tape))  # type: ignore[arg-type]


def stream(seed: bytes = bytes(32)) -> Source:
    return Source(HmacDrbg(entropy=seed, nonce=bytes(16)))


@pytest.mark.parametrize("bound", [2, 3, 5, 61, 64, 65, 80, 200, 255, 256])
def test_every_byte_there_is_gives_every_number_equally_often(bound: int) -> None:
    """All 256 bytes on the tape once: the accepted values are exactly uniform, which no modulo could be."""
    source = on_tape(bytes(range(256)))
    seen: Counter[int] = Counter()
    with contextlib.suppress(EOFError):
        while True:
            seen[source.below(bound)[0]] += 1
    assert sorted(seen) == list(range(bound))
    assert len(set(seen.values())) == 1


def test_two_bytes_are_read_big_endian_and_masked() -> None:
    source = on_tape(bytes.fromhex("fe2c 03e8 fbe7"))
    # 1000 needs ten bits: 0x22c = 556; 0x3e8 = 1000 is thrown away; 0x3e7 = 999.
    assert source.below(1000) == (556, [bytes.fromhex("fe2c")])
    assert source.below(1000) == (999, [bytes.fromhex("03e8"), bytes.fromhex("fbe7")])


def test_one_possibility_reads_nothing() -> None:
    assert on_tape(b"").below(1) == (0, [])


@given(st.integers(1, 300), st.binary(min_size=32, max_size=32))
def test_a_whole_draw_is_a_permutation(pool: int, seed: bytes) -> None:
    assert sorted(pick.number for pick in picks(stream(seed), pool)) == list(range(1, pool + 1))


@given(st.integers(1, 200), st.binary(min_size=32, max_size=32))
def test_the_sparse_shuffle_is_the_shuffle_of_a_list(pool: int, seed: bytes) -> None:
    source = stream(seed)
    cards = list(range(1, pool + 1))
    for place in range(pool):
        other = place + source.below(pool - place)[0]
        cards[place], cards[other] = cards[other], cards[place]
    assert [pick.number for pick in picks(stream(seed), pool)] == cards


def test_a_million_entries_are_not_laid_out() -> None:
    tracemalloc.start()
    chosen = [pick.number for pick in islice(picks(stream(), 1_000_000), 100)]
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(set(chosen)) == 100
    assert all(1 <= number <= 1_000_000 for number in chosen)
    assert max(chosen) > 500_000
    assert peak < 200_000


def test_a_pool_has_at_least_one_number() -> None:
    with pytest.raises(ValueError, match="pool has 1 to"):
        list(picks(stream(), 0))
