"""The end of a link whose money goes to nobody's next jackpot: what is in it is paid out by shares. Pure.

Nothing of it is the house's to keep (nsw-csp:11.5, act-cp:10.5, act-pg:12.7): the purses are emptied, and where they
hold a part of a cent the house makes it a whole one. Parts are whole cents, by largest remainder, the first named
first; together they are all of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.rules.pool import HOUSE, WINNERS, Balances, Movement, Purse
from kernel.money import BASIS_POINTS, MICROS_PER_CENT, ZERO, Money


def gather(balances: Balances, *, into: Purse) -> tuple[Movement, ...]:
    """Everything into one purse, made whole cents, and out of it to those who are owed it now."""
    moves = [Movement(purse, into, held) for purse, held in balances.items() if purse != into and held > ZERO]
    whole = Money.total(balances.values())
    if missing := -whole.micros % MICROS_PER_CENT:
        moves.append(Movement(HOUSE, into, Money(missing)))
    total = whole + Money(missing)
    return (*moves, Movement(into, WINNERS, total)) if total else ()


def parts(moves: Sequence[Movement], shares: Sequence[int]) -> list[Money]:
    """What each is owed, by shares in hundredths of a percent."""
    assert sum(shares) == BASIS_POINTS
    owed = moves[-1].amount if moves else ZERO
    return owed.split(shares)
