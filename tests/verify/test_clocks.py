"""Times that can be, and times that cannot."""

from __future__ import annotations

import pytest

from kernel.export_check import Doubt
from verify.clocks import Clocks

NOON, LATER, LONG_AGO = (f"{day}T12:00:00.000000Z" for day in ("2026-11-17", "2026-11-18", "1999-11-17"))


def test_seals_follow_each_other_and_what_the_witness_said() -> None:
    clocks = Clocks()
    clocks.rows(NOON, NOON, line=2)
    clocks.seal(1, LATER)
    clocks.exported(LATER)
    assert clocks.remarks() == []
    with pytest.raises(Doubt, match="seal 2 is dated before the seal before it"):
        clocks.seal(2, NOON)
    with pytest.raises(Doubt, match="no such time"):
        clocks.seal(2, "2026-13-17T12:00:00.000000Z")
    with pytest.raises(Doubt, match="the export is dated before its last seal"):
        clocks.exported(NOON)
    clocks = Clocks()
    clocks.answered_at = 1_700_000_000
    with pytest.raises(Doubt, match="seal 1 is dated before an answer of the witness that it seals"):
        clocks.seal(1, LONG_AGO)


def test_rows_of_another_time_than_their_seals_are_told() -> None:
    clocks = Clocks()
    clocks.rows(LATER, LATER, line=2)
    clocks.seal(1, NOON)
    clocks.rows(LONG_AGO, LONG_AGO, line=7)
    [after, before] = clocks.remarks()
    assert "A row before seal 1 is dated after it" in after
    assert "the first in line 7" in before
