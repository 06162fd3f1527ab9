"""What changes hands at the Keno counter, as the cash rules of the house count it."""

from __future__ import annotations

from house.cash.kinds import CashKind
from house.models import Way

TICKET = CashKind("keno", "ticket", "Keno ticket", "keno-ticket")
VOUCHER = CashKind("keno", "voucher", "Keno voucher", "keno-voucher")
CANCELLED = CashKind("keno", "cancelled", "Cancelled Keno ticket", "keno-ticket")
CHANGE = CashKind("keno", "change", "Change on a Keno ticket", "keno-ticket")
CLAIM = CashKind("keno", "claim", "Keno claim, ticket or voucher")
SALE = CashKind("keno", "sale", "Keno ticket sold", "keno-ticket", Way.IN, reported=False)  # at most $9,999 (3.1)
GIVEN_BACK = CashKind("keno", "given-back", "Keno overpayment given back", "keno-ticket", Way.IN)
TOURNAMENT_FEE = CashKind("keno", "tournament-fee", "Keno tournament, entry fee", "", Way.IN)
TOURNAMENT_PRIZE = CashKind("keno", "tournament-prize", "Keno tournament, prize")
TOURNAMENT_REFUND = CashKind("keno", "tournament-refund", "Keno tournament, fee given back")
