"""How the books call what moves when a game is settled again (12.1): also for those who add it up."""

from __future__ import annotations

from typing import Final

PRIZES_BACK: Final = "keno.prizes-taken-back"  # prizes owing -> prizes: all that the wrong numbers had won
PRIZES_AGAIN: Final = "keno.prizes-again"  # prizes -> prizes owing: all that the right ones win
BONUS_BACK: Final = "keno.bonus-taken-back"  # prizes owing -> what had funded it
BONUS_AGAIN: Final = "keno.bonus-again"  # what funds it -> prizes owing
JACKPOT_CORRECTED: Final = "keno.jackpot-corrected"  # between prizes owing and its pool
OVERPAID: Final = "keno.overpaid"  # overpaid -> prizes owing: what had been paid and was not won

CORRECTED: Final = "-corrected"  # after the kind of a prize: what the right numbers make of it
