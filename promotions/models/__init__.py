"""What promotions store. Constraints are in the database; the verbs beside this package are the only writers."""

from promotions.models.draws import Draw, Loss, LossReason, Outcomes, Pick
from promotions.models.entries import (
    BY_HAND,
    Entrant,
    Entry,
    EntryList,
    ExcludedCard,
    Exclusion,
    Person,
    SealedTiles,
    Source,
    Withdrawal,
)
from promotions.models.imports import Import, ImportPart, ImportRow, ImportState
from promotions.models.terms import Edition, Prize, PrizeKind, Promotion, Reason, Statuses, Submission, TermsVersion
from promotions.models.winners import Claim, ClaimStatus, LossCase, Notification, Payment, PaymentPart, Win, WinStatus

__all__ = [
    "BY_HAND",
    "Claim",
    "ClaimStatus",
    "Draw",
    "Edition",
    "Entrant",
    "Entry",
    "EntryList",
    "ExcludedCard",
    "Exclusion",
    "Import",
    "ImportPart",
    "ImportRow",
    "ImportState",
    "Loss",
    "LossCase",
    "LossReason",
    "Notification",
    "Outcomes",
    "Payment",
    "PaymentPart",
    "Person",
    "Pick",
    "Prize",
    "PrizeKind",
    "Promotion",
    "Reason",
    "SealedTiles",
    "Source",
    "Statuses",
    "Submission",
    "TermsVersion",
    "Win",
    "WinStatus",
    "Withdrawal",
]
