"""From the generator's bytes to fair numbers: rejection sampling, never modulo, and a partial Fisher–Yates shuffle.

The sequence is fixed by what the generator was made of; how many are taken does not change it. So a worker that picks
up a draw begun by another computes the same numbers (`two_party.numbers` checks the recorded ones on the way).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from chance.drbg import HmacDrbg

BLOCK: Final = 64  # bytes of each request to the generator: part of the published algorithm
MAX_POOL: Final = 1 << 32


class RecordDiffers(Exception):
    """The numbers on record are not the ones that were promised: stop, and call a supervisor."""


class Source:
    """The generator's output as one stream of bytes, asked for in blocks of 64."""

    __slots__ = ("_at", "_block", "_drbg")

    def __init__(self, drbg: HmacDrbg) -> None:
        self._drbg = drbg
        self._block = b""
        self._at = 0

    def take(self, count: int) -> bytes:
        while len(self._block) - self._at < count:
            self._block = self._block[self._at :] + self._drbg.generate(BLOCK)
            self._at = 0
        taken = self._block[self._at : self._at + count]
        self._at += count
        return taken

    def below(self, bound: int) -> tuple[int, list[bytes]]:
        """A whole number from 0 to ``bound`` - 1, each equally likely, and the bytes it took, rejected ones included.

        The smallest number of bits that can hold ``bound`` - 1 is read (the low bits of as many bytes as they need,
        big-endian); a value not below ``bound`` is thrown away and the next bytes are read. More than half pass.
        """
        bits = (bound - 1).bit_length()
        if not bits:
            return 0, []
        width, mask = (bits + 7) // 8, (1 << bits) - 1
        read: list[bytes] = []
        while True:
            read.append(self.take(width))
            value = int.from_bytes(read[-1], "big") & mask
            if value < bound:
                return value, read


@dataclass(frozen=True, slots=True)
class Pick:
    """One number and how it came about; `steps` of a proof are told from these."""

    number: int
    remaining: int
    value: int
    read: list[bytes] = field(compare=False)


def picks(stream: Source, pool: int) -> Iterator[Pick]:
    """The numbers 1 to ``pool`` in the order they are drawn, lazily and without replacement.

    A Fisher–Yates shuffle that remembers only the places it has touched: memory grows with the numbers taken, not
    with the pool.
    """
    if not 1 <= pool <= MAX_POOL:
        raise ValueError(f"A pool has 1 to {MAX_POOL} numbers, not {pool}.")
    moved: dict[int, int] = {}
    for place in range(pool):
        remaining = pool - place
        value, read = stream.below(remaining)
        chosen = place + value
        number = moved.get(chosen, chosen)
        moved[chosen] = moved.pop(place, place)
        yield Pick(number + 1, remaining, value, read)
