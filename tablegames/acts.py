"""The acts of table games. Pure: pages and the offline verifier read the same classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import ClassVar, Final

from kernel.acts import Act, InSubject, Json, OrMissing
from kernel.money import Money

# A table and its sign


def table_subject(code: str) -> str:
    """What the log and approvals call a gaming table."""
    return f"gaming-table:{code}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTable(Act):
    table: InSubject[str]

    @property
    def subject(self) -> str:
        return table_subject(self.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(OfTable):
    kind: ClassVar[str] = "tablegames.table-opened"
    game: str

    def sentence(self) -> str:
        return f"opened gaming table {self.table} for {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsSet(OfTable):
    kind: ClassVar[str] = "tablegames.terms-set"
    version: int
    terms: Mapping[str, Json]  # as rules/terms.py writes them
    proposal: int | None
    since: OrMissing[datetime] = None

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), since=self.since)

    def sentence(self) -> str:
        return f"put version {self.version} of the sign of {self.table} in force"


# Notices, markers, players at a table


@dataclass(frozen=True, slots=True, kw_only=True)
class _OfSeat(OfTable):
    seat: int
    box: int
    at: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerSeated(_OfSeat):
    kind: ClassVar[str] = "tablegames.player-seated"

    def sentence(self) -> str:
        return f"seated a player at box {self.box} of {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLeft(_OfSeat):
    """With it every marker of his goes (6.5.1.2)."""

    kind: ClassVar[str] = "tablegames.player-left"

    def sentence(self) -> str:
        return f"saw the player leave box {self.box} of {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitsAnnounced(OfTable):
    """From *takes_effect_at* these limits hold. *at_once*: those who play already stay on the old minimum (6.5.1)."""

    kind: ClassVar[str] = "tablegames.limits-announced"
    notice: int
    limits: Mapping[str, Json]
    shown_at: datetime
    takes_effect_at: datetime
    at_once: bool
    proposal: OrMissing[int] = None  # where a maximum is above the approved sign's: by two people

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), shown_at=self.shown_at, takes_effect_at=self.takes_effect_at)

    def sentence(self) -> str:
        if self.at_once:
            return f"raised the minimum at {self.table} at once; who plays there stays on the old one"
        return f"put up a notice at {self.table}: {_limits_said(self.limits)} from {self.takes_effect_at:%H:%M} UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class ClosingAnnounced(OfTable):
    kind: ClassVar[str] = "tablegames.closing-announced"
    notice: int
    shown_at: datetime
    closes_at: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), shown_at=self.shown_at, closes_at=self.closes_at)

    def sentence(self) -> str:
        return f"put up a notice at {self.table}: it closes at {self.closes_at:%H:%M} UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeTakenDown(OfTable):
    kind: ClassVar[str] = "tablegames.notice-taken-down"
    notice: int
    at: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at)

    def sentence(self) -> str:
        return f"took notice {self.notice} at {self.table} down before it held"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerPlaced(OfTable):
    kind: ClassVar[str] = "tablegames.marker-placed"
    marker: int
    seat: int
    box: int
    kind_: str  # old-minimum, own-limits
    limits: Mapping[str, Json]
    at: datetime
    proposal: OrMissing[int] = None  # of a player's own sign: by two people

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at)

    def sentence(self) -> str:
        if self.kind_ == "own-limits":
            return f"put a sign for one player at box {self.box} of {self.table}: {_limits_said(self.limits)}"
        return f"marked box {self.box} of {self.table}: that player stays on the old minimum"


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkerRemoved(OfTable):
    kind: ClassVar[str] = "tablegames.marker-removed"
    marker: int
    box: int
    at: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at)

    def sentence(self) -> str:
        return f"took the marker at box {self.box} of {self.table} away"


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeCharged(OfTable):
    kind: ClassVar[str] = "tablegames.time-charged"
    charge: int
    seat: int
    box: int
    periods: int
    amount: Money
    at: datetime
    from_at: datetime
    until: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at, from_at=self.from_at, until=self.until)

    def sentence(self) -> str:
        return f"charged seat {self.box} of {self.table} {self.amount} in advance, until {self.until:%H:%M} UTC"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableClosed(OfTable):
    kind: ClassVar[str] = "tablegames.table-closed"
    players: int  # who were at it
    at: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at)

    def sentence(self) -> str:
        return f"closed gaming table {self.table}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableReopened(OfTable):
    kind: ClassVar[str] = "tablegames.table-reopened"
    at: datetime

    def data(self) -> dict[str, Json]:
        return _exactly(OfTable.data(self), at=self.at)

    def sentence(self) -> str:
        return f"opened gaming table {self.table} again"


def _exactly(data: dict[str, Json], **moments: datetime | None) -> dict[str, Json]:
    """To the microsecond, as the rows have them: the limits of a hand are decided by them."""
    return data | {name: moment.isoformat() for name, moment in moments.items() if moment is not None}


def _limits_said(limits: Mapping[str, Json]) -> str:
    said = []
    for wager, limit in limits.items():
        most = f" to {limit['maximum']}" if limit.get("maximum") else " and more"
        said.append(f"{wager} {limit.get('minimum') or '0.00'}{most}")
    return ", ".join(said) or "no limits"


# A check of a settled hand


@dataclass(frozen=True, slots=True, kw_only=True)
class HandChecked(Act):
    """Everything that was entered and what the rules made of it: a stranger settles the hand again from this."""

    kind: ClassVar[str] = "tablegames.checked"
    check: InSubject[int]
    table: str | None
    game: str
    terms: Mapping[str, Json]
    entered: Mapping[str, Json]
    owed: Sequence[Json]
    paid: Mapping[str, Json]
    difference: Money
    seat: OrMissing[int] = None  # of the player, where his limits are not the table's
    happened_at: OrMissing[datetime] = None

    def data(self) -> dict[str, Json]:
        return _exactly(Act.data(self), happened_at=self.happened_at)

    @property
    def subject(self) -> str:
        return f"check:{self.check}"

    def sentence(self) -> str:
        return f"checked a hand of {self.game}, number {self.check}: {self.difference} of difference"


# An over- or underpayment


def payment_error_subject(number: int) -> str:
    """What the log calls an over- or underpayment."""
    return f"payment-error:{number}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OfPaymentError(Act):
    error: InSubject[int]
    direction: str

    @property
    def subject(self) -> str:
        return payment_error_subject(self.error)

    def _named(self) -> str:
        return f"{self.direction}payment {self.error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentErrorFound(OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-found"
    cause: str
    amount: Money
    incident: int
    what: str
    check: OrMissing[int] = None
    wager: OrMissing[str] = None

    def sentence(self) -> str:
        return f"found {self._named()} of {self.amount}"


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentDecided(OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-intent-decided"
    intent: str
    enquiries: str

    def sentence(self) -> str:
        return f"found {self._named()} {self.intent}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTaken(OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-step-taken"
    step: str
    how: str
    succeeded: bool
    at: datetime
    reference: str

    def data(self) -> dict[str, Json]:
        return OfPaymentError.data(self) | {"at": self.at.isoformat()}  # to the microsecond, as the row has it

    def sentence(self) -> str:
        return f"tried to {self.step} about {self._named()}{'' if self.succeeded else ', without success'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentErrorRectified(OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-rectified"
    amount: Money
    outstanding: Money
    step: OrMissing[int] = None  # its number in the house: it is booked under it

    def sentence(self) -> str:
        return f"rectified {self.amount} of {self._named()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentErrorClosed(OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-closed"
    outcome: str
    what: str

    def sentence(self) -> str:
        return f"closed {self._named()} as {self.outcome}"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonthReported(Act):
    kind: ClassVar[str] = "tablegames.month-reported"
    month: InSubject[str]
    payment_errors: tuple[int, ...]
    how: str
    reference: str

    @property
    def subject(self) -> str:
        return f"month:{self.month}"

    def sentence(self) -> str:
        return f"reported the payment errors of {self.month} to the regulator"


ALL: Final[tuple[type[Act], ...]] = (
    TableOpened,
    TermsSet,
    PlayerSeated,
    PlayerLeft,
    LimitsAnnounced,
    ClosingAnnounced,
    NoticeTakenDown,
    MarkerPlaced,
    MarkerRemoved,
    TimeCharged,
    TableClosed,
    TableReopened,
    HandChecked,
    PaymentErrorFound,
    IntentDecided,
    StepTaken,
    PaymentErrorRectified,
    PaymentErrorClosed,
    MonthReported,
)
