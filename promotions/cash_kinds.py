"""What promotions and tournaments pay and take, as the cash rules of the house count it."""

from __future__ import annotations

from house.cash.kinds import CashKind
from house.models import Way

PRIZE = CashKind("promotions", "prize", "Promotion’s prize, claim", "promotion-claim")
TOURNAMENT_FEE = CashKind("promotions", "tournament-fee", "Tournament, entry fee", "", Way.IN)
TOURNAMENT_REBUY = CashKind("promotions", "tournament-rebuy", "Tournament, rebuy", "", Way.IN)
TOURNAMENT_PRIZE = CashKind("promotions", "tournament-prize", "Tournament, prize")
TOURNAMENT_REFUND = CashKind("promotions", "tournament-refund", "Tournament, fee given back")
