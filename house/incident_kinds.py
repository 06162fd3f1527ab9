"""What kinds of incident there are, and who must be told of each by when. The other rooms add their own.

"Immediately" and "within 48 hours" count from the moment it happened or was found out; a month-end report covers the
month in which the house became aware of it (nsw-csp:14.19).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from typing import Final
from zoneinfo import ZoneInfo

from house.rules.gaming_day import instant
from kernel.codes import Code
from kernel.money import Money
from kernel.refusal import Refusal
from kernel.rooms import offered


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


class IncidentKind(Code):
    """Something that can go wrong, the clause it falls under, and who must be told of it by when."""

    clause: str
    clauses: Mapping[str, str]
    """By document, where several games have the same rule under other numbers."""
    notices: tuple[tuple[str, Deadline], ...]

    def __new__(
        cls,
        code: str,
        label: str,
        *,
        clause: str = "",
        under: str = "",
        notices: Iterable[tuple[str, Deadline]] = (),
    ) -> IncidentKind:
        made = super().__new__(cls, code, label)
        assert isinstance(made, IncidentKind)
        made.clause, made.notices = clause, tuple(notices)
        made.clauses = {each.partition(":")[0]: each for each in (clause, *under.split()) if each}
        return made

    def clause_in(self, document: str) -> str:
        """The clause of this kind in a game's rules; its own where none are named."""
        if not document:
            return self.clause
        if document not in self.clauses:
            raise Refusal("no-such-rules", f"{document} has no rule of this.", field="rules")
        return self.clauses[document]

    @property
    def code(self) -> str:
        return str(self)


def kinds() -> dict[str, IncidentKind]:
    return {str(kind): kind for kind in offered(IncidentKind)}


INSPECTOR: Final = "inspector"
REGULATOR: Final = "regulator"
SURVEILLANCE: Final = "surveillance"
PLAYERS: Final = "players"

EARLY_CLOSE = IncidentKind(
    "early-close",
    "The gaming day was closed early",
    clause="act-keno:13.2",
    notices=[(PLAYERS, IMMEDIATELY), (INSPECTOR, IMMEDIATELY)],
)
FOREIGN_OR_MISSING_CARD = IncidentKind(
    "foreign-or-missing-card",
    "A card is missing from the shoe, or does not belong to the deck",
    clause="nsw-csp:14.9",
    under="nsw-lp:12.11 vu-lp:11.10 nz-lp:11.10",
    notices=[(SURVEILLANCE, IMMEDIATELY), (INSPECTOR, IMMEDIATELY)],
)
EQUIPMENT_MALFUNCTION = IncidentKind(
    "equipment-malfunction",
    "Electronic equipment of a game malfunctioned",
    clause="nsw-csp:14.15",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
PAYMENT_ERROR = IncidentKind(
    "payment-error", "A wager was paid too much or too little, not on purpose", clause="nsw-csp:14.16"
)
PAYMENT_ERROR_ABOVE_1000 = IncidentKind(
    "payment-error-above-1000",
    "A wager was paid too much or too little by more than $1,000",
    clause="nsw-csp:14.19",
    notices=[(REGULATOR, MONTH_END)],
)
PAYMENT_ERROR_SUSPECTED = IncidentKind(
    "payment-error-suspected",
    "A wager was settled wrongly, and it is suspected to be on purpose",
    clause="nsw-csp:14.17",
)
GUESSING = IncidentKind("guessing", "Somebody guesses at a password, a second step or a device’s code")
LETTER_DISPUTED = IncidentKind(
    "letter-disputed",
    "An inspector disputes a letter by which something was approved",
    notices=[(REGULATOR, IMMEDIATELY)],
)
POSSIBLE_STRUCTURING = IncidentKind(
    "possible-structuring", "Payments below the reporting limit may be parts of one that reaches it"
)
REPORT_OVERDUE = IncidentKind("report-overdue", "A report to the authority is overdue")
WITNESS_AWAY = IncidentKind(
    "witness-away",
    "The witness does not answer: draws wait for it, and nobody else sees the log’s heads",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
WITNESS_STOPPED = IncidentKind(
    "witness-stopped",
    "The witness has stopped for ever: it was shown a signature of its own that it does not remember",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
LOG_DIVERGED = IncidentKind(
    "log-diverged",
    "The witness has seen another log than this one: the database may be an old copy",
    notices=[(INSPECTOR, IMMEDIATELY)],
)
LATE = IncidentKind(
    "late", "Something that the house does by itself is late: a loop, a close or a number, a seal, a board, its clock"
)
LEAVERS_TOKENS = IncidentKind(
    "leavers-tokens", "Somebody who has left was shown the tokens of devices that stand on the floor"
)
# What the general provisions of every game forbid: whoever sees it reports it under the rules of his game.
PROHIBITED_DEVICE = IncidentKind(
    "prohibited-device",
    "Somebody used or held a device that records, projects or analyses a game",
    under=(
        "act-keno:14.2 act-bj:16.2 act-ar:10.2 act-bac:11.2 act-mb:11.2 act-pg:17.2 act-cp:15.2 act-sb:10.2 "
        "act-mw:10.2 act-pk:18.2 nsw-csp:16.6 nsw-lp:14.1"
    ),
)
EMPLOYEE_CONDUCT = IncidentKind(
    "employee-conduct",
    "An employee advised a player, gave an advantage, or did not keep to the procedures",
    under=(
        "act-keno:14.7 act-bj:16.7 act-ar:10.7 act-bac:11.7 act-mb:11.7 act-pg:17.7 act-cp:15.7 act-sb:10.7 "
        "act-mw:10.7 act-pk:18.7 nsw-csp:16.11 nsw-lp:14.6"
    ),
)
INFLUENCE = IncidentKind(
    "influence",
    "Somebody influenced another player’s decisions",
    under=(
        "act-keno:14.8 act-bj:16.9 act-ar:10.9 act-bac:11.9 act-mb:11.9 act-pg:17.9 act-cp:15.9 act-sb:10.8 "
        "act-mw:10.9 act-pk:18.9 nsw-csp:16.12 nsw-lp:14.7"
    ),
)
SIDE_BET = IncidentKind(
    "side-bet",
    "Players bet against each other beside the game",
    under=(
        "act-keno:14.9 act-bj:16.10 act-ar:10.10 act-bac:11.10 act-mb:11.10 act-pg:17.10 act-cp:15.10 "
        "act-sb:10.9 act-mw:10.10 act-pk:18.10 nsw-csp:16.15 nsw-lp:14.10"
    ),
)
PROXY_BETTING = IncidentKind("proxy-betting", "Somebody wagered for another person", clause="nsw-csp:16.21")
OTHER = IncidentKind("other", "Something else worth keeping on record")


def payment_error(difference: Money) -> str:
    """The kind of an unintended over- or underpayment of this much: strictly more than $1,000 goes to the regulator."""
    amount = difference if difference.micros >= 0 else -difference
    return PAYMENT_ERROR_ABOVE_1000 if amount > Money.dollars(1000) else PAYMENT_ERROR
