"""What is stored of jackpots. Money is in the ledger; here is what it was for: tables, rounds, wagers and hits."""

from jackpot.models.hits import Hit, HitMethod, HitStatus, ThresholdReport
from jackpot.models.mystery import TriggerPoint, TriggerStatus
from jackpot.models.pools import Pool, PoolDay, PoolStatus, Terms
from jackpot.models.tables import (
    Batch,
    BatchStatus,
    Contribution,
    Placed,
    Round,
    RoundStatus,
    Table,
    TableStatus,
    Wager,
)

__all__ = [
    "Batch",
    "BatchStatus",
    "Contribution",
    "Hit",
    "HitMethod",
    "HitStatus",
    "Placed",
    "Pool",
    "PoolDay",
    "PoolStatus",
    "Round",
    "RoundStatus",
    "Table",
    "TableStatus",
    "Terms",
    "ThresholdReport",
    "TriggerPoint",
    "TriggerStatus",
    "Wager",
]
