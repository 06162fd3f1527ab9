"""How the books call what moves when a winning wager is voided after the draw (14.3): also for those who add it up."""

from __future__ import annotations

from typing import Final

PRIZE_VOID: Final = "keno.prize-void"  # prizes owing -> prizes
JACKPOT_RETURNED: Final = "keno.jackpot-returned"  # prizes owing -> its pool
BONUS_VOID: Final = "keno.bonus-void"  # prizes owing -> what had funded it
VOID_REFUND: Final = "keno.void-refund"  # stakes -> refunds owing
UNCLAIMED_BACK: Final = "keno.unclaimed-back"  # return to players -> prizes owing, before any of these (11.2)
