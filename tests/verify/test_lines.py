"""A line of every sort, with something before it, behind it or within it: nobody has to have a key to find it."""

from __future__ import annotations

from io import BytesIO

import pytest

from tests.world.falsified import Exported
from verify.result import Wrong
from verify.verifier import verify

GARBAGE = (b"x", b" ", b"\r", b"\0", b"\xef\xbb\xbf", b"\n")


def _sorts(export: Exported) -> dict[bytes, int]:
    """The first line of each: of rows by their kind."""
    found: dict[bytes, int] = {}
    for at, line in enumerate(export.lines):
        named = line.split(b'"')[1]
        if named == b"n":
            named = line.partition(b'"kind":"')[2].partition(b'"')[0] if b'"type":"transfer"' in line[:150] else b"act"
        found.setdefault(line[:20] if named == b"attached" else named, at)
    return found


@pytest.mark.parametrize("garbage", [GARBAGE[0], *(pytest.param(each, marks=pytest.mark.long) for each in GARBAGE[1:])])
def test_nothing_stands_around_a_line(keno_house: Exported, garbage: bytes) -> None:
    sorts = _sorts(keno_house)
    assert {b"export", b"seal", b"balance", b"act", b"keno.sale", b"end"} <= sorts.keys()
    for at in sorts.values():
        line = keno_house.lines[at]
        half = len(line) // 2
        for other in (garbage + line, line[:-1] + garbage + b"\n", line[:half] + garbage + line[half:]):
            lines = [*keno_house.lines[:at], other, *keno_house.lines[at + 1 :]]
            with pytest.raises(Wrong):
                verify(BytesIO(b"".join(lines)))
