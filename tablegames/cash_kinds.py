"""What the tables pay back, as the cash rules of the house count it."""

from __future__ import annotations

from house.cash.kinds import CashKind

UNDERPAYMENT = CashKind("tablegames", "underpayment", "Underpayment made good")
