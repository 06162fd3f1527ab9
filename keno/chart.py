"""The names of Keno's accounts. Pure: the verbs book on them, and whoever checks an export finds them there.

What moves between them is told in ``accounts.py``.
"""

from __future__ import annotations

from typing import Final

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
OVERPAID: Final = "keno:overpaid"  # 12.1: paid on numbers that were recorded wrongly
CONTRIBUTIONS: Final = "keno:jackpot-contributions"  # stakes put into jackpots


def shift_cash(shift: int) -> str:
    return f"keno:shift:{shift}:cash"


def shift_chips(shift: int) -> str:
    return f"keno:shift:{shift}:chips"
