"""The names of Keno's accounts, and who gives what to whom. Pure: the verbs book on them, and whoever checks an export
finds them there.

What moves between them is told in ``accounts.py``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from kernel.money import Money

CAGE: Final = "keno:cage"  # where floats come from and drops go
BANK: Final = "keno:bank"  # cheques are drawn on it
APPROVED_VOUCHERS: Final = "keno:approved-vouchers"  # taken in; to be made good by whoever issued them
STAKES_HELD: Final = "keno:stakes-held"
PRIZES_OWING: Final = "keno:prizes-owing"
REFUNDS_OWING: Final = "keno:refunds-owing"
VOUCHERS: Final = "keno:vouchers"
UNCLAIMED: Final = "keno:unclaimed"  # 11.2: return to players
MADE_GOOD: Final = "keno:unclaimed-made-good"  # 11.4: claims that came after their money had been returned to players
STAKES: Final = "keno:stakes"
PRIZES: Final = "keno:prizes"
BONUSES: Final = "keno:bonuses"
TOURNAMENTS: Final = "keno:tournaments"  # entry fees, until they are prizes (15.4)
TOURNAMENT_FEES: Final = "keno:tournament-fees"  # what is retained of them
OVER_SHORT: Final = "keno:over-short"
OVERPAID: Final = "keno:overpaid"  # paid and not won: what is asked back
OVERPAID_LOST: Final = "keno:overpaid-written-off"  # of it, what two people have given up
CONTRIBUTIONS: Final = "keno:jackpot-contributions"  # stakes put into jackpots


def shift_cash(shift: int) -> str:
    return f"keno:shift:{shift}:cash"


def shift_chips(shift: int) -> str:
    return f"keno:shift:{shift}:chips"


def pair(sources: Iterable[tuple[str, Money]], uses: Iterable[tuple[str, Money]]) -> Iterator[tuple[str, str, Money]]:
    """(source, use, amount), in the order given; both sides add up to the same. Nothing goes from a name to itself."""
    left = [(name, amount) for name, amount in sources if amount]
    for use, amount in uses:
        wanted = amount
        while wanted:
            name, available = left.pop(0)
            moved = min(wanted, available)
            if name != use:
                yield name, use, moved
            wanted -= moved
            if available > moved:
                left.insert(0, (name, available - moved))
    assert not left
