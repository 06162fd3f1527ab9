"""What becomes of a wager that was invalid, such as one placed on another person's card (nsw-csp:16.1). Pure.

nsw-csp:14.20 knows three cases, by when it is found out.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from kernel.money import ZERO, Money


class Found(StrEnum):
    BEFORE = "before"
    DURING = "during"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the person gets, and what of it is winnings."""

    returned: Money
    winnings: Money
    clause: str
    words: str


def decide(*, found: Found, stake: Money, winnings: Money) -> Outcome:
    """*winnings* is what the wager would win beside its stake: nothing when it loses.

    A wager that loses during the hand is lost: 14.20.2 gives back the winning ones only.
    """
    if found is Found.BEFORE:
        return Outcome(stake, ZERO, "nsw-csp:14.20", "Found before the hand began: the wager goes back.")
    if found is Found.DURING:
        if winnings:
            return Outcome(stake, ZERO, "nsw-csp:14.20", "Found during the hand: the wager goes back and wins nothing.")
        return Outcome(ZERO, ZERO, "nsw-csp:14.20", "Found during the hand: it wins nothing, and it lost.")
    stands = stake + winnings if winnings else ZERO
    return Outcome(stands, winnings, "nsw-csp:14.20", "Found after the hand was settled: its result stands.")
