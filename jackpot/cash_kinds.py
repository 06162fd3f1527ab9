"""What the links pay, as the cash rules of the house count it."""

from __future__ import annotations

from house.cash.kinds import CashKind

PAYOUT = CashKind("jackpot", "payout", "Share of a jackpot that has ended")
HIT = CashKind("jackpot", "hit", "Hit", "hit")
INSTALMENT = CashKind("jackpot", "instalment", "Instalment of a hit", "hit")
