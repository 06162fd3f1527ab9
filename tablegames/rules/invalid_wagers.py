"""A wager made without one's own player card, or for somebody else, is invalid (nsw-csp:16.1): three cases (14.20)."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import assert_never

from ledger.money import ZERO
from tablegames.rules import owed
from tablegames.rules.owed import Owed, Result


class Found(StrEnum):
    """When the wager was found to be invalid."""

    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


def settle_invalid(line: Owed, found: Found) -> Owed:
    """What becomes of an invalid wager that would otherwise be owed *line*.

    Before the hand it is returned; in the course of it a winning one is returned and wins nothing; a hand already
    settled stands. The rule speaks of winning ones only: one that loses in the course of the hand has lost.
    """
    match found:
        case Found.BEFORE:
            return owed.void(
                line.wager, line.stake, clause="nsw-csp:14.20.1", why="Found invalid before the hand: returned."
            )
        case Found.DURING:
            if line.result is not Result.WINS:
                return line
            return replace(
                line,
                result=Result.VOID,
                pays=ZERO,
                payments=(),
                clause="nsw-csp:14.20.2",
                why="Found invalid in the course of the hand: returned, and it wins nothing.",
            )
        case Found.AFTER:
            return replace(line, why=f"{line.why} Found invalid after the hand: the result stands (nsw-csp:14.20.3).")
    assert_never(found)
