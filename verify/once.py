"""Whether anything stands there twice, among millions, in little memory: hashes in a file, compared at the end.

Two that are equal are equal by all means; two different things with one hash are told apart by whoever reads again.
"""

from __future__ import annotations

import mmap
import tempfile
from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Final

from kernel.kept import put_away

_TOGETHER: Final = 50_000  # hashes compared at a time
_KEPT: Final = 20_000  # single ones, until they are written down
_BYTES: Final = 8


class Once:
    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  it lives as long as this does
        self._runs: list[tuple[int, int]] = []  # sorted runs in the file: begin and end, in hashes
        self._single: list[int] = []
        self._count = 0

    def add(self, hashed: int) -> None:
        self._single.append(hashed)
        if len(self._single) >= _KEPT:
            self._write_down()

    def add_run(self, hashes: bytes) -> None:
        """Sorted, 8 bytes each."""
        if len(hashes) < 64 * _BYTES:
            self._single += array("q", hashes)
            if len(self._single) >= _KEPT:
                self._write_down()
            return
        self._file.write(hashes)
        self._runs.append((self._count, self._count + len(hashes) // _BYTES))
        self._count += len(hashes) // _BYTES

    def _write_down(self) -> None:
        kept, self._single = array("q", sorted(self._single)), []
        self._file.write(kept.tobytes())
        self._runs.append((self._count, self._count + len(kept)))
        self._count += len(kept)

    def twice(self) -> set[int]:
        """The hashes that came more than once."""
        if self._single:
            self._write_down()
        if not self._count:
            return set()
        self._file.flush()
        found: set[int] = set()
        with (
            mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ) as mapped,
            memoryview(mapped) as raw,
            raw.cast("q") as hashes,
        ):
            for part in self._parts(hashes):
                if len(set(part)) != len(part):
                    found |= {each for each, times in Counter(part).items() if times > 1}
                put_away(mapped)
        return found

    def _parts(self, hashes: memoryview) -> Iterator[list[int]]:
        """All hashes, those of one range of values together."""
        pieces = self._count // _TOGETHER + 1
        ends = [(piece + 1) * (1 << 64) // pieces - (1 << 63) for piece in range(pieces)]
        begins = [begin for begin, _ in self._runs]
        for upto in ends:
            part: list[int] = []
            for number, (_, end) in enumerate(self._runs):
                to = bisect_left(hashes, upto, begins[number], end)
                part += hashes[begins[number] : to]
                begins[number] = to
            yield part
