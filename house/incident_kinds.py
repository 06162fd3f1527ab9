"""What kinds of incident there are, and who must be told of each by when. The other rooms add their own.

"Immediately" and "within 48 hours" count from the moment it happened or was found out; a month-end report covers the
month in which the house became aware of it (nsw-csp:14.19).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Final
from zoneinfo import ZoneInfo

from house.rules.gaming_day import instant
from ledger.money import Money


class Deadline(StrEnum):
    IMMEDIATELY = "immediately"
    HOURS_48 = "48-hours"
    MONTH_END = "month-end"


IMMEDIATELY, HOURS_48, MONTH_END = Deadline.IMMEDIATELY, Deadline.HOURS_48, Deadline.MONTH_END


def due_at(deadline: Deadline, *, happened_at: datetime, known_at: datetime, zone: ZoneInfo) -> datetime:
    """The moment by which it must be done. Month end is the first moment of the next month on the venue's clock."""
    match deadline:
        case Deadline.IMMEDIATELY:
            return happened_at
        case Deadline.HOURS_48:
            return happened_at.astimezone(UTC) + timedelta(hours=48)  # elapsed hours, whatever the clock does
        case Deadline.MONTH_END:
            there = known_at.astimezone(zone)
            years, month = divmod(there.month, 12)
            return instant(date(there.year + years, month + 1, 1), time(0), zone)


@dataclass(frozen=True, slots=True)
class Kind:
    code: str
    label: str
    clause: str
    notices: tuple[tuple[str, Deadline], ...]


_kinds: dict[str, Kind] = {}


def incident_kind(code: str, label: str, *, clause: str = "", notices: Iterable[tuple[str, Deadline]] = ()) -> str:
    """Add a kind of incident. Answers the code, to be kept as a constant."""
    kind = Kind(code=code, label=label, clause=clause, notices=tuple(notices))
    if _kinds.setdefault(code, kind) != kind:
        raise ValueError(f"the incident kind {code} is registered twice, differently")
    return code


def kinds() -> Mapping[str, Kind]:
    return MappingProxyType(_kinds)


INSPECTOR: Final = "inspector"
REGULATOR: Final = "regulator"
SURVEILLANCE: Final = "surveillance"
PLAYERS: Final = "players"

EARLY_CLOSE = incident_kind(
    "early-close",
    "The gaming day was closed early",
    clause="act-keno:13.2",
    notices=[(PLAYERS, IMMEDIATELY), (INSPECTOR, IMMEDIATELY)],
)
FOREIGN_OR_MISSING_CARD = incident_kind(
    "foreign-or-missing-card",
    "A card is missing from the shoe, or does not belong to the deck",
    clause="nsw-csp:14.9",
    notices=[(SURVEILLANCE, IMMEDIATELY), (INSPECTOR, IMMEDIATELY)],
)
EQUIPMENT_MALFUNCTION = incident_kind(
    "equipment-malfunction",
    "Electronic equipment of a game malfunctioned",
    clause="nsw-csp:14.15",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
PAYMENT_ERROR = incident_kind(
    "payment-error", "A wager was paid too much or too little, not on purpose", clause="nsw-csp:14.16"
)
PAYMENT_ERROR_ABOVE_1000 = incident_kind(
    "payment-error-above-1000",
    "A wager was paid too much or too little by more than $1,000",
    clause="nsw-csp:14.19",
    notices=[(REGULATOR, MONTH_END)],
)
PAYMENT_ERROR_SUSPECTED = incident_kind(
    "payment-error-suspected",
    "A wager was settled wrongly, and it is suspected to be on purpose",
    clause="nsw-csp:14.17",
)
PROMOTION_COMPROMISED_2019 = incident_kind(
    "promotion-compromised-2019",
    "The integrity of a promotion or its draw is compromised (2019 edition)",
    clause="nsw-promo-2019:15.12",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
PROMOTION_COMPROMISED_2025 = incident_kind(
    "promotion-compromised-2025",
    "The integrity of a promotion or its draw is compromised (2025 edition)",
    clause="nsw-promo-2025:17.11",
    notices=[(INSPECTOR, HOURS_48)],
)
OTHER = incident_kind("other", "Something else worth keeping on record")


def payment_error(difference: Money) -> str:
    """The kind of an unintended over- or underpayment of this much: strictly more than $1,000 goes to the regulator."""
    amount = difference if difference.micros >= 0 else -difference
    return PAYMENT_ERROR_ABOVE_1000 if amount > Money.dollars(1000) else PAYMENT_ERROR
