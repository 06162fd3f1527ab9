"""Which tickets the log speaks of, in as little memory for a million as for ten: a few others look like them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from zlib import crc32

MARKS_BYTES: Final = 1 << 22
_AT_ONCE: Final = 1 << 16


class Marks:
    """One bit for every value of a checksum. What is not in it was never added; what is may be another."""

    def __init__(self) -> None:
        self.bits = bytearray(MARKS_BYTES)

    def add(self, serial: bytes) -> None:
        mark = crc32(serial)
        self.bits[mark % MARKS_BYTES] |= 1 << (mark >> 29)

    def __contains__(self, serial: bytes) -> bool:
        mark = crc32(serial)
        return bool(self.bits[mark % MARKS_BYTES] >> (mark >> 29) & 1)

    def joined(self, other: Marks) -> Marks:
        """What is in one of the two."""
        found = Marks()
        for at in range(0, MARKS_BYTES, _AT_ONCE):
            mine, others = (int.from_bytes(each.bits[at : at + _AT_ONCE], "big") for each in (self, other))
            found.bits[at : at + _AT_ONCE] = (mine | others).to_bytes(_AT_ONCE, "big")
        return found

    def among(self, serials: Sequence[bytes]) -> list[int]:
        """The places of those that are in it."""
        bits = self.bits
        marks = enumerate(map(crc32, serials))
        return [place for place, mark in marks if bits[mark % MARKS_BYTES] >> (mark >> 29) & 1]
