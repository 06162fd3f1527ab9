"""What is stored of jackpots. Money is in the ledger; here is what it was for: tables, rounds, wagers and hits."""

from jackpot.models.controllers import DisagreementStatus, MeterDisagreement, MeterReading, TableMeter, TableWatch
from jackpot.models.hits import Hit, HitMethod, HitStatus, Instalment, InstalmentMethod, TermsByWin, WrongEntry
from jackpot.models.links import Link, LinkDay, LinkStatus, Payout, PayoutMethod, Terms
from jackpot.models.must_hit_by import ControllerRound, CountedWager, MeterSeal
from jackpot.models.tables import (
    Batch,
    BatchStatus,
    Contribution,
    LateHand,
    Pace,
    Placed,
    Round,
    RoundStatus,
    Table,
    TableSpell,
    TableStatus,
    Wager,
)

__all__ = [
    "Batch",
    "BatchStatus",
    "Contribution",
    "ControllerRound",
    "CountedWager",
    "DisagreementStatus",
    "Hit",
    "HitMethod",
    "HitStatus",
    "Instalment",
    "InstalmentMethod",
    "LateHand",
    "Link",
    "LinkDay",
    "LinkStatus",
    "MeterDisagreement",
    "MeterReading",
    "MeterSeal",
    "Pace",
    "Payout",
    "PayoutMethod",
    "Placed",
    "Round",
    "RoundStatus",
    "Table",
    "TableMeter",
    "TableSpell",
    "TableStatus",
    "TableWatch",
    "Terms",
    "TermsByWin",
    "Wager",
    "WrongEntry",
]
