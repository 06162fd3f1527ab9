"""A line whose wager was invalid (nsw-csp:14.20, 16.1): the house's rule decides the money, here it is a line."""

from __future__ import annotations

from dataclasses import replace

from house.rules.invalid_wagers import Found, decide
from tablegames.rules.owed import Owed, Result


def settle_invalid(line: Owed, found: Found) -> Owed:
    """What an invalid wager gets that would otherwise be owed *line*.

    A hand already settled stands; a wager that does not win in the course of the hand is settled like any other.
    """
    if found is Found.AFTER:
        return replace(line, why=f"{line.why} Found invalid after the hand: the result stands (nsw-csp:14.20.3).")
    if found is Found.DURING and line.result is not Result.WINS:
        return line
    outcome = decide(found=found, stake=line.stake, winnings=line.pays)
    return replace(
        line,
        result=Result.VOID,
        pays=outcome.winnings,
        returns=outcome.returned,
        payments=(),
        clause="nsw-csp:14.20.1" if found is Found.BEFORE else "nsw-csp:14.20.2",
        why=outcome.words,
    )
