"""What promotions store. Constraints are in the database; the verbs beside this package are the only writers."""

from promotions.models.entries import (
    Entrant,
    Entry,
    EntryList,
    ExcludedCard,
    Exclusion,
    Import,
    ImportRow,
    ImportState,
    Person,
    Source,
)
from promotions.models.terms import Edition, Prize, PrizeKind, Promotion, Reason, Statuses, Submission, TermsVersion

__all__ = [
    "Edition",
    "Entrant",
    "Entry",
    "EntryList",
    "ExcludedCard",
    "Exclusion",
    "Import",
    "ImportRow",
    "ImportState",
    "Person",
    "Prize",
    "PrizeKind",
    "Promotion",
    "Reason",
    "Source",
    "Statuses",
    "Submission",
    "TermsVersion",
]
