"""Which tickets the log speaks of, in as little memory for a million as for ten: a few others look like them. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from zlib import crc32

MARKS_BYTES: Final = 1 << 22


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
        both = int.from_bytes(self.bits, "big") | int.from_bytes(other.bits, "big")
        found.bits = bytearray(both.to_bytes(MARKS_BYTES, "big"))
        return found

    def among(self, serials: Sequence[bytes]) -> list[int]:
        """The places of those that are in it."""
        bits = self.bits
        marks = enumerate(map(crc32, serials))
        return [place for place, mark in marks if bits[mark % MARKS_BYTES] >> (mark >> 29) & 1]
