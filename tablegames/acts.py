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
class _OfTable(Act):
    table: InSubject[str]

    @property
    def subject(self) -> str:
        return table_subject(self.table)


@dataclass(frozen=True, slots=True, kw_only=True)
class TableOpened(_OfTable):
    kind: ClassVar[str] = "tablegames.table-opened"
    game: str

    def sentence(self) -> str:
        return f"opened gaming table {self.table} for {self.game}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsSet(_OfTable):
    kind: ClassVar[str] = "tablegames.terms-set"
    version: int
    terms: Mapping[str, Json]  # as rules/terms.py writes them
    proposal: int | None

    def sentence(self) -> str:
        return f"put version {self.version} of the sign of {self.table} in force"


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
class _OfPaymentError(Act):
    error: InSubject[int]
    direction: str

    @property
    def subject(self) -> str:
        return payment_error_subject(self.error)

    def _named(self) -> str:
        return f"{self.direction}payment {self.error}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentErrorFound(_OfPaymentError):
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
class IntentDecided(_OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-intent-decided"
    intent: str
    enquiries: str

    def sentence(self) -> str:
        return f"found {self._named()} {self.intent}"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTaken(_OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-step-taken"
    step: str
    how: str
    succeeded: bool
    at: datetime
    reference: str

    def data(self) -> dict[str, Json]:
        return _OfPaymentError.data(self) | {"at": self.at.isoformat()}  # to the microsecond, as the row has it

    def sentence(self) -> str:
        return f"tried to {self.step} about {self._named()}{'' if self.succeeded else ', without success'}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentErrorRectified(_OfPaymentError):
    kind: ClassVar[str] = "tablegames.payment-error-rectified"
    amount: Money
    outstanding: Money
    step: OrMissing[int] = None  # its number in the house: it is booked under it

    def sentence(self) -> str:
        return f"rectified {self.amount} of {self._named()}"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentErrorClosed(_OfPaymentError):
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
    HandChecked,
    PaymentErrorFound,
    IntentDecided,
    StepTaken,
    PaymentErrorRectified,
    PaymentErrorClosed,
    MonthReported,
)
